// Export and import. The manifest stands first, so that an importer knows where each original came from before it reads
// it; it has one JSON object a line: {"sha256","bytes","lines","sightings":[{"at","tool","command",...}]}, newest
// sighting last. Originals stream through a spool on the way in and frame by frame on the way out.
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/encoding.h"
#include "base/json_text.h"
#include "base/token.h"
#include "base/utf8.h"
#include "store/local_store.h"
#include "store/maintenance.h"
#include "store/tiers.h"

namespace pith {
namespace {

constexpr size_t kBlock = 512;
constexpr uint64_t kLargest = (uint64_t{1} << 33) - 1;  // what ustar's eleven octal digits say
constexpr uint64_t kLargestManifest = 1 << 30;
constexpr uint64_t kArchiveChunk = 1 << 20;
constexpr std::string_view kManifest = "manifest.jsonl";
constexpr std::string_view kFolder = "originals/";
constexpr int64_t kSightings = 32;

void PutOctal(char* field, size_t digits, uint64_t value) {
  for (size_t i = digits; i > 0; --i, value /= 8) field[i - 1] = static_cast<char>('0' + value % 8);
}

// A ustar header: name, mode 0600, size, time, type file.
std::string HeaderOf(std::string_view name, uint64_t size, int64_t seconds) {
  std::string block(kBlock, '\0');
  char* at = block.data();
  memcpy(at, name.data(), std::min<size_t>(name.size(), 100));
  PutOctal(at + 100, 7, 0600);
  PutOctal(at + 108, 7, 0);
  PutOctal(at + 116, 7, 0);
  PutOctal(at + 124, 11, size);
  PutOctal(at + 136, 11, static_cast<uint64_t>(std::max<int64_t>(0, seconds)));
  memset(at + 148, ' ', 8);
  at[156] = '0';
  memcpy(at + 257, "ustar", 6);
  memcpy(at + 263, "00", 2);
  uint64_t sum = 0;
  for (char c : block) sum += static_cast<unsigned char>(c);
  PutOctal(at + 148, 6, sum);
  at[154] = '\0';
  return block;
}

struct TarEntry {
  std::string name;
  uint64_t size = 0;
  bool end = false;
  bool file = false;
};

std::optional<TarEntry> ParseHeader(std::string_view block) {
  TarEntry entry;
  if (block.find_first_not_of('\0') == std::string_view::npos) {
    entry.end = true;
    return entry;
  }
  auto octal = [&](size_t at, size_t length) -> std::optional<uint64_t> {
    uint64_t value = 0;
    for (char c : block.substr(at, length)) {
      if (c == '\0' || c == ' ') continue;
      if (c < '0' || c > '7') return std::nullopt;
      value = value * 8 + static_cast<uint64_t>(c - '0');
    }
    return value;
  };
  std::optional<uint64_t> size = octal(124, 12), sum = octal(148, 8);
  uint64_t counted = 0;
  for (size_t i = 0; i < block.size(); ++i) {
    counted += i >= 148 && i < 156 ? uint64_t{' '} : static_cast<unsigned char>(block[i]);
  }
  if (!size || !sum || *sum != counted) return std::nullopt;
  std::string_view name = block.substr(0, 100);
  entry.name = name.substr(0, name.find('\0'));
  entry.size = *size;
  entry.file = block[156] == '0' || block[156] == '\0';
  return entry;
}

std::string PaddingOf(uint64_t size) { return std::string((kBlock - size % kBlock) % kBlock, '\0'); }

nlohmann::ordered_json JsonOf(const Sighting& sighting) {
  auto text = [](const std::string& bytes) { return ReplaceInvalidUtf8(bytes); };
  nlohmann::ordered_json json;
  json["at"] = sighting.at_ms;
  json["name_space"] = text(sighting.name_space);
  json["tool"] = text(sighting.tool);
  json["command"] = text(sighting.command);
  json["folder"] = text(sighting.folder);
  json["road"] = text(sighting.road);
  json["kind"] = text(sighting.kind);
  if (sighting.exit_code) json["exit_code"] = *sighting.exit_code;
  return json;
}

std::string TextAt(const nlohmann::json& json, const char* name) {
  return json.contains(name) && json[name].is_string() ? json[name].get<std::string>() : std::string();
}

Sighting SightingOf(const nlohmann::json& json) {
  Sighting sighting;
  if (!json.is_object()) return sighting;
  if (json.contains("at") && json["at"].is_number_integer()) sighting.at_ms = json["at"].get<int64_t>();
  if (json.contains("exit_code") && json["exit_code"].is_number_integer())
    sighting.exit_code = json["exit_code"].get<int>();
  sighting.name_space = TextAt(json, "name_space");
  sighting.tool = TextAt(json, "tool");
  sighting.command = TextAt(json, "command");
  sighting.folder = TextAt(json, "folder");
  sighting.kind = TextAt(json, "kind");
  return sighting;
}

Result<StoreOptions> Located(const StoreOptions& given) {
  StoreOptions options = given;
  Result<std::string> folder = StoreFolder(options.folder);
  if (!folder) return folder.error();
  options.folder = *folder;
  return options;
}

class TarReader {
 public:
  explicit TarReader(File& from) : from_(from) {}
  Result<TarEntry> Next() {
    if (Result<void> skipped = Skip(left_ + padding_); !skipped) return skipped.error();
    Result<std::string> block = from_.Read(kBlock);
    if (!block) return block.error();
    if (block->empty()) return TarEntry{{}, 0, true, false};
    std::optional<TarEntry> entry = block->size() == kBlock ? ParseHeader(*block) : std::nullopt;
    if (!entry) return Error{Cause::kInvalid, "not a tar, or cut short"};
    left_ = entry->size;
    padding_ = (kBlock - entry->size % kBlock) % kBlock;
    return *entry;
  }
  // The next bytes of the entry; empty at its end.
  Result<std::string> Read() {
    if (left_ == 0) return std::string();
    Result<std::string> bytes = from_.Read(std::min(left_, kArchiveChunk));
    if (!bytes) return bytes;
    if (bytes->empty()) return Error{Cause::kInvalid, "the tar is cut short"};
    left_ -= bytes->size();
    return bytes;
  }

