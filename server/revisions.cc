// The two tables. A new revision is a row (and a column where it brings something new); a new method is a row.
#include "server/revisions.h"

#include <array>

namespace pith::mcp {
namespace {

// clang-format off
constexpr std::array<RevisionTraits, kRevisionCount> kRevisions = {{
    // revision            name          modern batch  annot. audio  p.msg  compl. titles impl.  any    header not found
    {Revision::k2024_11_05, "2024-11-05", false, false, false, false, false, false, false, false, false, false, -32002},
    {Revision::k2025_03_26, "2025-03-26", false, true,  true,  true,  true,  true,  false, false, false, false, -32002},
    {Revision::k2025_06_18, "2025-06-18", false, false, true,  true,  true,  true,  true,  false, false, true,  -32002},
    {Revision::k2025_11_25, "2025-11-25", false, false, true,  true,  true,  true,  true,  true,  false, true,  -32002},
    {Revision::k2026_07_28, "2026-07-28", true,  false, true,  true,  true,  true,  true,  true,  true,  true,  -32602},
}};

constexpr std::array kMethods = {
    // method                       name                         legacy modern feature                       quick  cache  Mcp-Name
    MethodTraits{Method::kInitialize,    "initialize",               true,  false, Feature::kNone,                  true,  false, ""},
    MethodTraits{Method::kPing,          "ping",                     true,  false, Feature::kNone,                  true,  false, ""},
    MethodTraits{Method::kSetLevel,      "logging/setLevel",         true,  false, Feature::kLogging,               true,  false, ""},
    MethodTraits{Method::kSubscribe,     "resources/subscribe",      true,  false, Feature::kResourceSubscriptions, true,  false, ""},
    MethodTraits{Method::kUnsubscribe,   "resources/unsubscribe",    true,  false, Feature::kResourceSubscriptions, true,  false, ""},
    MethodTraits{Method::kDiscover,      "server/discover",          false, true,  Feature::kNone,                  true,  true,  ""},
    MethodTraits{Method::kListen,        "subscriptions/listen",     false, true,  Feature::kNone,                  true,  false, ""},
    MethodTraits{Method::kToolsList,     "tools/list",               true,  true,  Feature::kTools,                 true,  true,  ""},
    MethodTraits{Method::kToolsCall,     "tools/call",               true,  true,  Feature::kTools,                 false, false, "name"},
    MethodTraits{Method::kResourcesList, "resources/list",           true,  true,  Feature::kResources,             false, true,  ""},
    MethodTraits{Method::kTemplatesList, "resources/templates/list", true,  true,  Feature::kResources,             true,  true,  ""},
    MethodTraits{Method::kResourcesRead, "resources/read",           true,  true,  Feature::kResources,             false, true,  "uri"},
    MethodTraits{Method::kPromptsList,   "prompts/list",             true,  true,  Feature::kPrompts,               true,  true,  ""},
    MethodTraits{Method::kPromptsGet,    "prompts/get",              true,  true,  Feature::kPrompts,               false, false, "name"},
    MethodTraits{Method::kComplete,      "completion/complete",      true,  true,  Feature::kCompletions,           false, false, ""},
};
// clang-format on

}  // namespace

std::span<const RevisionTraits> Revisions() { return kRevisions; }
const RevisionTraits& TraitsOf(Revision revision) { return kRevisions[static_cast<size_t>(revision)]; }
const RevisionTraits* RevisionNamed(std::string_view name) {
  for (const RevisionTraits& row : kRevisions) {
    if (row.name == name) return &row;
  }
  return nullptr;
}
const RevisionTraits& LatestLegacy() { return TraitsOf(Revision::k2025_11_25); }
const RevisionTraits& AssumedOverHttp() { return TraitsOf(Revision::k2025_03_26); }

std::span<const MethodTraits> Methods() { return kMethods; }
const MethodTraits* MethodNamed(std::string_view name) {
  for (const MethodTraits& row : kMethods) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

}  // namespace pith::mcp
