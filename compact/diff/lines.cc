#include "compact/diff/lines.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "compact/begins.h"
#include "compact/diff/other_forms.h"

namespace pith {
namespace {

constexpr size_t kMostParents = 8;     // of a combined diff
constexpr size_t kMostRead = 1 << 20;  // bytes of a line around patches

bool ReadCount(std::string_view text, size_t& at, uint64_t& number) {
  size_t start = at;
  number = 0;
  while (at < text.size() && text[at] >= '0' && text[at] <= '9' && at - start < 12) {
    number = number * 10 + static_cast<uint64_t>(text[at++] - '0');
  }
  return at > start;
}

// What is left of the hunk at hand.
struct Hunk {
  size_t parents = 0;  // 0: no hunk
  std::array<uint64_t, kMostParents> old_left{};
  uint64_t new_left = 0;

  bool Open() const {
    if (parents == 0) return false;
    return new_left > 0 || std::any_of(old_left.begin(), old_left.begin() + parents, [](uint64_t n) { return n > 0; });
  }
};

// "@@ -1,3 +1,4 @@", "@@@ -1,3 -1,3 +1,4 @@@", svn's "## -0,0 +1 ##" of properties.
bool ReadHunk(std::string_view line, Hunk& hunk) {
  hunk = {};
  if (!Begins(line, "@@") && !Begins(line, "## -")) return false;
  char mark = line[0];
  size_t marks = line.find_first_not_of(mark);
  if (marks == std::string_view::npos || marks < 2 || marks > kMostParents + 1) return false;
  size_t at = marks;
  hunk.parents = marks - 1;
  for (size_t side = 0; side <= hunk.parents; ++side) {
    bool last = side == hunk.parents;
    uint64_t start = 0, count = 1;
    if (at + 2 > line.size() || line[at] != ' ' || line[at + 1] != (last ? '+' : '-')) return hunk.parents = 0, false;
    at += 2;
    if (!ReadCount(line, at, start)) return hunk.parents = 0, false;
    if (at < line.size() && line[at] == ',') {
      ++at;
      if (!ReadCount(line, at, count)) return hunk.parents = 0, false;
    }
    (last ? hunk.new_left : hunk.old_left[side]) = count;
  }
  std::string_view rest = line.substr(at);
  if (!rest.starts_with(' ') || rest.size() < marks + 1 ||
      rest.substr(1, marks).find_first_not_of(mark) != std::string_view::npos) {
    return hunk.parents = 0, false;
  }
  return true;
}

std::string_view WithoutSide(std::string_view path) {
  if (path.starts_with('"')) path.remove_prefix(1);
  if (Begins(path, "a/") || Begins(path, "b/") || Begins(path, "i/") || Begins(path, "w/")) path.remove_prefix(2);
  if (path.ends_with('"')) path.remove_suffix(1);
  return path;
}

constexpr auto kFileOpenings = TextTable("diff --git ", "diff --cc ", "diff --combined ", "Index: ", "diff -");
constexpr auto kModeOpenings =
    TextTable("old mode", "new mode", "deleted file", "new file", "copy ", "rename ", "dissimilarity", "Binary files",
              "GIT binary patch", "literal ", "delta ", "Cannot display", "svn:", "Property ",
              "Added:", "Modified:", "Deleted:", "___", "mode change");

class Reader {
 public:
  Reader(const Document& document, uint32_t count) : document_(document) { text_.lines.resize(count); }

  DiffText Read() {
    const std::span<const uint32_t> starts = document_.lines.starts();
    const auto count = static_cast<uint32_t>(text_.lines.size());
    for (line_ = 0; line_ < count; ++line_) {
      const char mark = document_.bytes[starts[line_]];
      text_.lines[line_] = OfTwoSides(mark) ? BodyOfTwo(mark) : Next(document_.Text(line_));
    }
    return std::move(text_);
  }

 private:
  DiffLine Next(std::string_view line) {
    if (hunk_.Open()) {
      if (!marks_words_.value_or(false) && InHunk(line)) return Body(line);
      const bool ends = Begins(line, "@@ ") || Begins(line, "diff --git ");
      if (!ends && hunk_.parents == 1 && MarksWords()) return BodyOfWords(line);
      hunk_ = {};
    }
    if (in_file_ && Begins(line, "\\ ")) return after_hunk_;
    if (std::optional<DiffLine> read = InOtherForm(line)) return *read;
    if (ReadHunk(line, hunk_)) {
      if (!in_file_) return hunk_ = {}, DiffLine::kMessage;
      ++text_.hunks;
      ++text_.files.back().hunks;
      return DiffLine::kHunk;
    }
    return Outside(line);
  }