 private:
  Result<void> Skip(uint64_t bytes) {
    while (bytes > 0) {
      Result<std::string> some = from_.Read(std::min(bytes, kArchiveChunk));
      if (!some) return some.error();
      if (some->empty()) return Error{Cause::kInvalid, "the tar is cut short"};
      bytes -= some->size();
    }
    return {};
  }
  File& from_;
  uint64_t left_ = 0, padding_ = 0;
};

}  // namespace

Result<ArchiveOutcome> ExportStore(const StoreOptions& given, const std::optional<std::string>& name_space,
                                   const ArchiveSink& to) {
  Result<StoreOptions> options = Located(given);
  if (!options) return options.error();
  Result<std::unique_ptr<Store>> store = Store::Open(*options);
  if (!store) return store.error();
  ArchiveOutcome outcome;
  ListQuery query;
  query.name_space = name_space;
  query.limit = UINT64_MAX;
  Result<std::vector<Entry>> entries = (*store)->List(query);
  if (!entries) return entries.error();
  struct Item {
    std::string digest;
    uint64_t bytes;
    int64_t seen_ms;
  };
  std::vector<Item> items;
  std::string manifest;
  for (const Entry& entry : *entries) {
    // The full hash is known once the bytes are: damaged ones are left out before the manifest names them.
    Sha256 hash;
    uint64_t at = 0;
    std::optional<Error> fault;
    while (at < entry.bytes && !fault) {
      Result<std::string> bytes = (*store)->Get(entry.token, {at, kArchiveChunk});
      if (!bytes)
        fault = bytes.error();
      else if (bytes->empty())
        fault = Error{Cause::kDamaged, "original " + entry.token + " is cut short"};
      else
        hash.Update(*bytes), at += bytes->size();
    }
    Digest digest = hash.Finish();
    if (!fault && TokenOf(digest) != entry.token)
      fault = Error{Cause::kDamaged, "original " + entry.token + " is damaged"};
    if (!fault && entry.bytes > kLargest) fault = Error{Cause::kTooLarge, "original " + entry.token + " is over 8 GiB"};
    if (fault) {
      ++outcome.skipped;
      outcome.sentences.push_back(fault->sentence);
      continue;
    }
    nlohmann::ordered_json line;
    line["sha256"] = HexOf(digest);
    line["bytes"] = entry.bytes;
    line["lines"] = entry.lines;
    line["sightings"] = nlohmann::ordered_json::array();
    Result<std::vector<Sighting>> sightings = (*store)->Sightings(entry.token, kSightings);
    if (sightings) {
      for (auto one = sightings->rbegin(); one != sightings->rend(); ++one) line["sightings"].push_back(JsonOf(*one));
    }
    manifest += JsonText(line) + "\n";
    items.push_back({HexOf(digest), entry.bytes, entry.last_seen_ms});
  }
  if (Result<void> done = to(HeaderOf(kManifest, manifest.size(), TheClock().WallMs() / 1000)); !done)
    return done.error();
  if (Result<void> done = to(manifest + PaddingOf(manifest.size())); !done) return done.error();
  for (const Item& item : items) {
    Result<void> done = to(HeaderOf(std::string(kFolder) + item.digest, item.bytes, item.seen_ms / 1000));
    for (uint64_t at = 0; done && at < item.bytes;) {
      Result<std::string> bytes = (*store)->Get(item.digest, {at, kArchiveChunk});
      if (!bytes) return bytes.error();
      if (bytes->empty()) return Error{Cause::kDamaged, "original " + item.digest + " went while it was exported"};
      done = to(*bytes);
      at += bytes->size();
    }
    if (done) done = to(PaddingOf(item.bytes));
    if (!done) return done.error();
    ++outcome.originals;
    outcome.bytes += item.bytes;
  }
  if (Result<void> done = to(std::string(2 * kBlock, '\0')); !done) return done.error();
  return outcome;
}

Result<ArchiveOutcome> ImportStore(const StoreOptions& given, File& from) {
  Result<StoreOptions> options = Located(given);
  if (!options) return options.error();
  Result<std::unique_ptr<Store>> store = Store::Open(*options);
  if (!store) return store.error();
  ArchiveOutcome outcome;
  std::map<std::string, Sighting> sightings;
  bool an_export = false;
  TarReader tar(from);
  while (true) {
    Result<TarEntry> entry = tar.Next();
    if (!entry) return entry.error();
    if (entry->end && !an_export) {
      return Error{Cause::kInvalid, "not an export of a store: it holds neither manifest.jsonl nor originals/"};
    }
    if (entry->end) return outcome;
    if (entry->file && entry->name == kManifest && entry->size <= kLargestManifest) {
      an_export = true;
      std::string manifest;
      for (Result<std::string> some = tar.Read();; some = tar.Read()) {
        if (!some) return some.error();
        if (some->empty()) break;
        manifest += *some;
      }
      for (size_t at = 0; at < manifest.size();) {
        size_t end = std::min(manifest.find('\n', at), manifest.size());
        nlohmann::json line = ParseJson(manifest.substr(at, end - at));
        if (line.is_object() && line.contains("sightings") && line["sightings"].is_array() &&
            !line["sightings"].empty()) {
          sightings[TextAt(line, "sha256")] = SightingOf(line["sightings"].back());
        }
        at = end + 1;
      }
      continue;
    }
    std::string digest = entry->name.size() > kFolder.size() ? entry->name.substr(kFolder.size()) : std::string();
    bool ours =
        entry->file && entry->name.substr(0, kFolder.size()) == kFolder && digest.size() == 64 && IsTokenShaped(digest);
    if (!ours) continue;
    an_export = true;
    Result<std::unique_ptr<Spool>> spool = (*store)->OpenSpool();
    if (!spool) return spool.error();
    Sha256 hash;
    for (Result<std::string> some = tar.Read();; some = tar.Read()) {
      if (!some) return some.error();
      if (some->empty()) break;
      hash.Update(*some);
      if (Result<void> done = (*spool)->Append(*some); !done) return done.error();
    }
    if (HexOf(hash.Finish()) != digest) {
      ++outcome.skipped;
      outcome.sentences.push_back("original " + digest.substr(0, kTokenLength) +
                                  " does not match its hash in the archive");
      continue;
    }
    Sighting sighting = sightings[digest];
    sighting.road = "import";
    Result<PutOutcome> put = (*spool)->Finish(sighting);
    if (!put) return put.error();
    ++outcome.originals;
    outcome.bytes += entry->size;
  }
}

}  // namespace pith
