// Check, repair and another key. Export and import are in archive.cc.
#include "store/maintenance.h"

#include <algorithm>
#include <set>

#include "base/clock.h"
#include "base/token.h"
#include "base/units.h"
#include "store/access.h"
#include "store/local_store.h"
#include "store/tiers.h"

namespace pith {
namespace {

constexpr uint64_t kMostSentences = 100;

Result<std::unique_ptr<Cipher>> CipherOf(const std::string& key) {
  if (key.empty()) return std::unique_ptr<Cipher>();
  return Cipher::FromSecret(key);
}

}  // namespace

// Every entry in turn, in the order of ids, each with its body or why it has none.
Result<void> LocalStore::Walk(
    const std::function<Result<bool>(const EntryRow& row, FrameSource* body, const Error* fault)>& visit) {
  int64_t last = 0;
  while (true) {
    Result<bool> more = Reading<bool>([&](Lease& lease) -> Result<bool> {
      int64_t id = 0;
      {
        Statement next = lease.database->Prepare("SELECT id FROM entries WHERE id > ? ORDER BY id LIMIT 1");
        Result<bool> row = next.Int(last).Step();
        if (!row) return row;
        if (!*row) return false;
        id = next.IntAt(0);
      }
      Result<std::optional<EntryRow>> row = lease.catalog->FindId(id);
      if (!row) return row.error();
      last = id;
      if (!*row) return true;
      Result<std::unique_ptr<FrameSource>> body = bodies_.Open(*lease.database, **row);
      return body ? visit(**row, body->get(), nullptr) : visit(**row, nullptr, &body.error());
    });
    if (!more) return more.error();
    if (!*more) return {};
  }
}

Result<void> LocalStore::WalkInbox(
    const std::function<void(const std::string& token, const Result<void>& whole)>& visit) {
  if (!connections_.on_disk()) return {};
  Result<std::vector<InboxSighting>> waiting = inbox_.Waiting("");
  if (!waiting) return waiting.error();
  std::set<std::string> tokens;
  for (const InboxSighting& one : *waiting) tokens.insert(one.token);
  for (const std::string& token : tokens) {
    Result<std::unique_ptr<FrameSource>> body = inbox_.Open(token);
    visit(token, body ? VerifyBody(**body) : Result<void>(body.error()));
  }
  return {};
}

Result<void> LocalStore::CheckStructure() {
  if (!HasDatabase()) return {};
  Result<bool> sound = Reading<bool>([](Lease& lease) -> Result<bool> {
    Statement check = lease.database->Prepare("PRAGMA quick_check(1)");
    Result<bool> row = check.Step();
    if (!row) return row;
    std::string said = *row ? check.TextAt(0) : "ok";
    if (said != "ok") return Error{Cause::kDamaged, "the database's structure is damaged: " + said};
    return true;
  });
  if (!sound) return sound.error();
  return {};
}

Result<void> LocalStore::Forget(std::string_view token, Cause cause) {
  Removal removal;
  Result<bool> done = Writing<bool>([&](Lease& lease) -> Result<bool> {
    removal = {};
    Transaction transaction(*lease.database);
    if (!transaction.begun()) return transaction.begun().error();
    Result<std::optional<EntryRow>> row = lease.catalog->FindToken(token);
    if (!row) return row.error();
    if (!*row) return true;
    Result<void> gone = RemoveRow(lease, **row, cause, TheClock().WallMs(), &removal);
    if (!gone) return gone.error();
    if (Result<void> committed = transaction.Commit(); !committed) return committed.error();
    return true;
  });
  if (!done) return done.error();
  RemoveFiles(removal);
  return {};
}

// Names of namespaces to this store's key, from the one of `other`. Tombstones' command lines, which are under that
// too, go.
Result<void> LocalStore::RenewNames(const LocalStore& other) {
  Result<bool> done = Writing<bool>([&](Lease& lease) -> Result<bool> {
    Transaction transaction(*lease.database);
    if (!transaction.begun()) return transaction.begun().error();
    Result<void> renamed = lease.catalog->RenameNameSpaces(Catalog(*lease.database, other.cipher_));
    if (!renamed) return renamed.error();
    Result<void> blank = lease.database->Execute("UPDATE tombstones SET command = '', tool = ''");
    if (!blank) return blank.error();
    if (Result<void> committed = transaction.Commit(); !committed) return committed.error();
    return true;
  });
  if (!done) return done.error();
  return {};
}

Result<CheckOutcome> CheckStore(const StoreOptions& given, bool repair) {
  StoreOptions options = given;
  Result<std::string> folder = StoreFolder(options.folder);
  if (!folder) return folder.error();
  options.folder = *folder;
  Result<std::unique_ptr<Cipher>> cipher = CipherOf(options.key);
  if (!cipher) return cipher.error();
  if (Result<void> fits = CheckFolder(options.folder); !fits) return fits.error();
  if (Result<KeyMark> mark = CheckKey(options.folder, cipher->get()); !mark) return mark.error();
  LocalStore store(options, cipher->get());
  CheckOutcome outcome;
  const auto say = [&](const std::string& sentence) {
    std::vector<std::string>& said = outcome.sentences;
    if (std::find(said.begin(), said.end(), sentence) == said.end()) said.push_back(sentence);
  };
  const auto count = [&](const std::string& token, const Result<void>& whole) {
    ++outcome.checked;
    outcome.whole += whole.ok();
    if (whole) return;
    if (whole.error().cause == Cause::kDamaged && !token.empty()) outcome.damaged.push_back(token);
    if (outcome.sentences.size() < kMostSentences) say(whole.error().sentence);
  };
  (void)store.FoldIn(10000).ok();
  if (Result<void> sound = store.CheckStructure(); !sound && sound.error().cause != Cause::kNotFound) {
    say(sound.error().sentence);
    if (repair && sound.error().cause == Cause::kDamaged) {
      if (Result<void> recovered = store.Recover(); !recovered) return recovered.error();
    }
  }
  Result<void> walked = store.Walk([&](const EntryRow& row, FrameSource* body, const Error* fault) -> Result<bool> {
    count(row.token(), body != nullptr ? VerifyBody(*body) : Result<void>(*fault));
    return true;
  });
  if (!walked && walked.error().cause != Cause::kNotFound) say(walked.error().sentence);
  // A repair folds in: what is damaged there has been set aside, and what still waits is not removed.
  const auto count_waiting = [&](const std::string& token, const Result<void>& whole) {
    count(repair ? std::string() : token, whole);
  };
  if (Result<void> waiting = store.WalkInbox(count_waiting); !waiting) say(waiting.error().sentence);
  for (const std::string& notice : store.TakeNotices()) say(notice);
  if (!repair) return outcome;
  for (const std::string& token : outcome.damaged) {
    if (Result<void> gone = store.Forget(token, Cause::kDamaged); !gone) return gone.error();
    ++outcome.removed;
  }
  return outcome;
}

// The rows of one original, its body and its texts, from the key they are under to the one of `other`.
Result<bool> LocalStore::MoveToKey(int64_t id, const LocalStore& other) {
  Removal removal;
  NewBody body;
  Result<bool> done = Writing<bool>([&](Lease& lease) -> Result<bool> {
    removal = {};
    Catalog renewed(*lease.database, other.cipher_);
    Transaction transaction(*lease.database);
    if (!transaction.begun()) return transaction.begun().error();
    Result<std::optional<EntryRow>> row = lease.catalog->FindId(id);
    if (!row) return row.error();
    if (!*row) return false;
    Result<std::unique_ptr<FrameSource>> source = bodies_.Open(*lease.database, **row);
    if (!source) return source.error();
    Result<std::string> bytes = ReadRange(**source, {});
    if (!bytes) return bytes.error();
    Result<NewBody> prepared = other.bodies_.Prepare(*bytes, (*row)->facts.digest);
    if (!prepared) return prepared.error();
    body = prepared.Take();
    removal.rows.push_back(**row);
    if (Result<void> gone = bodies_.Remove(*lease.database, **row); !gone) return gone.error();
    EntryRow fresh = **row;
    fresh.facts = body.facts;
    fresh.file = body.file;
    if (Result<void> updated = renewed.UpdateBody(fresh); !updated) return updated.error();
    if (Result<void> put = other.bodies_.Insert(*lease.database, id, body); !put) return put.error();
    Result<std::vector<SightingRow>> sightings = lease.catalog->SightingsOf(id, INT64_MAX);
    if (!sightings) return sightings.error();
    for (const SightingRow& sighting : *sightings) {
      if (Result<void> again = renewed.RewriteTexts(sighting); !again) return again.error();
    }
    if (Result<void> committed = transaction.Commit(); !committed) return committed.error();
    return true;
  });
  if (!done) other.bodies_.Discard(body);
  if (done) RemoveFiles(removal);
  return done;
}

Result<RekeyOutcome> RekeyStore(const StoreOptions& given, const std::string& key) {
  StoreOptions options = given;
  Result<std::string> folder = StoreFolder(options.folder);
  if (!folder) return folder.error();
  options.folder = *folder;
  if (options.key == key) options.key.clear();  // it is configured already: what is to be moved is what is plain
  Result<std::unique_ptr<Cipher>> old_cipher = CipherOf(options.key);
  if (!old_cipher) return old_cipher.error();
  Result<std::unique_ptr<Cipher>> new_cipher = CipherOf(key);
  if (!new_cipher) return new_cipher.error();
  LocalStore store(options, old_cipher->get());
  LocalStore renewed(options, new_cipher->get());
  RekeyOutcome outcome;
  const bool synced = options.durability == Durability::kPower;
  if (Result<void> fits = CheckFolder(options.folder); !fits) return fits.error();
  // Stopped half way, the store says the new key already.
  const Result<KeyMark> reached = CheckKey(options.folder, new_cipher->get());
  const bool goes_on = reached && *reached == KeyMark::kFits;
  if (Result<KeyMark> mark = CheckKey(options.folder, old_cipher->get()); !mark && !goes_on) {
    return Error{mark.error().cause, mark.error().sentence + "; nothing was changed"};
  }
  if (Result<uint64_t> folded = (goes_on ? renewed : store).FoldIn(10000); !folded) return folded.error();
  KeyId target = *new_cipher != nullptr ? (*new_cipher)->key_id() : KeyId{};
  KeyId source = *old_cipher != nullptr ? (*old_cipher)->key_id() : KeyId{};
  std::vector<int64_t> ids;
  uint64_t of_others = 0;
  Result<void> walked = store.Walk([&](const EntryRow& row, FrameSource* body, const Error*) -> Result<bool> {
    if (row.facts.key_id != target && row.facts.key_id != source) ++of_others;
    if (body != nullptr && row.facts.key_id != target)
      ids.push_back(row.id);
    else if (row.facts.key_id != target)
      ++outcome.skipped;
    return true;
  });
  if (!walked && walked.error().cause != Cause::kNotFound) return walked.error();
  if (of_others > 0) {
    return Error{Cause::kDenied, "encrypted with another key than the one given: " + CountText(of_others, "original") +
                                     "; nothing was changed"};
  }
  // From here on nobody writes under the old key any more.
  if (Result<void> said = SetKey(options.folder, new_cipher->get(), synced); !said) return said.error();
  if (!walked) return outcome;
  for (int64_t id : ids) {
    Result<bool> moved = store.MoveToKey(id, renewed);
    if (!moved && moved.error().cause != Cause::kDamaged) return moved.error();
    ++(moved && *moved ? outcome.originals : outcome.skipped);
  }
  if (Result<void> named = renewed.RenewNames(store); !named) return named.error();
  if (Result<void> scrubbed = renewed.Scrub(); !scrubbed) return scrubbed.error();
  return outcome;
}

}  // namespace pith
