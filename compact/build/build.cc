// What a build or a check is read for: which diagnostics, where, under which rule, and how it ended. A thousand
// diagnostics are a few dozen kinds of them: the same rule and the same words at other places. So the first of each
// kind is shown as it stands, with its source while there is room; the others of its kind are named by their places
// right under it, with the quoted name in which they differ; what hides them is a gap with their lines. While there are
// few, each message that differs by a name only is shown too. Totals stand as printed, progress is counted.
//
// Kinds are formed over the whole original, not among neighbours: rule, and message with numbers and quoted names
// masked.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "compact/build/find.h"
#include "compact/kinds.h"

namespace pith {
namespace {

constexpr uint8_t kRankError = 224;
constexpr uint8_t kRankWarning = 204;
constexpr uint8_t kRankExcerpt = Rank::kUseful + 8;
constexpr uint8_t kRankSpare = 40;
constexpr uint64_t kLongLine = 400;
constexpr uint64_t kPlacesBytes = 24000;  // of places named under diagnostics, in all
constexpr uint64_t kPlacesLeast = 60;     // under one, however many there are
constexpr size_t kMostKinds = 4096;       // told apart; beyond, diagnostics keep their own lines
constexpr size_t kMostVariants =
    6;  // messages of one kind that are shown whole; the names in others say how they differ
constexpr uint32_t kExcerptLines = 7;

// Of the original's bytes, how much goes to source excerpts and notes, and to messages that differ by a name.
struct Share {
  uint64_t of, least, most;
  uint64_t In(uint64_t bytes) const { return std::clamp(bytes / of, least, most); }
};
constexpr Share kExcerpts = {16, 300, 3000};
constexpr Share kVariants = {8, 700, 4000};

class BuildPlan {
 public:
  explicit BuildPlan(const Document& document)
      : document_(document),
        plan_(document),
        found_(FindDiagnostics(document)),
        room_(kVariants.In(document.bytes.size())) {
    plan_.settled = found_.owned;
    plan_.long_line = kLongLine;
    listed_ = plan_.NounIndex("diagnostics", Signal::kWarning);
    repeated_ = plan_.NounIndex("repeated diagnostics", Signal::kFatal);
  }

  LinePlan Make() {
    RankRoles();
    GroupKinds();
    for (Severity severity : {Severity::kError, Severity::kWarning}) {
      for (const std::vector<uint32_t>& kind : kinds_) {
        if (found_.diagnostics[kind.front()].severity == severity) ShowKind(kind);
      }
    }
    NameAllPlaces();
    SpendOnExcerpts();
    std::stable_sort(plan_.notes.begin(), plan_.notes.end(),
                     [](const LineNote& a, const LineNote& b) { return a.line < b.line; });
    return std::move(plan_);
  }

 private:
  // The way of make through its folders, and targets that need nothing: progress, but for the folder in which a file is
  // that a diagnostic names.
  bool FollowMake(uint32_t line) {
    const std::string_view text = document_.Plain(line, scratch_).substr(0, 512);
    if (!Begins(text, "make") && !Begins(text, "gmake")) return false;
    const auto says = [&](std::string_view words) { return text.find(words) != std::string_view::npos; };
    if (says(": Entering directory ")) {
      open_folders_.push_back(line);
    } else if (says(": Leaving directory ")) {
      if (!open_folders_.empty()) open_folders_.pop_back();
    } else {
      return says(": Nothing to be done for ") || text.ends_with(" is up to date.");
    }
    folders_.push_back({line, open_folders_.empty() ? kNotALine : open_folders_.back()});
    return true;
  }

  // The line by which make entered the folder that `line` was printed in; kNotALine if it did not say.
  uint32_t FolderLine(uint32_t line) const {
    const auto after = std::partition_point(folders_.begin(), folders_.end(),
                                            [&](const std::pair<uint32_t, uint32_t>& at) { return at.first < line; });
    return after == folders_.begin() ? kNotALine : std::prev(after)->second;
  }

