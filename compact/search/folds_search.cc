// Paths are most of what a search prints, and most of each path is that of the line before. Three things are said once:
// the folder of a stretch of paths, the folder beneath it of a run of names, and a file name that many folders hold.
// Names stand side by side, since in tokens a blank is free and a new line is not. The order of the lines is kept, so
// the text decodes to them byte for byte; measured on lists of a few hundred files it takes a third of their tokens.
#include "compact/search/folds_search.h"

#include <algorithm>

namespace pith {
namespace {

constexpr size_t kLineWidth = 240;  // bytes after which a line of entries is broken
constexpr size_t kSameNames = 4;    // neighbours of one file name that are worth a template of their own
constexpr size_t kHeadingCost = 6;  // bytes that a heading costs beside its text, in tokens' worth
constexpr std::string_view kCountTail = " (# matches)";

bool IsSlash(char c) { return c == '/' || c == '\\'; }

// Length of the longest common beginning that ends in a slash.
size_t CommonFolder(std::string_view a, std::string_view b) {
  size_t length = 0, slash = 0, limit = std::min(a.size(), b.size());
  while (length < limit && a[length] == b[length]) {
    ++length;
    if (IsSlash(a[length - 1])) slash = length;
  }
  return slash;
}

std::string_view NameOf(std::string_view path) { return path.substr(FolderOf(path).size()); }

// Entries first..last (exclusive) of a list, written.
class ListWriter {
 public:
  explicit ListWriter(const std::vector<PathEntry>& entries) : entries_(entries) {}

  // Stretches of one file name in many folders apart from the rest.
  std::string Write() {
    const size_t end = entries_.size();
    size_t mixed = 0;
    for (size_t at = 0; at < end;) {
      size_t same = at + 1;
      std::string_view name = NameOf(entries_[at].path);
      while (same < end && NameOf(entries_[same].path) == name && FolderOf(entries_[same].path).size() > 1) ++same;
      if (same - at >= kSameNames && FolderOf(entries_[at].path).size() > 1) {
        WriteMixed(mixed, at);
        WriteSameName(at, same);
        mixed = same;
      }
      at = same;
    }
    WriteMixed(mixed, end);
    return std::move(out_);
  }

 private:
  void WriteSameName(size_t first, size_t end) {
    std::vector<std::string_view> parents;  // the folder that holds the folder of each
    for (size_t i = first; i < end; ++i) {
      std::string_view folder = FolderOf(entries_[i].path);
      parents.push_back(FolderOf(folder.substr(0, folder.size() - 1)));
    }
    size_t tail = NameOf(entries_[first].path).size() + 1;
    for (const RootStretch& root : ShareRoots(parents, tail + kHeadingCost)) {
      std::string_view path = entries_[first + root.first].path;
      std::string heading(path.substr(0, root.length));
      heading += '*';
      heading += path.substr(path.size() - tail);
      Heading(heading);
      for (size_t i = first + root.first; i <= first + root.last; ++i) {
        std::string_view folder = entries_[i].path;
        Item(folder.substr(root.length, folder.size() - tail - root.length), i, "", " ");
      }
    }
  }

  void WriteMixed(size_t first, size_t end) {
    std::vector<size_t> starts;  // of runs of entries in one folder
    std::vector<std::string_view> folders;
    for (size_t i = first; i < end; ++i) {
      std::string_view folder = FolderOf(entries_[i].path);
      if (!folders.empty() && folders.back() == folder) continue;
      folders.push_back(folder);
      starts.push_back(i);
    }
    starts.push_back(end);
    for (const RootStretch& root : ShareRoots(folders, kHeadingCost)) {
      Heading(std::string(folders[root.first].substr(0, root.length)));
      for (size_t run = root.first; run <= root.last; ++run) WriteRun(starts[run], starts[run + 1], root.length);
    }
  }

  void WriteRun(size_t first, size_t end, size_t root) {
    std::string_view folder = FolderOf(entries_[first].path).substr(root);
    bool apart = end - first > 1 && !folder.empty();
    if (apart || width_ == kFresh || folder.empty() || after_folder_) NewLine(" ");
    after_folder_ = apart;
    if (apart) {
      out_ += folder;
      width_ += folder.size();
    }
    for (size_t i = first; i < end; ++i) {
      Item(entries_[i].path.substr(apart ? root + folder.size() : root), i, apart ? " " : "", apart ? "  " : " ");
    }
  }

  // The first one of a list says how counts are printed. One that says what the last did is not written again.
  void Heading(std::string text) {
    bool first = out_.empty();
    width_ = kFresh;
    after_folder_ = false;
    if (!first && text == heading_) return;
    heading_ = text;
    bool counted = first && entries_.front().counted;
    if (!first) out_ += '\n';
    if (text.find('*') == std::string::npos && (counted || text.empty())) text += '*';
    if (counted) text += kCountTail;
    out_ += text;
  }

  void NewLine(std::string_view indent) {
    out_ += '\n';
    out_ += indent;
    width_ = 0;
    item_first_ = true;
  }

  void Item(std::string_view text, size_t entry, std::string_view lead, std::string_view indent) {
    if (width_ == kFresh) {
      NewLine(" ");
    } else if (width_ + text.size() > kLineWidth && width_ > 0) {
      NewLine(indent);
    } else if (!item_first_ || !lead.empty()) {
      out_ += ' ';
    }
    item_first_ = false;
    out_ += text;
    width_ += text.size() + 1;
    if (entries_[entry].counted) {
      out_ += ':';
      out_ += entries_[entry].count;
    }
  }

