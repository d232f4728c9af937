// Time to make a view, for each kind, beside what no compactor can do without on the same bytes: SHA-256 of them and,
// for formats with a parser, the bare parse. Medians of several runs in one process, of the time that the thread had a
// processor, so that other work on the machine counts little; read the ratios, machines are noisy all the same.
//   bench_throughput [MEGABYTES [ORIGINAL]]   # ORIGINAL: the first column's word, for one row alone
#include <gumbo.h>
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "base/sha256.h"
#include "compact/compact.h"
#include "compact/estimate.h"
#include "tests/compact/originals.h"
#ifdef PITH_HAVE_SIMDJSON
#include <simdjson.h>
#endif
#ifdef PITH_HAVE_EXPAT
#include <expat.h>
#endif
#ifdef PITH_HAVE_LIBYAML
#include <yaml.h>
#endif

namespace {

using pith::test::Original;

double ThreadSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double MedianSeconds(const std::function<void()>& work) {
  std::vector<double> times;
  for (int i = 0; i < 7; ++i) {
    const double begin = ThreadSeconds();
    work();
    times.push_back(ThreadSeconds() - begin);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

#ifdef PITH_HAVE_EXPAT
// Every element and text handed over, nothing done with them.
void ParseXml(const std::string& bytes) {
  XML_Parser parser = XML_ParserCreate(nullptr);
  XML_SetElementHandler(
      parser, [](void*, const char*, const char**) {}, [](void*, const char*) {});
  XML_SetCharacterDataHandler(parser, [](void*, const char*, int) {});
  (void)XML_Parse(parser, bytes.data(), static_cast<int>(bytes.size()), 1);
  XML_ParserFree(parser);
}
#endif

#ifdef PITH_HAVE_LIBYAML
// Every event read, nothing done with them.
void ParseYaml(const std::string& bytes) {
  yaml_parser_t parser;
  yaml_parser_initialize(&parser);
  yaml_parser_set_input_string(&parser, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  yaml_event_t event;
  for (bool more = true; more && yaml_parser_parse(&parser, &event) != 0; yaml_event_delete(&event)) {
    more = event.type != YAML_STREAM_END_EVENT;
  }
  yaml_parser_delete(&parser);
}
#endif

// The bare parser's time, 0 where there is none to compare with.
double ParserSeconds(const Original& original) {
  if (original.name == "html") {
    return MedianSeconds([&] {
      GumboOutput* tree = gumbo_parse_with_options(&kGumboDefaultOptions, original.bytes.data(), original.bytes.size());
      gumbo_destroy_output(&kGumboDefaultOptions, tree);
    });
  }
#ifdef PITH_HAVE_SIMDJSON
  if (original.name == "json") {
    simdjson::padded_string padded(original.bytes);
    simdjson::dom::parser parser;
    return MedianSeconds([&] { (void)parser.parse(padded).error(); });
  }
#endif
#ifdef PITH_HAVE_EXPAT
  if (original.name == "xml") return MedianSeconds([&] { ParseXml(original.bytes); });
#endif
#ifdef PITH_HAVE_LIBYAML
  if (original.name == "yaml") return MedianSeconds([&] { ParseYaml(original.bytes); });
#endif
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  uint64_t megabytes = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 4;
  std::string only = argc > 2 ? argv[2] : "";
  std::printf("%-12s %-10s %8s %8s %9s %9s %8s %8s %8s %8s\n", "original", "as", "MB", "view", "ms", "MB/s", "xSHA256",
              "xparser", "reduced", "estimate");
  for (const Original& sample : pith::test::TypicalOriginals(1, 500)) {
    if (!only.empty() && sample.name != only) continue;
    uint64_t lines = 500 * (megabytes << 20) / std::max<uint64_t>(1, sample.bytes.size());
    for (Original& original : pith::test::TypicalOriginals(1, lines)) {
      if (original.name != sample.name) continue;
      pith::View view;
      double seconds = MedianSeconds([&] { view = pith::Compact(original.bytes, {}, {}); });
      double hash = MedianSeconds([&] { (void)pith::Sha256Of(original.bytes); });
      double estimate = MedianSeconds([&] { (void)pith::EstimateTokens(original.bytes); });
      double parser = ParserSeconds(original);
      double size = static_cast<double>(original.bytes.size());
      std::printf("%-12s %-10s %8.2f %8zu %9.2f %9.0f %8.1f %8s %7.1f%% %7.1f%%\n", original.name.c_str(),
                  std::string(pith::KindName(view.kind)).c_str(), size / 1e6, view.text.size(), seconds * 1e3,
                  size / 1e6 / seconds, seconds / hash,
                  parser > 0 ? std::to_string(seconds / parser).substr(0, 5).c_str() : "-",
                  100 * (1 - static_cast<double>(view.shown.tokens) / static_cast<double>(view.original.tokens)),
                  100 * estimate / seconds);
      std::fflush(stdout);
    }
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("peak memory of this process, all originals included: %ld MB\n", usage.ru_maxrss / 1024);
}