  bool InHunk(std::string_view line) const {
    if (line.empty() || line.starts_with('\\')) return true;
    return line[0] == ' ' || line[0] == '+' || line[0] == '-' || line[0] == '\t';
  }

  // Whether a line that begins with `mark` goes on in a hunk of the two sides that nearly all patches have, told by
  // this byte alone: of "\\ No newline" and of a line of CR LF more is to be seen.
  bool OfTwoSides(char mark) const {
    const bool open =
        hunk_.parents == 1 && !marks_words_.value_or(false) && (hunk_.new_left > 0 || hunk_.old_left[0] > 0);
    return open && (mark == ' ' || mark == '+' || mark == '-' || mark == '\t' || mark == '\n');
  }

  // What Body says of such a line.
  DiffLine BodyOfTwo(char mark) {
    const bool added = mark == '+', removed = mark == '-';
    uint64_t& old_left = hunk_.old_left[0];
    old_left -= !added && old_left > 0;
    hunk_.new_left -= !removed && hunk_.new_left > 0;
    DiffFile& file = text_.files.back();
    file.removed += removed;
    file.added += added;
    return after_hunk_ = removed ? DiffLine::kRemoved : added ? DiffLine::kAdded : DiffLine::kContext;
  }

  // -- patches whose lines bear no marks, since single words do: `git diff --word-diff`, `--color-words`

  // Told by the first line of a hunk that cannot be one of an ordinary patch.
  bool MarksWords() {
    constexpr size_t kLooked = 1 << 16;
    if (marks_words_) return *marks_words_;
    const uint64_t begin = document_.lines.Line(line_).begin;
    const std::string_view text = document_.bytes.substr(begin, kLooked);
    const auto has = [](std::string_view in, std::string_view open, std::string_view close) {
      const size_t at = in.find(open);
      return at != std::string_view::npos && in.find(close, at) != std::string_view::npos;
    };
    marks_words_ = has(text, "[-", "-]") || has(text, "{+", "+}");
    if (!*marks_words_ && document_.plain.differs()) {
      const std::string_view coloured = document_.plain.original().substr(document_.plain.InOriginal(begin), kLooked);
      text_.by_colour = IsColoured(coloured, kRed) || IsColoured(coloured, kGreen);
      marks_words_ = text_.by_colour;
    }
    return *marks_words_;
  }

  static constexpr std::string_view kRed[] = {"\x1b[31m", "\x1b[1;31m"}, kGreen[] = {"\x1b[32m", "\x1b[1;32m"};
  static bool IsColoured(std::string_view text, std::span<const std::string_view> colour) {
    return std::any_of(colour.begin(), colour.end(),
                       [text](std::string_view one) { return text.find(one) != std::string_view::npos; });
  }

  // The line at hand with its colours, those before its first letter too.
  std::string_view Coloured() const {
    const Span line = document_.lines.Line(line_);
    if (!document_.plain.differs()) return document_.Bytes(line);
    const uint64_t begin = line.begin == 0 ? 0 : document_.plain.InOriginal(line.begin - 1) + 1;
    return document_.plain.original().substr(begin, document_.plain.InOriginal(line.end - 1) + 1 - begin);
  }

  // A line of one side alone is all in its marks; one that is miscounted ends the hunk early, and what is left of it is
  // shown as text around patches is.
  DiffLine BodyOfWords(std::string_view line) {
    const std::string_view coloured = Coloured();
    const bool removed = line.find("[-") != std::string_view::npos || IsColoured(coloured, kRed);
    const bool added = line.find("{+") != std::string_view::npos || IsColoured(coloured, kGreen);
    const std::string_view said = line.substr(BlanksEnd(line));
    const bool added_alone = !removed && said.starts_with("{+") && said.ends_with("+}");
    const bool removed_alone = !added && said.starts_with("[-") && said.ends_with("-]");
    uint64_t& old_left = hunk_.old_left[0];
    old_left -= !added_alone && old_left > 0;
    hunk_.new_left -= !removed_alone && hunk_.new_left > 0;
    if (!removed && !added) return after_hunk_ = DiffLine::kContext;
    return Change(added ? DiffLine::kAdded : DiffLine::kRemoved);
  }

