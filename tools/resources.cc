// Originals as resources ccr://TOKEN: listed newest first for the caller's namespace, read whole.
#include "base/clock.h"
#include "base/token.h"
#include "base/units.h"
#include "base/utf8.h"
#include "tools/mcp_tools.h"

namespace pith::mcp {
namespace {

constexpr std::string_view kScheme = "ccr://";
constexpr uint64_t kPerPage = 50;
constexpr uint64_t kLargestRead = 16u << 20;  // bytes; larger ones are fetched in pages by tool
constexpr uint64_t kMostCompletions = 100;    // the protocol's bound

std::string TitleOf(const Entry& entry) {
  const Sighting& last = entry.last;
  std::string title = !last.command.empty() ? last.command : !last.tool.empty() ? last.tool : "output";
  title = ReplaceInvalidUtf8(title);
  if (title.size() > 80) title = title.substr(0, Utf8FloorBoundary(title, 80)) + " ...";
  return title;
}

Resource ResourceOf(const Entry& entry) {
  Resource resource;
  resource.uri = std::string(kScheme) + entry.token;
  resource.name = entry.token;
  resource.title = TitleOf(entry);
  resource.description = (entry.last.kind.empty() ? "output" : entry.last.kind) + ", " + BytesText(entry.bytes) +
                         ", seen " + UtcTime(entry.last_seen_ms);
  resource.mime_type = MimeTypeOf(entry.last.kind);
  resource.size = entry.bytes;
  return resource;
}

Result<ResourcePage> ListPage(Service& service, std::string_view cursor, const std::string& name_space) {
  ListQuery query;
  query.name_space = name_space;
  query.limit = kPerPage + 1;
  if (!cursor.empty()) {
    std::optional<uint64_t> offset = ParseWhole(cursor);
    if (!offset) return Error{Cause::kInvalid, "unknown cursor"};
    query.offset = *offset;
  }
  Result<std::vector<Entry>> entries = service.List(query);
  if (!entries.ok()) return entries.error();
  ResourcePage page;
  for (const Entry& entry : *entries) {
    if (page.resources.size() == kPerPage) {
      page.next_cursor = std::to_string(query.offset + kPerPage);
      break;
    }
    page.resources.push_back(ResourceOf(entry));
  }
  return page;
}

Result<std::vector<Content>> Read(Service& service, std::string_view uri) {
  if (!uri.starts_with(kScheme) || !IsTokenShaped(uri.substr(kScheme.size()))) {
    return Error{Cause::kNotFound, "no such resource; originals are ccr://TOKEN with 24 digits of 0-9 and a-f"};
  }
  std::string token(uri.substr(kScheme.size()));
  Selector whole;
  whole.limit = kLargestRead;
  Result<RetrieveOutcome> outcome = service.Retrieve(token, whole, /*raw=*/true);
  if (!outcome.ok()) {
    Error error = outcome.error();
    bool miss = error.cause == Cause::kExpired || error.cause == Cause::kEvicted || error.cause == Cause::kPurged;
    return Error{miss ? Cause::kNotFound : error.cause, error.sentence};
  }
  if (outcome->next_offset) {
    return Error{Cause::kTooLarge, "the original has " + std::to_string(outcome->selected) +
                                       " bytes; fetch it in pages with tokenjuice_retrieve"};
  }
  Content content;
  content.uri = uri;
  content.mime_type = MimeTypeOf(outcome->entry.last.kind);
  if (IsUtf8(outcome->bytes)) {
    content.type = Content::Type::kTextResource;
    content.text = std::move(outcome->bytes);
  } else {
    content.type = Content::Type::kBlobResource;
    content.blob = std::move(outcome->bytes);
  }
  return std::vector<Content>{std::move(content)};
}

Result<Completion> CompleteToken(Service& service, std::string_view value) {
  Completion completion;
  if (value.empty()) {
    ListQuery query;
    query.name_space = service.options().name_space;
    query.limit = kMostCompletions;
    Result<std::vector<Entry>> entries = service.List(query);
    if (!entries.ok()) return entries.error();
    for (const Entry& entry : *entries) completion.values.push_back(entry.token);
    return completion;
  }
  Result<std::vector<std::string>> tokens = service.store().TokensStartingWith(value, kMostCompletions + 1);
  if (!tokens.ok()) return tokens.error();
  completion.values = tokens.Take();
  completion.has_more = completion.values.size() > kMostCompletions;
  if (completion.has_more) completion.values.resize(kMostCompletions);
  return completion;
}

}  // namespace

void AddResources(Registry& registry, Service& service) {
  registry.resource_templates = {{"ccr://{token}", "original", "Stored original",
                                  "The exact bytes of a tool output, by the token that its view names", ""}};
  // Over stdio a caller has no namespace of its own: the service's is meant.
  registry.list_resources = [&service](std::string_view cursor, std::string_view name_space) {
    return ListPage(service, cursor, name_space.empty() ? service.options().name_space : std::string(name_space));
  };
  registry.read_resource = [&service](std::string_view uri, CallContext&) { return Read(service, uri); };
  registry.complete = [&service](std::string_view, std::string_view, std::string_view argument,
                                 std::string_view value) -> Result<Completion> {
    if (argument != "token") return Completion{};
    return CompleteToken(service, value);
  };
}

}  // namespace pith::mcp
