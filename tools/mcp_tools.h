// What Pith offers over MCP, as a Registry: six tools in a fixed order, originals as resources, one prompt, completion
// of tokens. One file a tool; adding a tool is one file and one line in mcp_tools.cc.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "server/registry.h"
#include "tools/readable_file.h"
#include "tools/service.h"

namespace pith {

struct RegistryOptions {
  std::vector<std::string> roots;  // from --root and the configuration
  bool over_http = false;          // then the working folder is no root
  bool pass_through = false;       // PITH_NO_MCP: `compact` shows what it is given; retrieval goes on
};

// What the configuration says of the MCP side.
RegistryOptions RegistryOptionsFrom(const Config& config, bool over_http);

namespace mcp {

// `service` must outlive the registry.
Registry BuildRegistry(Service& service, const RegistryOptions& options);

// The tools, one file each.
Tool CompactTool(Service& service, const RegistryOptions& options, const ReadRules& rules);
Tool RetrieveTool(Service& service);
Tool LegacyRetrieveTool(Service& service);
Tool CcrRetrieveTool(Service& service);
Tool SearchTool(Service& service);
Tool StatsTool(Service& service);

// Originals as resources, and completion of their tokens.
void AddResources(Registry& registry, Service& service);
Prompt ViewsPrompt();

// --- for the tools' files

// The text of schemas/NAME.json.
std::string SchemaNamed(std::string_view name);
ToolResult TextResult(std::string text);
ToolResult Refusal(std::string sentence);
// Adds text as a block of its own.
void AddNote(ToolResult& result, std::string text);
// Adds bytes as text; what is not UTF-8 becomes U+FFFD, and a note says so, with the offsets (from `origin`) and the
// way to the exact bytes.
void AddBytesAsText(ToolResult& result, std::string_view bytes, std::string_view token, uint64_t origin);
void AddBytesAsBlob(ToolResult& result, std::string bytes, std::string_view token, std::string_view mime_type);
// `{"dev.pith/result": OBJECT}`, OBJECT as JSON text.
std::string ResultMeta(std::string_view object);
std::string_view MimeTypeOf(std::string_view kind_name);
Caller CallerOf(const CallContext& context);
// Says stop once the client has cancelled; borrows the context.
StopAsked StopOf(const CallContext& context);
// `_meta` of a retrieve tool for the host: how long a result may be; "" if the host wants none.
std::string RetrieveMeta(const Service& service);

inline constexpr std::string_view kReadOnly = R"({"readOnlyHint":true,"openWorldHint":false})";

}  // namespace mcp
}  // namespace pith
