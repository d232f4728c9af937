// pith-http: what `pith serve --http HOST:PORT` becomes. Takes the same words, and those that only HTTP needs.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>

#include "agents/reach.h"
#include "base/config.h"
#include "server/httplib/serve_http.h"
#include "tools/mcp_tools.h"
#include "tools/service.h"

namespace pith {
namespace {

constexpr int kFailed = 1;
constexpr int kWrongUse = 2;

struct Words {
  std::string address, host, allow_secrets, name_space, token_file;
  std::vector<std::string> roots, allowed_hosts, allowed_origins;
  std::string certificate, private_key;
  bool memory_only = false;
};

int Complain(int code, const std::string& sentence) {
  std::fprintf(stderr, "pith: %s\n", sentence.c_str());
  return code;
}

void Describe(CLI::App& app, Words& words) {
  app.add_option("--http", words.address, "HOST:PORT to listen on; port 0: any free one")->required();
  app.add_option("--root", words.roots, "a folder beneath which `compact` may read files")->expected(1)->take_all();
  app.add_option("--host", words.host, "the agent that is served: sizes pages by what it shows whole");
  app.add_flag("--memory-only", words.memory_only, "keep nothing on disk");
  app.add_option("--allow-secrets", words.allow_secrets, "rows of the secrets table that may be stored, or *");
  app.add_option("--namespace", words.name_space, "scope of lists and search in place of the project");
  app.add_option("--token-file", words.token_file,
                 "file (mode 0600) with the bearer token; else the environment's PITH_HTTP_TOKEN");
  app.add_option("--allow-host", words.allowed_hosts, "a name besides the loopback ones that Host may hold")
      ->expected(1)
      ->take_all();
  app.add_option("--allow-origin", words.allowed_origins, "an origin besides the loopback ones, https://example.org")
      ->expected(1)
      ->take_all();
  app.add_option("--certificate", words.certificate, "PEM file with the certificate chain: serve TLS");
  app.add_option("--private-key", words.private_key, "PEM file with its key");
}

Result<void> ReadAddress(const std::string& address, mcp::HttpOptions* options) {
  const size_t colon = address.rfind(':');
  const std::string port = colon == std::string::npos ? "" : address.substr(colon + 1);
  char* end = nullptr;
  const unsigned long number = std::strtoul(port.c_str(), &end, 10);
  const bool digits = !port.empty() && port.find_first_not_of("0123456789") == std::string::npos;
  if (!digits || number > 65535 || colon == 0) {
    return Error{Cause::kInvalid, "--http must be HOST:PORT, such as 127.0.0.1:8787"};
  }
  options->host = address.substr(0, colon);
  if (options->host.starts_with('[') && options->host.ends_with(']')) {
    options->host = options->host.substr(1, options->host.size() - 2);
  }
  options->port = static_cast<uint16_t>(number);
  return {};
}

// The token of a file that nobody else can read, or of the environment; "" if neither is given.
Result<std::string> ReadToken(const std::string& file) {
  if (file.empty()) {
    const char* token = getenv("PITH_HTTP_TOKEN");
    return std::string(token == nullptr ? "" : token);
  }
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (descriptor < 0 || fstat(descriptor, &status) != 0) {
    if (descriptor >= 0) close(descriptor);
    return Error{Cause::kIo, "the token file " + file + " cannot be read"};
  }
  std::string token(4096, '\0');
  const ssize_t got = read(descriptor, token.data(), token.size());
  close(descriptor);
  if ((status.st_mode & 077) != 0) {
    return Error{Cause::kDenied, "the token file " + file + " can be read by others; chmod 600 it"};
  }
  token.resize(got > 0 ? static_cast<size_t>(got) : 0);
  token.erase(token.find_last_not_of(" \t\r\n") + 1);
  if (token.empty()) return Error{Cause::kInvalid, "the token file " + file + " is empty"};
  return token;
}

std::vector<std::pair<Key, std::string>> FlagsOf(const Words& words) {
  std::vector<std::pair<Key, std::string>> flags;
  if (words.memory_only) flags.emplace_back(Key::kMemoryOnly, "true");
  if (!words.host.empty()) flags.emplace_back(Key::kHost, words.host);
  if (!words.allow_secrets.empty()) flags.emplace_back(Key::kAllowSecrets, words.allow_secrets);
  if (!words.name_space.empty()) flags.emplace_back(Key::kNamespace, words.name_space);
  if (!words.token_file.empty()) flags.emplace_back(Key::kHttpTokenFile, words.token_file);
  return flags;
}

std::string StoreMetrics(Service& service) {
  const Result<StoreStats> stats = service.Stats(std::nullopt);
  if (!stats.ok()) return "";
  std::string text;
  const auto add = [&](const char* name, const char* type, const char* help, uint64_t value) {
    text += std::string("# HELP ") + name + ' ' + help + "\n# TYPE " + name + ' ' + type + '\n' + name + ' ' +
            std::to_string(value) + '\n';
  };
  add("pith_store_entries", "gauge", "Originals kept.", stats->entries);
  add("pith_store_raw_bytes", "gauge", "Their bytes.", stats->raw_bytes);
  add("pith_store_stored_bytes", "gauge", "Their bytes as stored.", stats->stored_bytes);
  add("pith_store_retrievals_total", "counter", "Retrievals answered.", stats->retrievals);
  add("pith_store_retrieved_bytes_total", "counter", "Bytes given back.", stats->retrieved_bytes);
  add("pith_store_evicted_total", "counter", "Originals that a cap pushed out.", stats->evicted);
  add("pith_store_expired_total", "counter", "Originals whose time ran out.", stats->expired);
  return text;
}

int Serve(const Words& words) {
  mcp::HttpOptions http;
  if (Result<void> read = ReadAddress(words.address, &http); !read.ok())
    return Complain(kWrongUse, read.error().sentence);
  ConfigSources sources;
  sources.flags = FlagsOf(words);
  Result<Config> config = Config::Read(sources);
  if (!config.ok()) return Complain(kWrongUse, config.error().sentence);
  Result<std::string> token = ReadToken(config->Text(Key::kHttpTokenFile));
  if (!token.ok()) return Complain(kWrongUse, token.error().sentence);
  Result<ServiceOptions> options = ServiceOptionsFrom(*config, "mcp", MarkerStyle::kMcp);
  if (!options.ok()) return Complain(kWrongUse, options.error().sentence);
  options->retrieved = [&config](const Entry& entry, uint64_t tokens) { NoteRetrieval(*config, entry, tokens); };
  Result<std::unique_ptr<Service>> service = Service::Open(options.Take());
  if (!service.ok()) return Complain(kFailed, service.error().sentence);

  RegistryOptions what = RegistryOptionsFrom(*config, /*over_http=*/true);
  what.roots.insert(what.roots.end(), words.roots.begin(), words.roots.end());
  const mcp::Registry registry = mcp::BuildRegistry(**service, what);
  http.token = token.Take();
  http.name_space = (*service)->options().name_space;
  http.allowed_hosts = words.allowed_hosts;
  http.allowed_origins = words.allowed_origins;
  http.certificate = words.certificate;
  http.private_key = words.private_key;
  http.more_metrics = [&service] { return StoreMetrics(**service); };
  return mcp::ServeHttp(registry, http);
}

int Main(int argc, char** argv) {
  CLI::App app("Serves Pith's MCP tools over Streamable HTTP on /mcp.", "pith serve --http");
  Words words;
  Describe(app, words);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return code == 0 ? 0 : kWrongUse;
  }
  return Serve(words);
}

}  // namespace
}  // namespace pith

int main(int argc, char** argv) { return pith::Main(argc, argv); }