  static constexpr size_t kFresh = static_cast<size_t>(-1);
  const std::vector<PathEntry>& entries_;
  std::string out_;
  std::string heading_;  // the last that was written, without what the first says of counts
  size_t width_ = kFresh;
  bool item_first_ = true;
  bool after_folder_ = false;  // the line at hand began with a folder
};

// What a heading of a list says: entry = before + item + after, with the count in place of '#'.
struct Template {
  std::string_view before, after;
  bool counted = false;  // said by the first heading, holds for all
};

void ReadTemplate(std::string_view heading, Template& form) {
  size_t star = heading.find('*');
  form.before = heading.substr(0, star);
  form.after = star == std::string_view::npos ? std::string_view() : heading.substr(star + 1);
  if (form.after.ends_with(kCountTail)) {
    form.counted = true;
    form.after.remove_suffix(kCountTail.size());
  }
}

bool AppendEntry(const Template& form, std::string_view folder, std::string_view item, std::string& out) {
  std::string_view count;
  if (form.counted) {
    size_t colon = item.rfind(':');
    if (colon == std::string_view::npos) return false;
    count = item.substr(colon + 1);
    item = item.substr(0, colon);
  }
  if (!out.empty()) out += '\n';
  out.append(form.before).append(folder).append(item).append(form.after);
  if (form.counted) out.append(" (").append(count).append(" matches)");
  return true;
}

bool HeadingMatches(const Document& document, const Piece& piece) {
  std::string_view text = piece.text;
  if (text.starts_with(' ')) text.remove_prefix(1);
  auto owns = [&](Span span) {
    std::string_view bytes = document.Bytes(span);
    if (!bytes.starts_with(text)) return false;
    if (bytes.size() == text.size()) return true;
    if (bytes.size() != text.size() + 1) return false;
    return SeparatorIsImplied(document, span.end - 1);
  };
  return !text.empty() && owns(piece.span) && std::all_of(piece.more.begin(), piece.more.end(), owns);
}

}  // namespace

bool SeparatorIsImplied(const Document& document, uint64_t separator) {
  uint64_t at = separator + 1;
  while (at < document.bytes.size() && document.bytes[at] >= '0' && document.bytes[at] <= '9') ++at;
  bool number = at > separator + 1 && at < document.bytes.size();
  return document.bytes[separator] == (number && document.bytes[at] == '-' ? '-' : ':');
}

std::string_view FolderOf(std::string_view path) {
  size_t slash = path.find_last_of("/\\");
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash + 1);
}

bool FitsPathList(const PathEntry& entry) {
  if (entry.path.empty() || IsSlash(entry.path.back()) || entry.path.find("//") != std::string_view::npos) return false;
  if (entry.counted && (entry.count.empty() || entry.count.find_first_not_of("0123456789") != std::string_view::npos))
    return false;
  return std::all_of(entry.path.begin(), entry.path.end(), [](char c) {
    unsigned char byte = static_cast<unsigned char>(c);
    return byte > 0x20 && byte != 0x7f && c != '*' && c != '#';
  });
}

std::string WritePathList(const std::vector<PathEntry>& entries) { return ListWriter(entries).Write(); }

std::optional<std::string> ReadPathList(std::string_view text) {
  std::string out;
  Template form;
  bool headed = false;
  std::string_view folder;
  while (!text.empty()) {
    size_t newline = text.find('\n');
    std::string_view line = text.substr(0, newline);
    text = newline == std::string_view::npos ? std::string_view() : text.substr(newline + 1);
    if (!line.starts_with(' ')) {
      ReadTemplate(line, form);
      headed = true;
      folder = {};
      continue;
    }
    if (!headed) return std::nullopt;
    line.remove_prefix(1);
    if (line.starts_with(' ')) {
      line.remove_prefix(1);
    } else {
      size_t blank = line.find(' ');
      std::string_view first = line.substr(0, blank);
      folder = {};
      if (blank != std::string_view::npos && !first.empty() && IsSlash(first.back())) {
        folder = first;
        line.remove_prefix(blank + 1);
      }
    }
    while (true) {
      size_t blank = line.find(' ');
      if (!AppendEntry(form, folder, line.substr(0, blank), out)) return std::nullopt;
      if (blank == std::string_view::npos) break;
      line.remove_prefix(blank + 1);
    }
  }
  return headed ? std::optional(out) : std::nullopt;
}

// Greedy: a folder joins the stretch while what the stretch saves does not fall, counting what it could save by
// starting a new one with its own successor.
std::vector<RootStretch> ShareRoots(const std::vector<std::string_view>& folders, size_t heading_cost) {
  std::vector<RootStretch> stretches;
  for (size_t i = 0; i < folders.size(); ++i) {
    if (!stretches.empty()) {
      RootStretch& open = stretches.back();
      size_t count = open.last - open.first + 1;
      size_t shared = std::min(open.length, CommonFolder(folders[open.first], folders[i]));
      if (count == 1) shared = CommonFolder(folders[open.first], folders[i]);
      size_t ahead = i + 1 < folders.size() ? CommonFolder(folders[i], folders[i + 1]) : 0;
      size_t apart = (count == 1 ? 0 : (count - 1) * open.length) + (ahead > shared ? ahead : 0);
      if (count * shared + heading_cost >= apart) {
        open.last = i;
        open.length = shared;
        continue;
      }
    }
    stretches.push_back({i, i, folders[i].size()});
  }
  return stretches;
}

bool SearchFoldMatches(const Document& document, const Piece& piece) {
  if (piece.text.find('\n') == std::string::npos) return HeadingMatches(document, piece);
  std::optional<std::string> lines = ReadPathList(piece.text);
  if (!lines) return false;
  std::string owned(document.Bytes(piece.span));
  for (Span span : piece.more) owned += document.Bytes(span);
  if (owned.ends_with('\n')) owned.pop_back();
  return *lines == owned;
}

}  // namespace pith