  DiffLine Body(std::string_view line) {
    if (line.starts_with('\\')) return after_hunk_;
    bool removed = false, added = false;
    for (size_t side = 0; side < hunk_.parents; ++side) {
      char mark = side < line.size() ? line[side] : ' ';
      removed = removed || mark == '-';
      added = added || mark == '+';
      if (mark != '+' && hunk_.old_left[side] > 0) --hunk_.old_left[side];
    }
    if (!removed && hunk_.new_left > 0) --hunk_.new_left;
    DiffFile& file = text_.files.back();
    file.removed += removed;
    file.added += added && !removed;
    return after_hunk_ = removed ? DiffLine::kRemoved : added ? DiffLine::kAdded : DiffLine::kContext;
  }

  // Lines of the normal and the context form (other_forms.h); nothing for all others.
  std::optional<DiffLine> InOtherForm(std::string_view line) {
    if (line.empty()) return std::nullopt;
    switch (line[0]) {
      case '<':
        return OfNormal(line, DiffLine::kRemoved, normal_.old_left);
      case '>':
        return OfNormal(line, DiffLine::kAdded, normal_.new_left);
      case ' ':
      case '!':
      case '+':
        return OfContextPart(line);
      case '-':
        if (line == "---" && normal_.divided && normal_.old_left == 0) return DiffLine::kContext;
        if (in_context_ && ReadContextPart(line, '-', part_left_)) return in_new_part_ = true, DiffLine::kHunk;
        return OfContextPart(line);
      case '*':
        return OfContextHead(line);
      default:
        return BeginsNormal(line) ? std::optional(DiffLine::kHunk) : std::nullopt;
    }
  }

  bool NextBegins(std::string_view start) const {
    return line_ + 1 < document_.line_count() && Begins(document_.Text(line_ + 1), start);
  }

  // A hunk without a file around it, of two files that diff was given, makes one.
  bool BeginsNormal(std::string_view line) {
    NormalHunk hunk;
    if (!ReadNormalHunk(line, hunk) || !NextBegins(hunk.old_left > 0 ? "<" : ">")) return false;
    normal_ = hunk;
    in_context_ = false;
    CountHunk();
    return true;
  }

  void CountHunk() {
    if (!in_file_) Begin("");
    ++text_.hunks;
    ++text_.files.back().hunks;
  }

  std::optional<DiffLine> OfNormal(std::string_view line, DiffLine side, uint64_t& left) {
    if (left == 0 || !in_file_ || (line.size() > 1 && line[1] != ' ' && line[1] != '\t')) return std::nullopt;
    --left;
    return Change(side);
  }

  DiffLine Change(DiffLine side) {
    DiffFile& file = text_.files.back();
    ++(side == DiffLine::kRemoved ? file.removed : file.added);
    return after_hunk_ = side;
  }

  // "*** a/x  date" over "--- b/x  date", the rule over a hunk, the range of its first part.
  std::optional<DiffLine> OfContextHead(std::string_view line) {
    if (in_context_ && line == "***************") {
      CountHunk();
      part_left_ = 0;
      return DiffLine::kHunk;
    }
    if (in_context_ && ReadContextPart(line, '*', part_left_)) return in_new_part_ = false, DiffLine::kHunk;
    if (!Begins(line, "*** ") || !NextBegins("--- ")) return std::nullopt;
    const bool headed = in_file_ && text_.files.back().hunks == 0;
    const std::string_view path = document_.Text(line_ + 1).substr(4);
    if (!headed) Begin(path.substr(0, path.find('\t')));
    in_context_ = true;
    normal_ = {};
    return headed ? DiffLine::kPaths : DiffLine::kFile;
  }

  std::optional<DiffLine> OfContextPart(std::string_view line) {
    if (in_context_ && part_left_ == 0 && text_.files.back().hunks == 0 && Begins(line, "--- "))
      return DiffLine::kPaths;
    if (!in_context_ || part_left_ == 0 || line.size() < 2 || line[1] != ' ') return std::nullopt;
    --part_left_;
    if (line[0] == ' ') return after_hunk_ = DiffLine::kContext;
    return Change(in_new_part_ ? DiffLine::kAdded : DiffLine::kRemoved);
  }