  void RankRoles() {
    uint8_t progress = plan_.NounIndex("progress lines");
    for (uint32_t line = 0; line < document_.line_count(); ++line) {
      if (found_.roles[line] == BuildRole::kTotals && FollowMake(line)) found_.roles[line] = BuildRole::kProgress;
      if (found_.roles[line] == BuildRole::kTotals) plan_.Raise(line, Rank::kVerdict);
      if (found_.roles[line] != BuildRole::kProgress) continue;
      plan_.noun[line] = progress;
      plan_.settled[line] = document_.signals[line] < Signal::kError;
    }
  }

  void GroupKinds() {
    std::unordered_map<uint64_t, size_t> index;
    for (uint32_t i = 0; i < found_.diagnostics.size(); ++i) {
      const Diagnostic& diagnostic = found_.diagnostics[i];
      auto [at, fresh] = index.try_emplace(diagnostic.kind ^ static_cast<uint64_t>(diagnostic.severity), kinds_.size());
      if (!fresh) {
        kinds_[at->second].push_back(i);
      } else if (kinds_.size() < kMostKinds) {
        kinds_.push_back({i});
      } else {
        index.erase(at);
        ShowHead(diagnostic);
      }
    }
  }

  // One message of a kind that is shown whole, and the places at which it stands too.
  struct Variant {
    const Diagnostic* first;
    std::vector<const Diagnostic*> others;
  };

  void ShowKind(const std::vector<uint32_t>& kind) {
    std::vector<Variant> variants;
    std::unordered_map<uint64_t, size_t> messages;
    std::unordered_set<uint64_t> named;
    for (uint32_t i : kind) {
      const Diagnostic& diagnostic = found_.diagnostics[i];
      if (!named.insert(diagnostic.same).second) {  // said before, word for word
        plan_.noun[diagnostic.line] = repeated_;
        continue;
      }
      auto [at, fresh] = messages.try_emplace(diagnostic.message, variants.size());
      uint64_t cost =
          document_.lines.Lines(diagnostic.line, std::max(diagnostic.message_last, diagnostic.line)).size() + 40;
      if (variants.empty() || (fresh && cost <= room_ && variants.size() < kMostVariants)) {
        if (!variants.empty()) room_ -= cost;
        at->second = variants.size();
        variants.push_back({&diagnostic, {}});
        ShowHead(diagnostic);
      } else {
        if (fresh) at->second = 0;
        variants[at->second].others.push_back(&diagnostic);
        plan_.noun[diagnostic.line] = listed_;
      }
    }
    for (Variant& variant : variants) variants_.push_back(std::move(variant));
    excerpts_.push_back(&found_.diagnostics[kind.front()]);
  }

  void ShowHead(const Diagnostic& diagnostic) {
    uint8_t rank = diagnostic.severity == Severity::kError ? kRankError : kRankWarning;
    for (uint32_t line = diagnostic.line; line <= diagnostic.message_last; ++line) plan_.Raise(line, rank);
    if (diagnostic.place_line != kNotALine) plan_.Raise(diagnostic.place_line, rank);
    const bool absolute = diagnostic.place.size() > 0 && document_.bytes[diagnostic.place.begin] == '/';
    const uint32_t folder_line = absolute ? kNotALine : FolderLine(diagnostic.line);
    for (uint32_t line : {diagnostic.file_line, diagnostic.detail_line, diagnostic.because_line, folder_line}) {
      if (line != kNotALine) plan_.Raise(line, rank);
    }
  }

  // A rule that is named on a line below, once.
  void ShowRule(const Diagnostic& diagnostic) {
    uint8_t rank = diagnostic.severity == Severity::kError ? kRankError : kRankWarning;
    if (diagnostic.code_line != kNotALine &&
        rules_.insert(std::hash<std::string_view>{}(document_.Bytes(diagnostic.code))).second) {
      plan_.Raise(diagnostic.code_line, rank);
    }
  }

