// Sightings and namespaces in the catalogue. A sighting's id is its time: at_ms << 20 and the next free number below,
// so that the primary key is the order of time and lists need no index more. Sums over sightings are kept beside each
// namespace, because an original that is seen all day keeps its newest 32 sightings only.
#include <algorithm>

#include "base/encoding.h"
#include "store/catalog.h"

namespace pith {
namespace {

constexpr int64_t kKeptSightings = 32;  // of one entry in one namespace
constexpr int64_t kLatestMs = (int64_t{1} << 42) - 1;
constexpr int64_t kPerMs = int64_t{1} << 20;

#define PITH_SIGHTING_COLUMNS                                                                                         \
  "s.id, s.entry, n.name, s.tool, s.command, s.folder, s.road, s.policy, s.kind, s.exit_code, s.signal,"              \
  " s.original_bytes, s.original_lines, s.original_tokens, s.shown_bytes, s.shown_lines, s.shown_tokens, s.host_cut," \
  " s.lifetime_ms FROM sightings s JOIN name_spaces n ON n.id = s.name_space "

uint64_t CountAt(const Statement& statement, int column) { return static_cast<uint64_t>(statement.IntAt(column)); }

std::optional<int> OptionalAt(const Statement& statement, int column) {
  if (statement.IsNull(column)) return std::nullopt;
  return static_cast<int>(statement.IntAt(column));
}

void BindOptional(Statement& statement, const std::optional<int64_t>& value) {
  value ? statement.Int(*value) : statement.Null();
}

int64_t FirstIdAt(int64_t at_ms) { return std::clamp<int64_t>(at_ms, 0, kLatestMs) * kPerMs; }

}  // namespace

Statement& Catalog::BindText(Statement& statement, std::string_view text, std::string_view context) const {
  if (cipher_ == nullptr || text.empty()) return statement.Text(text);
  Result<std::string> sealed = cipher_->Seal(text, context);
  return sealed ? statement.Blob(*sealed) : statement.Text("");
}

std::string Catalog::Reveal(const Statement& statement, int column, std::string_view context) const {
  if (!statement.IsBlob(column)) return statement.TextAt(column);
  if (cipher_ == nullptr) return {};
  Result<std::string> plain = cipher_->Open(statement.BlobAt(column), context);
  return plain ? plain.Take() : std::string();
}

// What a namespace is found by. Under a key it must not tell the name, and must be the same each time.
std::string Catalog::NameSpaceKey(std::string_view name) const {
  if (cipher_ == nullptr) return std::string(name);
  return HexOf(cipher_->Fingerprint(name));
}

Result<std::optional<int64_t>> Catalog::NameSpaceId(std::string_view name, bool create) {
  std::string key = NameSpaceKey(name);
  {
    Statement find = database_.Prepare("SELECT id FROM name_spaces WHERE key = ?");
    Result<bool> found = find.Text(key).Step();
    if (!found) return found.error();
    if (*found) return std::optional<int64_t>(find.IntAt(0));
  }
  if (!create) return std::optional<int64_t>();
  Statement insert = database_.Prepare("INSERT INTO name_spaces (key, name) VALUES (?, ?)");
  insert.Text(key);
  if (Result<void> done = BindText(insert, name, "namespace").Run(); !done) return done.error();
  return std::optional<int64_t>(database_.LastRowId());
}

Result<void> Catalog::AddSighting(int64_t entry, const Sighting& sighting) {
  Result<std::optional<int64_t>> name_space = NameSpaceId(sighting.name_space, true);
  if (!name_space) return name_space.error();
  int64_t first = FirstIdAt(sighting.at_ms);
  int64_t id = first;
  {
    Statement taken = database_.Prepare("SELECT max(id) FROM sightings WHERE id >= ? AND id < ?");
    Result<bool> row = taken.Int(first).Int(first + kPerMs).Step();
    if (!row) return row.error();
    if (*row && !taken.IsNull(0)) id = taken.IntAt(0) + 1;
  }
  Statement insert = database_.Prepare(
      "INSERT INTO sightings (id, entry, name_space, tool, command, folder, road, policy, kind, exit_code, signal,"
      " original_bytes, original_lines, original_tokens, shown_bytes, shown_lines, shown_tokens, host_cut, lifetime_ms)"
      " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  insert.Int(id).Int(entry).Int(**name_space).Text(sighting.tool);
  BindText(insert, sighting.command, "command");
  BindText(insert, sighting.folder, "folder");
  insert.Text(sighting.road).Text(sighting.policy).Text(sighting.kind);
  BindOptional(insert, sighting.exit_code);
  BindOptional(insert, sighting.signal);
  for (uint64_t count : {sighting.original_bytes, sighting.original_lines, sighting.original_tokens,
                         sighting.shown_bytes, sighting.shown_lines, sighting.shown_tokens}) {
    insert.Int(static_cast<int64_t>(count));
  }
  insert.Int(sighting.host_cut ? 1 : 0);
  BindOptional(insert,
               sighting.lifetime_seconds ? std::optional<int64_t>(*sighting.lifetime_seconds * 1000) : std::nullopt);
  if (Result<void> done = insert.Run(); !done) return done;
  Result<void> counted =
      database_
          .Prepare(
              "UPDATE name_spaces SET sightings = sightings + 1, original_bytes = original_bytes + ?,"
              " original_tokens = original_tokens + ?, shown_bytes = shown_bytes + ?,"
              " shown_tokens = shown_tokens + ? WHERE id = ?")
          .Int(static_cast<int64_t>(sighting.original_bytes))
          .Int(static_cast<int64_t>(sighting.original_tokens))
          .Int(static_cast<int64_t>(sighting.shown_bytes))
          .Int(static_cast<int64_t>(sighting.shown_tokens))
          .Int(**name_space)
          .Run();
  if (!counted) return counted;
  return TrimSightings(entry, **name_space);
}

Result<void> Catalog::RemoveSighting(int64_t id) {
  Result<void> done = database_
                          .Prepare(
                              "UPDATE name_spaces SET sightings = max(0, sightings - 1),"
                              " original_bytes = max(0, name_spaces.original_bytes - s.original_bytes),"
                              " original_tokens = max(0, name_spaces.original_tokens - s.original_tokens),"
                              " shown_bytes = max(0, name_spaces.shown_bytes - s.shown_bytes), shown_tokens = max(0, "
                              "name_spaces.shown_tokens - s.shown_tokens)"
                              " FROM (SELECT * FROM sightings WHERE id = ?) AS s WHERE name_spaces.id = s.name_space")
                          .Int(id)
                          .Run();
  if (done) {
    done = database_
               .Prepare(
                   "UPDATE entries SET sightings = max(0, sightings - 1)"
                   " WHERE id = (SELECT entry FROM sightings WHERE id = ?)")
               .Int(id)
               .Run();
  }
  if (!done) return done;
  return database_.Prepare("DELETE FROM sightings WHERE id = ?").Int(id).Run();
}

// Of an entry seen more often than there are rows left, the others are taken to be like these. How much of what was
// fetched again was of it is known by its share of the retrievals only.
Result<void> Catalog::RemoveSightings(const EntryRow& row) {
  Result<void> done =
      database_
          .Prepare(
              "UPDATE name_spaces SET sightings = max(0, sightings - seen * times / rows),"
              " original_bytes = max(0, name_spaces.original_bytes - s.original_bytes * times / rows),"
              " original_tokens = max(0, name_spaces.original_tokens - s.original_tokens * times / rows),"
              " shown_bytes = max(0, name_spaces.shown_bytes - s.shown_bytes * times / rows),"
              " shown_tokens = max(0, name_spaces.shown_tokens - s.shown_tokens * times / rows) FROM"
              " (SELECT name_space, count(*) AS seen, sum(original_bytes) AS original_bytes,"
              " sum(original_tokens) AS original_tokens, sum(shown_bytes) AS shown_bytes,"
              " sum(shown_tokens) AS shown_tokens FROM sightings WHERE entry = ?1 GROUP BY name_space) AS s,"
              " (SELECT max(count(*), ?2) AS times, count(*) AS rows FROM sightings WHERE entry = ?1)"
              " WHERE name_spaces.id = s.name_space")
          .Int(row.id)
          .Int(row.sightings)
          .Run();
  if (done && row.retrievals > 0) {
    done = database_
               .Prepare(
                   "UPDATE name_spaces SET retrievals = max(0, retrievals - ?2),"
                   " retrieved_bytes = retrieved_bytes - retrieved_bytes * min(?2, retrievals) / max(1, retrievals),"
                   " retrieved_tokens = retrieved_tokens - retrieved_tokens * min(?2, retrievals) / max(1, retrievals)"
                   " WHERE id = (SELECT name_space FROM sightings WHERE entry = ?1 ORDER BY id DESC LIMIT 1)")
               .Int(row.id)
               .Int(row.retrievals)
               .Run();
  }
  if (!done) return done;
  return database_.Prepare("DELETE FROM sightings WHERE entry = ?").Int(row.id).Run();
}

Result<void> Catalog::RewriteTexts(const SightingRow& row) {
  Statement update = database_.Prepare("UPDATE sightings SET command = ?, folder = ? WHERE id = ?");
  BindText(update, row.sighting.command, "command");
  return BindText(update, row.sighting.folder, "folder").Int(row.id).Run();
}

Result<void> Catalog::RenameNameSpaces(const Catalog& old) {
  std::vector<std::pair<int64_t, std::string>> names;
  {
    Statement all = database_.Prepare("SELECT id, name FROM name_spaces");
    while (true) {
      Result<bool> row = all.Step();
      if (!row) return row.error();
      if (!*row) break;
      std::string name = old.Reveal(all, 1, "namespace");
      if (!name.empty() || !all.IsBlob(1)) names.emplace_back(all.IntAt(0), std::move(name));
    }
  }
  for (const auto& [id, name] : names) {
    Result<std::optional<int64_t>> there = NameSpaceId(name, false);
    if (!there) return there.error();
    if (*there && **there == id) continue;
    if (*there) {
      // A process has put under the new key meanwhile: what was under the old one joins it.
      Result<void> moved =
          database_.Prepare("UPDATE sightings SET name_space = ? WHERE name_space = ?").Int(**there).Int(id).Run();
      if (moved) moved = database_.Prepare("DELETE FROM name_spaces WHERE id = ?").Int(id).Run();
      if (!moved) return moved;
      continue;
    }
    Statement rename = database_.Prepare("UPDATE name_spaces SET key = ?, name = ? WHERE id = ?");
    rename.Text(NameSpaceKey(name));
    if (Result<void> done = BindText(rename, name, "namespace").Int(id).Run(); !done) return done;
  }
  return {};
}

Result<void> Catalog::TrimSightings(int64_t entry, int64_t name_space) {
  return database_
      .Prepare(
          "DELETE FROM sightings WHERE entry = ?1 AND name_space = ?2 AND id <= (SELECT id FROM sightings"
          " WHERE entry = ?1 AND name_space = ?2 ORDER BY id DESC LIMIT 1 OFFSET ?3)")
      .Int(entry)
      .Int(name_space)
      .Int(kKeptSightings)
      .Run();
}

SightingRow Catalog::ReadSighting(const Statement& statement) const {
  SightingRow row;
  row.id = statement.IntAt(0);
  row.entry = statement.IntAt(1);
  Sighting& sighting = row.sighting;
  sighting.at_ms = row.id / kPerMs;
  sighting.name_space = Reveal(statement, 2, "namespace");
  sighting.tool = statement.TextAt(3);
  sighting.command = Reveal(statement, 4, "command");
  sighting.folder = Reveal(statement, 5, "folder");
  sighting.road = statement.TextAt(6);
  sighting.policy = statement.TextAt(7);
  sighting.kind = statement.TextAt(8);
  sighting.exit_code = OptionalAt(statement, 9);
  sighting.signal = OptionalAt(statement, 10);
  sighting.original_bytes = CountAt(statement, 11);
  sighting.original_lines = CountAt(statement, 12);
  sighting.original_tokens = CountAt(statement, 13);
  sighting.shown_bytes = CountAt(statement, 14);
  sighting.shown_lines = CountAt(statement, 15);
  sighting.shown_tokens = CountAt(statement, 16);
  sighting.host_cut = statement.IntAt(17) != 0;
  if (!statement.IsNull(18)) sighting.lifetime_seconds = statement.IntAt(18) / 1000;
  return row;
}

Result<std::optional<SightingRow>> Catalog::NewestSighting(int64_t entry) {
  Statement statement =
      database_.Prepare("SELECT " PITH_SIGHTING_COLUMNS "WHERE s.entry = ? ORDER BY s.id DESC LIMIT 1");
  Result<bool> row = statement.Int(entry).Step();
  if (!row) return row.error();
  if (!*row) return std::optional<SightingRow>();
  return std::optional<SightingRow>(ReadSighting(statement));
}

Result<std::vector<SightingRow>> Catalog::SightingsOf(int64_t entry, int64_t limit) {
  std::vector<SightingRow> rows;
  Statement statement =
      database_.Prepare("SELECT " PITH_SIGHTING_COLUMNS "WHERE s.entry = ? ORDER BY s.id DESC LIMIT ?");
  statement.Int(entry).Int(limit);
  while (true) {
    Result<bool> row = statement.Step();
    if (!row) return row.error();
    if (!*row) return rows;
    rows.push_back(ReadSighting(statement));
  }
}

Result<void> Catalog::WalkSightings(const std::optional<std::string>& name_space, int64_t since_ms,
                                    const std::function<Result<bool>(SightingRow row)>& visit) {
  const char* sql = "SELECT " PITH_SIGHTING_COLUMNS "WHERE s.id >= ? ORDER BY s.id DESC";
  int64_t name_space_id = 0;
  if (name_space) {
    Result<std::optional<int64_t>> id = NameSpaceId(*name_space, false);
    if (!id) return id.error();
    if (!*id) return {};
    name_space_id = **id;
    sql = "SELECT " PITH_SIGHTING_COLUMNS "WHERE s.id >= ? AND s.name_space = ? ORDER BY s.id DESC";
  }
  Statement statement = database_.Prepare(sql);
  statement.Int(FirstIdAt(since_ms));
  if (name_space) statement.Int(name_space_id);
  while (true) {
    Result<bool> row = statement.Step();
    if (!row) return row.error();
    if (!*row) return {};
    Result<bool> more = visit(ReadSighting(statement));
    if (!more) return more.error();
    if (!*more) return {};
  }
}

Result<void> Catalog::CountRetrieval(int64_t entry, uint64_t retrievals, uint64_t bytes, uint64_t tokens) {
  Result<void> counted = database_.Prepare("UPDATE entries SET retrievals = retrievals + ? WHERE id = ?")
                             .Int(static_cast<int64_t>(retrievals))
                             .Int(entry)
                             .Run();
  if (!counted) return counted;
  return database_
      .Prepare(
          "UPDATE name_spaces SET retrievals = retrievals + ?, retrieved_bytes = retrieved_bytes + ?,"
          " retrieved_tokens = retrieved_tokens + ?"
          " WHERE id = (SELECT name_space FROM sightings WHERE entry = ? ORDER BY id DESC LIMIT 1)")
      .Int(static_cast<int64_t>(retrievals))
      .Int(static_cast<int64_t>(bytes))
      .Int(static_cast<int64_t>(tokens))
      .Int(entry)
      .Run();
}

Result<StoreStats> Catalog::Totals(const std::optional<std::string>& name_space) {
  const char* sql =
      "SELECT sum(sightings), sum(retrievals), sum(retrieved_bytes), sum(retrieved_tokens), sum(original_bytes),"
      " sum(original_tokens), sum(shown_bytes), sum(shown_tokens) FROM name_spaces";
  if (name_space) {
    sql =
        "SELECT sum(sightings), sum(retrievals), sum(retrieved_bytes), sum(retrieved_tokens), sum(original_bytes),"
        " sum(original_tokens), sum(shown_bytes), sum(shown_tokens) FROM name_spaces WHERE key = ?";
  }
  Statement statement = database_.Prepare(sql);
  if (name_space) statement.Text(NameSpaceKey(*name_space));
  Result<bool> row = statement.Step();
  if (!row) return row.error();
  StoreStats stats;
  if (!*row) return stats;
  stats.sightings = CountAt(statement, 0);
  stats.retrievals = CountAt(statement, 1);
  stats.retrieved_bytes = CountAt(statement, 2);
  stats.retrieved_tokens = CountAt(statement, 3);
  stats.original_bytes = CountAt(statement, 4);
  stats.original_tokens = CountAt(statement, 5);
  stats.shown_bytes = CountAt(statement, 6);
  stats.shown_tokens = CountAt(statement, 7);
  return stats;
}

}  // namespace pith
