// `pith serve`: the MCP server over standard input and output. What only HTTP needs (sockets, TLS) lives in a program
// of its own, which this one becomes: so every other start of `pith` stays free of it.
#include "server/serve.h"

#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstring>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/session.h"
#include "tools/mcp_tools.h"

namespace pith::cli {
namespace {

constexpr OptionRow kOptions[] = {
    {"--http", "HOST:PORT", "serve Streamable HTTP there instead; port 0: any free one"},
    {"--root", "DIR", "a further folder beneath which `compact` may read files", Complete::kFolder, {}, false, true},
    {"--host", "NAME", "the agent that is served: sizes pages by what it shows whole", Complete::kChoices,
     kHostChoices},
    {"--memory-only", "", "keep nothing on disk"},
    {"--allow-secrets", "NAMES", "rows of the secrets table that may be stored, or *"},
    {"--namespace", "NAME", "scope of lists and search in place of the project"},
    {"--token-file", "FILE", "with --http: the bearer token, in a file of mode 0600; else PITH_HTTP_TOKEN",
     Complete::kFile},
    {"--allow-host",
     "NAME",
     "with --http: a name besides the loopback ones that Host may hold",
     Complete::kNothing,
     {},
     false,
     true},
    {"--allow-origin",
     "ORIGIN",
     "with --http: an origin besides the loopback ones, https://example.org",
     Complete::kNothing,
     {},
     false,
     true},
    {"--certificate", "FILE", "with --http: PEM file with the certificate chain; serve TLS", Complete::kFile},
    {"--private-key", "FILE", "with --http: PEM file with its key", Complete::kFile},
};

constexpr std::string_view kOnlyWithHttp[] = {"--token-file", "--allow-host", "--allow-origin", "--certificate",
                                              "--private-key"};

// Where the program for HTTP may be, seen from this one: installed, or beside it in a build tree.
constexpr std::string_view kHttpPrograms[] = {"/../libexec/pith/pith-http", "/pith-http", "/http/pith-http"};

std::string OwnFolder() {
  char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  std::string own = length > 0 ? std::string(path, static_cast<size_t>(length)) : std::string();
  return own.substr(0, own.rfind('/'));
}

int BecomeHttp(std::span<char*> words) {
  std::string folder = OwnFolder();
  for (std::string_view relative : kHttpPrograms) {
    std::string program = folder + std::string(relative);
    if (access(program.c_str(), X_OK) != 0) continue;
    std::vector<char*> argv = {program.data()};
    argv.insert(argv.end(), words.begin(), words.end());
    argv.push_back(nullptr);
    execv(program.c_str(), argv.data());
    Complain("cannot start " + program + ": " + strerror(errno));
    return kFailed;
  }
  Complain("the program for HTTP (libexec/pith/pith-http) is not installed beside this one");
  return kFailed;
}

std::vector<std::pair<Key, std::string>> FlagsOf(const Arguments& arguments) {
  std::vector<std::pair<Key, std::string>> flags;
  if (arguments.Has("--memory-only")) flags.emplace_back(Key::kMemoryOnly, "true");
  for (auto [name, key] :
       {std::pair{"--host", Key::kHost}, {"--allow-secrets", Key::kAllowSecrets}, {"--namespace", Key::kNamespace}}) {
    if (auto text = arguments.Text(name)) flags.emplace_back(key, std::string(*text));
  }
  return flags;
}

int Run(const Invocation& invocation) {
  if (invocation.arguments.Has("--http")) return BecomeHttp(invocation.words);
  for (std::string_view name : kOnlyWithHttp) {
    if (!invocation.arguments.Has(name)) continue;
    Complain("serve: " + std::string(name) + " goes with --http");
    return kWrongUse;
  }
  std::optional<Config> config = ReadConfig(FlagsOf(invocation.arguments));
  if (!config) return kWrongUse;
  Result<ServiceOptions> options = ServiceOptionsFrom(*config, "mcp", MarkerStyle::kMcp);
  if (!options.ok()) {
    Complain(options.error().sentence);
    return kWrongUse;
  }
  ChargeRetrievals(*config, *options);
  SayRuleFaults();
  std::unique_ptr<Service> service = OpenService(options.Take());
  if (!service) return kFailed;
  RegistryOptions what = RegistryOptionsFrom(*config, /*over_http=*/false);
  std::vector<std::string> roots = invocation.arguments.Many("--root");
  what.roots.insert(what.roots.end(), roots.begin(), roots.end());
  mcp::Registry registry = mcp::BuildRegistry(*service, what);
  return mcp::ServeStdio(registry);
}

}  // namespace

extern const CommandRow kServe;
const CommandRow kServe = {
    "serve",
    "[OPTIONS]",
    "serve agents over MCP (standard input and output, or HTTP)",
    "An agent starts this and talks MCP to it: claude mcp add pith -- pith serve\n\n"
    "Tools: compact, tokenjuice_retrieve, retrieve_tool_output, ccr_retrieve, ccr_search, ccr_stats. Files are read "
    "only "
    "beneath the working folder and --root, and never those known to hold secrets. Ends when its input does.",
    kOptions,
    &Run};

}  // namespace pith::cli
