// What the registry holds, written for a revision: fields that a revision does not know are left out, content that it
// cannot carry is said in text. Pure functions, any thread.
#pragma once
#include "server/jsonrpc.h"
#include "server/registry.h"
#include "server/revisions.h"

namespace pith::mcp {

bool Declares(const Registry& registry, Feature feature);
OrderedJson EncodeCapabilities(const Registry& registry, const RevisionTraits& revision);
OrderedJson EncodeServerInfo(const Registry& registry, const RevisionTraits& revision);

OrderedJson EncodeTool(const Tool& tool, const RevisionTraits& revision);
OrderedJson EncodeContent(Content content, const RevisionTraits& revision);
OrderedJson EncodeToolResult(ToolResult result,
                             const RevisionTraits& revision);  // without the common fields of results
OrderedJson EncodeInputNeed(const InputNeed& need);
OrderedJson EncodePrompt(const Prompt& prompt, const RevisionTraits& revision);
OrderedJson EncodeResource(const Resource& resource, const RevisionTraits& revision);
OrderedJson EncodeTemplate(const ResourceTemplate& resource_template, const RevisionTraits& revision);
// One entry of `contents` of resources/read.
OrderedJson EncodeResourceContents(Content content);

// Adds what revision 2026-07-28 wants of each result, and caching hints where `cache_scope` is not empty.
void AddCommonFields(OrderedJson* result, const Registry& registry, const RevisionTraits& revision, uint64_t ttl_ms = 0,
                     std::string_view cache_scope = {});

}  // namespace pith::mcp
