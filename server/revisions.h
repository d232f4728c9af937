// Every revision of the protocol that is served, and in what they differ: one row each, to be held against the
// specification. Nothing outside this table asks for a revision by its name.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace pith::mcp {

enum class Revision : uint8_t { k2024_11_05, k2025_03_26, k2025_06_18, k2025_11_25, k2026_07_28 };
inline constexpr size_t kRevisionCount = 5;

struct RevisionTraits {
  Revision revision;
  std::string_view name;  // as on the wire
  bool modern;            // stateless: metadata in each request, no initialize
  bool batches;           // accepts a JSON array of messages
  bool tool_annotations;
  bool audio;  // audio content; below, said in text
  bool progress_message;
  bool completions_capability;  // declares `completions`; below, the method exists undeclared
  bool titles;                  // `title`, `_meta`, resource links, structured content, output schemas
  bool implementation_details;  // `description` and `websiteUrl` in serverInfo
  bool structured_any;          // structured content may be any JSON value, not only an object
  bool version_header;          // HTTP: MCP-Protocol-Version is due on each request after initialize
  int resource_not_found;       // error code
};

// What a request says of itself in `_meta`, from 2026-07-28 on.
inline constexpr const char* kVersionKey = "io.modelcontextprotocol/protocolVersion";
inline constexpr const char* kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
inline constexpr const char* kLogLevelKey = "io.modelcontextprotocol/logLevel";

std::span<const RevisionTraits> Revisions();  // oldest first
const RevisionTraits& TraitsOf(Revision revision);
const RevisionTraits* RevisionNamed(std::string_view name);  // null if unknown
const RevisionTraits& LatestLegacy();
const RevisionTraits& AssumedOverHttp();  // what a client that names no revision at all is taken to speak

// What a method asks of the registry before it exists at all.
enum class Feature : uint8_t { kNone, kTools, kResources, kResourceSubscriptions, kPrompts, kCompletions, kLogging };

enum class Method : uint8_t {
  kInitialize,
  kPing,
  kSetLevel,
  kSubscribe,
  kUnsubscribe,
  kDiscover,
  kListen,
  kToolsList,
  kToolsCall,
  kResourcesList,
  kTemplatesList,
  kResourcesRead,
  kPromptsList,
  kPromptsGet,
  kComplete,
};

struct MethodTraits {
  Method method;
  std::string_view name;
  bool legacy;                      // exists in revisions with initialize
  bool modern;                      // exists in stateless revisions
  Feature feature;                  // undeclared: the method does not exist
  bool quick;                       // needs no handler of the registry: may run on the transport's own thread
  bool cacheable;                   // modern results carry ttlMs and cacheScope
  std::string_view name_parameter;  // HTTP, modern: the parameter that the header Mcp-Name repeats; "" if none
};

std::span<const MethodTraits> Methods();
const MethodTraits* MethodNamed(std::string_view name);  // null if unknown

}  // namespace pith::mcp
