// Embeds Pith's store: keeps what a command printed, shows its first and last lines, and fetches the rest when asked.
//   ./embed FOLDER COMMAND      prints a short view that ends in a marker
//   ./embed FOLDER < VIEW       prints the original that a view's marker names
#include <pith/ccr.h>

#include <cstdio>
#include <string>

static std::string ReadAll(FILE* from) {
  std::string all;
  char buffer[65536];
  for (size_t got; (got = fread(buffer, 1, sizeof buffer, from)) > 0;) all.append(buffer, got);
  return all;
}

static int Fail(const std::string& sentence) { return fprintf(stderr, "embed: %s\n", sentence.c_str()), 1; }

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3) return Fail("wrong use: embed FOLDER [COMMAND]");
  auto store = pith::ccr::Ccr::Open({.folder = argv[1]});
  if (!store) return Fail(store.failure().sentence);
  if (argc == 2) {
    auto original = store.value().Retrieve(ReadAll(stdin));
    if (!original) return Fail(original.failure().sentence);
    fwrite(original.value().data(), 1, original.value().size(), stdout);
    return 0;
  }
  FILE* command = popen(argv[2], "r");
  std::string output = ReadAll(command);
  int status = pclose(command);
  auto token = store.value().Offload(output, {.command = argv[2], .exit_code = status});
  if (!token) return fputs(output.c_str(), stdout), Fail(token.failure().sentence);  // not kept: show it whole
  auto head = store.value().RetrieveLines(token.value(), 1, 2);
  if (!head) return Fail(head.failure().sentence);
  auto tail = store.value().RetrieveLines(token.value(), head.value().total - 1, head.value().total);
  if (!tail || head.value().total <= 5) return fputs(output.c_str(), stdout), 0;
  printf("%s[%llu lines omitted]\n%s<<ccr:%s>>\n", head.value().text.c_str(),
         static_cast<unsigned long long>(head.value().total - 4), tail.value().text.c_str(), token.value().c_str());
}