  // The room for places is shared evenly: what those with few places leave goes to those with many, so that no message
  // is crowded out by another.
  void NameAllPlaces() {
    std::vector<std::pair<uint64_t, size_t>> needs;
    for (size_t i = 0; i < variants_.size(); ++i) needs.push_back({BytesOfPlaces(variants_[i]), i});
    std::sort(needs.begin(), needs.end());
    std::vector<uint64_t> shares(variants_.size());
    uint64_t room = kPlacesBytes;
    for (size_t i = 0; i < needs.size(); ++i) {
      uint64_t share = std::min(needs[i].first, std::max(room / (needs.size() - i), kPlacesLeast));
      shares[needs[i].second] = share;
      room -= std::min(room, share);
    }
    for (size_t i = 0; i < variants_.size(); ++i) {
      uint64_t spent = NamePlaces(variants_[i], shares[i]);
      if (spent == 0 || variants_[i].first->code.size() == 0) ShowRule(*variants_[i].first);
    }
  }

  uint64_t BytesOfPlaces(const Variant& variant) const {
    uint64_t bytes = 0;
    for (const Diagnostic* other : variant.others) bytes += other->place.size() + other->varying.size() + 4;
    return bytes;
  }

  // "[also at a.c:3:5, c:9:1 'name', and 3 more places: rule]", of spans of the original. Returns the bytes that it
  // takes.
  uint64_t NamePlaces(const Variant& variant, uint64_t room) {
    std::vector<Piece> pieces;
    std::vector<LineNote::Part> parts;
    uint64_t spent = 0, unsaid = 0;
    std::string_view file;
    uint32_t heading = variant.first->file_line;
    for (const Diagnostic* other : variant.others) {
      if (other->place.size() == 0) {
        ShowHead(*other);
        continue;
      }
      if (spent + other->place.size() + other->varying.size() > room) {
        ++unsaid;
        continue;
      }
      Say(pieces, spent == 0 ? "[also at " : ", ");
      const uint32_t place_line = other->place_line != kNotALine ? other->place_line : other->line;
      parts.push_back({place_line, pieces.size(), 0});
      if (other->file_line != kNotALine && other->file_line != heading) {
        heading = other->file_line;
        Show(pieces, TextSpan(heading));
        Say(pieces, ":");
        spent += document_.Text(heading).size() + 1;
      }
      Span place = WithoutFolder(other->place, file);
      Show(pieces, place);
      spent += place.size() + 2;
      bool differs = document_.Bytes(other->varying) != document_.Bytes(variant.first->varying);
      if (other->varying.size() > 0 && differs) {
        Say(pieces, " ");
        Show(pieces, other->varying);
        spent += other->varying.size() + 1;
      }
      parts.back().end = pieces.size();
    }
    if (spent == 0) return 0;
    if (unsaid > 0) Say(pieces, ", and " + std::to_string(unsaid) + (unsaid == 1 ? " more place" : " more places"));
    if (variant.first->code.size() > 0) {
      Say(pieces, ": ");
      Show(pieces, variant.first->code);
    }
    Say(pieces, "]");
    const Diagnostic& first = *variant.first;
    plan_.notes.push_back({first.place_line != kNotALine ? first.place_line : first.message_last, true,
                           std::move(pieces), std::move(parts)});
    return spent;
  }

  Span TextSpan(uint32_t line) const {
    const uint64_t begin = document_.lines.Line(line).begin;
    return {begin, begin + document_.Text(line).size()};
  }

  // A place in the file named just before goes without its folder.
  Span WithoutFolder(Span place, std::string_view& file) const {
    std::string_view text = document_.Bytes(place);
    std::string_view path = text.substr(0, text.find_last_not_of("0123456789:,()[] ") + 1);
    size_t folder = path.find_last_of("/\\");
    bool again = path == file && folder != std::string_view::npos;
    file = path;
    return again ? Span{place.begin + folder + 1, place.end} : place;
  }

  static void Say(std::vector<Piece>& pieces, std::string_view text) {
    pieces.push_back(Note(std::string(text)));
    pieces.back().glued = pieces.size() > 1;
  }

  static void Show(std::vector<Piece>& pieces, Span span) {
    pieces.push_back(Cite(span));
    pieces.back().glued = true;
  }