  DiffLine Outside(std::string_view line) {
    for (std::string_view opening : kFileOpenings) {
      if (!Begins(line, opening)) continue;
      std::string_view path = line.substr(opening.size());
      size_t second = path.rfind(opening == "diff --git " ? " b/" : " ");
      if (second != std::string_view::npos) path.remove_prefix(second + 1);
      return Begin(path);
    }
    if (Begins(line, "--- ") && line_ + 1 < document_.line_count() && Begins(document_.Text(line_ + 1), "+++ ")) {
      bool headed = in_file_ && text_.files.back().hunks == 0;
      return headed ? DiffLine::kPaths : Begin(line.substr(4, line.find('\t') - 4));
    }
    if (!in_file_) return DiffLine::kMessage;
    if (Begins(line, "+++ ")) {
      std::string_view path = WithoutSide(line.substr(4, line.find('\t') - 4));
      if (path != "/dev/null") text_.files.back().path = path;
      return DiffLine::kPaths;
    }
    if (Begins(line, "index ") || Begins(line, "=====") || Begins(line, "similarity index")) return DiffLine::kPaths;
    for (std::string_view opening : kModeOpenings) {
      if (Begins(line, opening)) return DiffLine::kMode;
    }
    if (Begins(line, "Submodule ") || Begins(line, "commit ") || Begins(line, "From ") || line == "-- ")
      in_file_ = false;
    if (line.empty() || !in_file_) return DiffLine::kMessage;
    return text_.files.back().hunks == 0 ? DiffLine::kMode : DiffLine::kMessage;
  }

  DiffLine Begin(std::string_view path) {
    in_file_ = true;
    in_context_ = false;
    normal_ = {};
    DiffFile file;
    file.first = line_;
    file.path = WithoutSide(path);
    text_.files.push_back(file);
    return DiffLine::kFile;
  }

  const Document& document_;
  DiffText text_;
  uint32_t line_ = 0;
  bool in_file_ = false;
  Hunk hunk_;
  std::optional<bool> marks_words_;  // of lines without marks of their own; once it was asked
  NormalHunk normal_;
  bool in_context_ = false, in_new_part_ = false;  // of the context form: its file, its second part
  uint64_t part_left_ = 0;                         // lines that the part may still have
  DiffLine after_hunk_ = DiffLine::kContext;       // what "\ No newline at end of file" belongs to
};

struct GeneratedRow {
  std::string_view ending, what;
};

// Endings of paths, after a slash or at the start where they begin with '/'.
constexpr GeneratedRow kGenerated[] = {
    {".lock", "lock file"},
    {"-lock.json", "lock file"},
    {"-lock.yaml", "lock file"},
    {".lockb", "lock file"},
    {"/go.sum", "lock file"},
    {"/npm-shrinkwrap.json", "lock file"},
    {"/Package.resolved", "lock file"},
    {".lock.json", "lock file"},
    {".lockfile", "lock file"},
    {".min.js", "minified file"},
    {".min.css", "minified file"},
    {".min.mjs", "minified file"},
    {".map", "generated file"},
    {".pb.go", "generated file"},
    {".pb.cc", "generated file"},
    {".pb.h", "generated file"},
    {"_pb2.py", "generated file"},
    {"_pb2_grpc.py", "generated file"},
    {".g.dart", "generated file"},
    {".freezed.dart", "generated file"},
    {".designer.cs", "generated file"},
    {".snap", "generated file"},
    {".generated.ts", "generated file"},
    {".generated.go", "generated file"},
    {".generated.cs", "generated file"},
};

}  // namespace

DiffText ReadDiff(const Document& document, uint32_t count) { return Reader(document, count).Read(); }

void ReadPatchSignals(Document& document) {
  const DiffText text = ReadDiff(document, document.line_count());
  if (text.files.empty()) return document.ReadSignals();
  for (uint32_t line = 0; line < document.line_count(); ++line) {
    const bool around = text.lines[line] == DiffLine::kMessage;
    document.signals[line] = around ? SignalOf(document.Text(line).substr(0, kMostRead)) : Signal::kNone;
  }
}

std::string_view GeneratedFile(std::string_view path) {
  for (const GeneratedRow& row : kGenerated) {
    std::string_view ending = row.ending;
    if (Ends(path, ending)) return row.what;
    if (ending.starts_with('/') && path == ending.substr(1)) return row.what;
  }
  return "";
}

}  // namespace pith
