// `pith store ACTION`: what is done to the whole store at a person's request. One table of actions says what each is
// called and what runs it.
#include "store/maintenance.h"

#include "base/units.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/session.h"
#include "tools/view_json.h"

namespace pith::cli {
namespace {

constexpr OptionRow kOptions[] = {
    {"ACTION", "", "what to do", Complete::kChoices, "check|repair|export|import|rekey", true},
    {"FILE", "", "the tar to write or to read; - is standard output or input", Complete::kFile},
    {"--project", "DIR", "export what was seen in the project that DIR is in", Complete::kFolder},
    {"--new-key-file", "FILE", "rekey to the key in FILE (mode 0600)", Complete::kFile},
    {"--no-key", "", "rekey to no key: kept unencrypted from then on"},
    kJsonRow,
};

std::string JsonTexts(const std::vector<std::string>& texts) {
  std::string array = "[";
  for (const std::string& text : texts) {
    if (array.size() > 1) array += ',';
    AppendJsonString(array, text);
  }
  return array + "]";
}

// What went wrong with parts of the whole: said, and the whole has failed.
int Said(const std::vector<std::string>& sentences, int code) {
  SayNotices(sentences);
  return code != kDone ? code : sentences.empty() ? kDone : kFailed;
}

int Examine(const Arguments& arguments, const StoreOptions& options, bool repair) {
  Result<CheckOutcome> outcome = CheckStore(options, repair);
  if (!outcome.ok()) return Fail(outcome.error());
  bool json = arguments.Has("--json");
  std::string text = std::to_string(outcome->whole) + " of " + CountText(outcome->checked, "original") +
                     (outcome->checked == 1 ? " is whole" : " are whole");
  if (repair) text += ", damaged and removed: " + std::to_string(outcome->removed);
  if (json) {
    text = "{\"checked\":" + std::to_string(outcome->checked) + ",\"whole\":" + std::to_string(outcome->whole) +
           ",\"damaged\":" + JsonTexts(outcome->damaged) + ",\"removed\":" + std::to_string(outcome->removed) +
           ",\"notes\":" + JsonTexts(outcome->sentences) + "}";
  }
  int printed = Print(text + "\n");
  SayNotices(outcome->sentences);
  // What was damaged and is removed now is repaired; what could not even be read is not.
  bool sound = outcome->whole + outcome->removed == outcome->checked && (repair || outcome->sentences.empty());
  return printed != kDone || sound ? printed : kFailed;
}

int Check(const Arguments& arguments, const StoreOptions& options) { return Examine(arguments, options, false); }
int Repair(const Arguments& arguments, const StoreOptions& options) { return Examine(arguments, options, true); }

std::string ArchiveText(const ArchiveOutcome& outcome, std::string_view done, bool json) {
  if (json) {
    return "{\"originals\":" + std::to_string(outcome.originals) + ",\"bytes\":" + std::to_string(outcome.bytes) +
           ",\"skipped\":" + std::to_string(outcome.skipped) + ",\"notes\":" + JsonTexts(outcome.sentences) + "}\n";
  }
  std::string text =
      std::string(done) + " " + CountText(outcome.originals, "original") + " (" + BytesText(outcome.bytes) + ")";
  if (outcome.skipped > 0) text += ", skipped: " + std::to_string(outcome.skipped);
  return text + "\n";
}

int Export(const Arguments& arguments, const StoreOptions& options) {
  std::string path = arguments.TextOr("FILE", "");
  if (path.empty()) {
    Complain("store export: name the FILE to write, or - for standard output");
    return kWrongUse;
  }
  bool standard = path == "-";
  std::unique_ptr<File> file;
  if (!standard) {
    Result<std::unique_ptr<File>> opened = Files().Open(path, OpenMode::kCreateNew);
    if (!opened.ok()) return Fail(Error{Cause::kIo, opened.error().sentence});
    file = opened.Take();
  }
  std::optional<std::string> project;
  if (arguments.Has("--project")) project = NamespaceOfFolder(*arguments.Text("--project"));
  Result<ArchiveOutcome> outcome = ExportStore(options, project, [&](std::string_view bytes) -> Result<void> {
    if (!standard) return file->Write(bytes);
    if (Print(bytes) == kDone && !ReaderGone()) return {};
    return Error{Cause::kIo, "the export was cut short"};
  });
  if (!outcome.ok()) {
    if (!standard) (void)Files().Unlink(path).ok();
    return Fail(outcome.error());
  }
  std::string text = ArchiveText(*outcome, "exported", arguments.Has("--json"));
  if (standard) Warn(text);
  return Said(outcome->sentences, standard ? kDone : Print(text));
}

int Import(const Arguments& arguments, const StoreOptions& options) {
  std::string path = arguments.TextOr("FILE", "");
  if (path.empty()) {
    Complain("store import: name the FILE to read, or - for standard input");
    return kWrongUse;
  }
  Result<std::unique_ptr<File>> file = Files().Open(path == "-" ? "/dev/stdin" : path, OpenMode::kRead);
  if (!file.ok()) return Fail(Error{Cause::kIo, file.error().sentence});
  Result<ArchiveOutcome> outcome = ImportStore(options, **file);
  if (!outcome.ok()) return Fail(outcome.error());
  return Said(outcome->sentences, Print(ArchiveText(*outcome, "imported", arguments.Has("--json"))));
}

int Rekey(const Arguments& arguments, const StoreOptions& options) {
  std::optional<std::string_view> path = arguments.Text("--new-key-file");
  if (path.has_value() == arguments.Has("--no-key")) {
    Complain("store rekey: give --new-key-file FILE, or --no-key");
    return kWrongUse;
  }
  std::string key;
  if (path) {
    Result<std::string> read = ReadKeyFile(std::string(*path));
    if (!read.ok()) return Fail(read.error());
    key = read.Take();
  }
  Result<RekeyOutcome> outcome = RekeyStore(options, key);
  if (!outcome.ok()) return Fail(outcome.error());
  std::string moved = std::to_string(outcome->originals), skipped = std::to_string(outcome->skipped);
  int code = kDone;
  if (arguments.Has("--json")) {
    code = Print("{\"originals\":" + moved + ",\"skipped\":" + skipped + "}\n");
  } else {
    code = Print(CountText(outcome->originals, "original") + " moved to " + (key.empty() ? "no key" : "the new key") +
                 (outcome->skipped > 0 ? ", damaged and left: " + skipped : "") + "; now give the configuration " +
                 (key.empty() ? "none" : "that one (key_file)") + "\n");
  }
  return code != kDone || outcome->skipped == 0 ? code : kFailed;
}

struct Action {
  std::string_view name;
  int (*run)(const Arguments& arguments, const StoreOptions& options);
};
constexpr Action kActions[] = {
    {"check", &Check}, {"repair", &Repair}, {"export", &Export}, {"import", &Import}, {"rekey", &Rekey}};

int Run(const Invocation& invocation) {
  std::string name = invocation.arguments.TextOr("ACTION", "");
  for (const Action& action : kActions) {
    if (action.name != name) continue;
    std::optional<StoreOptions> options = StoreOnDisk();
    return options ? action.run(invocation.arguments, *options) : kFailed;
  }
  return kWrongUse;
}

}  // namespace

extern const CommandRow kStore;
const CommandRow kStore = {
    "store",
    "check|repair|export FILE|import FILE|rekey [OPTIONS]",
    "check, repair, move and re-encrypt the whole store",
    "check reads every original and compares it with its hash; exit code 1 if anything is damaged or cannot be read. "
    "repair sets a damaged database aside, saves what can be read, and removes damaged originals, so that they are "
    "said "
    "to be gone.\n\n"
    "export writes a plain tar (manifest.jsonl, then originals/SHA256; not encrypted), import reads one: what does not "
    "hash to its name is skipped and said. With - it goes over a pipe: pith store export - | ssh HOST pith store "
    "import "
    "-.\n\n"
    "rekey moves every original from the configured key (or none) to another, one at a time; stopped, it goes on when "
    "called again. With a wrong key it changes nothing. Give the new key to the configuration afterwards.",
    kOptions,
    &Run};

}  // namespace pith::cli