  // Source and notes of the first of each kind, in the order in which kinds are shown, until their share is spent.
  void SpendOnExcerpts() {
    uint64_t room = kExcerpts.In(document_.bytes.size());
    for (const Diagnostic* diagnostic : excerpts_) {
      bool open = true;
      for (uint32_t line = diagnostic->line + 1; line < diagnostic->end; ++line) {
        uint64_t cost = std::min<uint64_t>(document_.lines.Line(line).size(), kLongLine);
        open = open && line <= diagnostic->line + kExcerptLines && cost <= room;
        if (open) room -= cost;
        plan_.Raise(line, open ? kRankExcerpt : kRankSpare);
      }
    }
  }

  const Document& document_;
  LinePlan plan_;
  FoundDiagnostics found_;
  uint8_t listed_ = 0, repeated_ = 0;                   // nouns: of a kind that is shown, the same as one that is
  std::vector<Variant> variants_;                       // of all kinds, in the order in which they are shown
  uint64_t room_;                                       // for messages that differ from one shown by a name only
  std::vector<std::vector<uint32_t>> kinds_;            // indices of diagnostics, in order
  std::vector<const Diagnostic*> excerpts_;             // the first of each kind
  std::unordered_set<uint64_t> rules_;                  // that have been named on a line of their own
  std::vector<uint32_t> open_folders_;                  // lines by which make entered folders that it has not left
  std::vector<std::pair<uint32_t, uint32_t>> folders_;  // where that changes: a line, and the line that entered
  std::string scratch_;
};

constexpr uint32_t kSampledLines = 4000;

struct Sample {
  uint64_t lines = 0, placed = 0, bare = 0, unplaced = 0, totals = 0, progress = 0, packages = 0;
};

// The first and the last lines of a long original, all of a short one.
Sample SampleLines(const Document& document) {
  Sample sample;
  std::string scratch;
  bool awaits_place = false;  // esbuild: "✘ [ERROR] message", a blank line, the place
  for (uint32_t line = 0; line < document.line_count(); ++line) {
    if (line == kSampledLines / 2 && document.line_count() > kSampledLines)
      line = document.line_count() - kSampledLines / 2;
    std::string_view text = document.Plain(line, scratch);
    DiagnosticText read = ReadDiagnostic(text);
    BuildRole role = ReadBuildRole(text);
    sample.lines += !text.empty();
    sample.totals += role == BuildRole::kTotals;
    sample.progress += role == BuildRole::kProgress;
    sample.packages += text.starts_with("# ");
    const bool below = awaits_place && read.severity == Severity::kNone && read.message.empty();
    bool placed = read.arrow || (!read.place.empty() && (below || read.severity >= Severity::kWarning));
    if (!text.empty()) awaits_place = read.placed_below;
    sample.placed += placed;
    sample.unplaced += !placed && read.severity >= Severity::kWarning;
    sample.bare += read.severity == Severity::kNone && !read.arrow && !read.place.empty();
  }
  return sample;
}

}  // namespace

Evidence DetectBuild(const Document& document) {
  Sample sample = SampleLines(document);
  if (sample.packages > 0 && sample.bare >= 1 && (sample.bare + sample.packages) * 2 > sample.lines) {
    return {86, "places with messages under a package's name"};
  }
  if (sample.placed >= 3 && sample.totals > 0 && sample.placed * 40 >= sample.lines) {
    return {88, "diagnostics with places, and totals"};
  }
  if (sample.placed >= 2 && sample.totals > 0) return {74, "diagnostics with places, and totals"};
  if (sample.placed >= 3 && sample.placed * 20 >= sample.lines) return {68, "diagnostics with places"};
  if (sample.placed >= 1 && sample.totals + sample.progress > 0) return {56, "a diagnostic, and lines of a build"};
  if (sample.progress * 2 > sample.lines && sample.progress >= 4) return {46, "progress of a build"};
  if (sample.unplaced > 0 && sample.totals + sample.progress > 1) return {40, "errors and lines of a build"};
  if (sample.placed > 0) return {20, "a diagnostic"};
  return {};
}

std::unique_ptr<Shaper> ShapeBuild(const Document& document) {
  return ShapeLines(document, BuildPlan(document).Make());
}

}  // namespace pith
