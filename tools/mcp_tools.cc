// The list, its order and its words. Every word here is paid for in every request of hosts without tool search, so each
// says only what a model cannot guess from the name.
#include "tools/mcp_tools.h"

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "schemas/embedded.h"
#include "tools/name_space.h"

namespace pith {
namespace {

constexpr std::string_view kInstructions =
    "Pith shortens large tool outputs and keeps the originals. Before reading an output or file of more than about "
    "10,000 "
    "characters, pass it to compact (path costs nothing). A view that is not the whole ends in a line such as "
    "[PARTIAL view of 287848 bytes, 2000 lines; ...] that names its token; gaps such as [84 lines omitted: 31-114] say "
    "what is missing and where. Fetch any part with tokenjuice_retrieve: lines \"31-114\", bytes \"900+4096\", "
    "json_path or "
    "pattern, as the gap is written. What a view does not show is not known to be absent: fetch it before you rely on "
    "it.";

// Folders, beneath the home folder, in which a host saves outputs that it cut.
struct HostFolder {
  std::string_view host, folder;
};
constexpr HostFolder kSavedOutputs[] = {
    {"claude-code", ".claude/projects"}, {"gemini", ".gemini/tmp"}, {"qwen", ".qwen/tmp"}};

constexpr size_t kOffsetsNamed = 5;

}  // namespace

RegistryOptions RegistryOptionsFrom(const Config& config, bool over_http) {
  RegistryOptions options;
  options.roots = config.List(Key::kRoots);
  options.over_http = over_http;
  options.pass_through = config.Flag(Key::kNoMcp);
  const char* home = getenv("HOME");
  if (over_http || !home) return options;
  for (const HostFolder& saved : kSavedOutputs) {
    if (saved.host == config.Text(Key::kHost))
      options.roots.push_back(std::string(home) + "/" + std::string(saved.folder));
  }
  return options;
}

namespace mcp {

Registry BuildRegistry(Service& service, const RegistryOptions& options) {
  const char* home = getenv("HOME");
  std::vector<std::string> roots;
  if (!options.over_http) roots.push_back(service.options().folder);
  roots.insert(roots.end(), options.roots.begin(), options.roots.end());
  ReadRules rules{UsableRoots(roots, home ? home : ""), service.options().allow_secrets};

  Registry registry;
  registry.name = "pith";
  registry.title = "Pith";
  registry.version = PITH_VERSION;
  registry.description = "Short, truthful views of tool output; the exact bytes on request";
  registry.instructions = kInstructions;
  registry.tools = {CompactTool(service, options, rules),
                    RetrieveTool(service),
                    LegacyRetrieveTool(service),
                    CcrRetrieveTool(service),
                    SearchTool(service),
                    StatsTool(service)};
  registry.prompts = {ViewsPrompt()};
  registry.read_ttl_ms = 3'600'000;  // what a token names never changes; for as long as the lists, in case it is purged
  AddResources(registry, service);
  return registry;
}

std::string SchemaNamed(std::string_view name) {
  for (const EmbeddedFile& file : EmbeddedSchemas()) {
    if (file.name == std::string(name) + ".json") return std::string(file.content);
  }
  return R"({"type":"object"})";
}

ToolResult TextResult(std::string text) {
  ToolResult result;
  AddNote(result, std::move(text));
  return result;
}

ToolResult Refusal(std::string sentence) {
  ToolResult result = TextResult(std::move(sentence));
  result.is_error = true;
  return result;
}

void AddNote(ToolResult& result, std::string text) {
  Content block;
  block.text = std::move(text);
  result.content.push_back(std::move(block));
}

void AddBytesAsText(ToolResult& result, std::string_view bytes, std::string_view token, uint64_t origin) {
  std::vector<size_t> offsets;
  AddNote(result, ReplaceInvalidUtf8(bytes, &offsets));
  if (offsets.empty()) return;
  std::string note = std::to_string(offsets.size()) + (offsets.size() == 1 ? " byte that is" : " bytes that are") +
                     " not UTF-8 shown as U+FFFD, at offset ";
  for (size_t at = 0; at < offsets.size() && at < kOffsetsNamed; ++at) {
    note += (at ? ", " : "") + std::to_string(origin + offsets[at]);
  }
  if (offsets.size() > kOffsetsNamed) note += ", ...";
  if (!token.empty()) note += "; exact bytes: encoding \"base64\", resource ccr://" + std::string(token);
  AddNote(result, std::move(note));
}

void AddBytesAsBlob(ToolResult& result, std::string bytes, std::string_view token, std::string_view mime_type) {
  Content block;
  block.type = Content::Type::kBlobResource;
  block.blob = std::move(bytes);
  block.uri = "ccr://" + std::string(token);
  block.mime_type = mime_type;
  result.content.push_back(std::move(block));
}

std::string ResultMeta(std::string_view object) { return "{\"dev.pith/result\":" + std::string(object) + "}"; }

std::string_view MimeTypeOf(std::string_view kind_name) {
  constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
      {"json", "application/json"},  {"html", "text/html"},
      {"xml", "application/xml"},    {"yaml", "application/yaml"},
      {"markdown", "text/markdown"}, {"json_lines", "application/x-ndjson"},
      {"diff", "text/x-diff"},       {"binary", "application/octet-stream"}};
  for (const auto& [kind, type] : kTypes) {
    if (kind == kind_name) return type;
  }
  return "text/plain";
}

Caller CallerOf(const CallContext& context) {
  Caller caller;
  if (context.over_http()) caller.name_space = std::string(context.name_space());
  caller.road = "mcp";
  return caller;
}

StopAsked StopOf(const CallContext& context) {
  return [&context] { return context.cancelled(); };
}

std::string RetrieveMeta(const Service& service) {
  uint64_t size = service.options().page.result_size_meta;
  return size == 0 ? std::string() : "{\"anthropic/maxResultSizeChars\":" + std::to_string(size) + "}";
}

}  // namespace mcp
}  // namespace pith
