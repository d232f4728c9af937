// Web pages. A page is mostly not text: of what a fetch brings back, a tenth is said to the reader. Shown are the
// title, every heading, paragraphs by their first sentences, list items, table rows with their cells side by side, and
// code; each text is quoted from the page where it stands. Tags, comments and the blanks between are shown as what they
// do to the text (a new line, "## ", " | "), which the first line of the view says; everything else that is left out,
// scripts and navigation too, is a gap with its address.
#include <algorithm>
#include <array>
#include <unordered_set>

#include "base/utf8.h"
#include "compact/kinds.h"
#include "compact/markup/html_blocks.h"
#include "compact/query.h"
#include "compact/templates.h"

namespace pith {
namespace {

using Type = HtmlBlock::Type;

constexpr std::string_view kNote = "[HTML as text; tags and attributes are not shown]";
constexpr uint64_t kGapCost = 28;
constexpr uint64_t kLongCode = 1200;  // bytes of a block of code that is shown whole while useful
constexpr uint64_t kLongRow = 600;
constexpr uint32_t kFirstRows = 4;
constexpr size_t kFaultBegins = 48;     // bytes of a block in which a fault that is one says so
constexpr uint64_t kFaultBytes = 2500;  // of all that are shown for it

class HtmlShaper : public Shaper {
 public:
  HtmlShaper(const Document& document, std::vector<HtmlBlock> blocks)
      : document_(document), blocks_(std::move(blocks)) {
    RankBlocks();
    for (size_t i = 0; i < blocks_.size(); ++i) bytes_of_rank_[rank_[i]] += blocks_[i].bytes + 2;
  }

  std::vector<Piece> Make(const Limit& limit) const override { return Emit(Choose(limit)); }

 private:
  void RankBlocks() {
    rank_.assign(blocks_.size(), Rank::kNoise);
    std::vector<std::string_view> texts;
    uint32_t paragraph = 0;
    for (size_t i = 0; i < blocks_.size(); ++i) {
      const HtmlBlock& block = blocks_[i];
      texts.push_back(document_.Bytes({block.segments.front().span.begin, block.segments.back().span.end}));
      if (block.type == Type::kHeading) paragraph = 0;
      rank_[i] = RankOf(block, paragraph);
      if (block.type == Type::kParagraph) ++paragraph;
    }
    RaiseFaults(texts);
    if (document_.hints.query.empty()) return;
    std::vector<double> scores = QueryScores(document_.hints.query, texts);
    double best = scores.empty() ? 0 : *std::max_element(scores.begin(), scores.end());
    for (size_t i = 0; i < scores.size(); ++i) {
      if (scores[i] > best / 3) rank_[i] = std::max<uint8_t>(rank_[i], Rank::kSignal);
    }
  }

  // A page speaks of errors without being one; a block that begins as a fault does tells of one: an error page, a
  // status page, a log between tags. Each distinct one once, within a bound.
  void RaiseFaults(const std::vector<std::string_view>& texts) {
    std::unordered_set<uint64_t> seen;
    uint64_t spent = 0;
    for (size_t i = 0; i < blocks_.size() && spent < kFaultBytes; ++i) {
      if (!blocks_[i].main || rank_[i] >= Rank::kSignal) continue;
      if (SignalOf(texts[i].substr(0, kFaultBegins)) < Signal::kError) continue;
      if (!seen.insert(TemplateHash(texts[i].substr(0, kFaultBytes))).second) continue;
      rank_[i] = Rank::kSignal;
      spent += blocks_[i].bytes;
    }
  }

  static uint8_t RankOf(const HtmlBlock& block, uint32_t paragraph) {
    if (block.type == Type::kTitle) return Rank::kVerdict;
    if (!block.main) return block.type == Type::kHeading ? Rank::kUseful : Rank::kFiller - 1;
    uint8_t early = static_cast<uint8_t>(24 - 4 * std::min<uint32_t>(paragraph, 5));
    switch (block.type) {
      case Type::kTitle:
      case Type::kHeading:
        return Rank::kSignal + 16;
      case Type::kParagraph:
        return static_cast<uint8_t>(Rank::kUseful + (block.continues ? early / 4 : early));
      case Type::kItem:
        return static_cast<uint8_t>(Rank::kUseful + (block.continues ? 2 : 12));
      case Type::kRow:
        return block.row < kFirstRows ? Rank::kUseful + 20 : Rank::kUseful + 10;
      case Type::kCode:
        return block.bytes <= kLongCode ? Rank::kUseful + 8 : Rank::kUseful + 1;
    }
    return Rank::kNoise;
  }

  std::vector<bool> Choose(const Limit& limit) const {
    std::vector<bool> shown(blocks_.size(), false);
    uint64_t spent = kNote.size();
    for (int rank = 255; rank >= (limit.fill ? Rank::kFiller - 1 : Rank::kUseful); --rank) {
      if (bytes_of_rank_[static_cast<size_t>(rank)] == 0) continue;
      uint64_t room = rank >= Rank::kSignal ? limit.hard : std::min(limit.soft, limit.hard);
      for (size_t i = 0; i < blocks_.size(); ++i) {
        if (rank_[i] != rank) continue;
        uint64_t cost = blocks_[i].bytes + 2 + kGapCost / 4;
        if (spent + cost > room) continue;
        spent += cost;
        shown[i] = true;
      }
    }
    if (limit.soft >= 1000) FillHoles(shown);
    return shown;
  }

  // Little that is hidden between two shown blocks costs no more than its gap.
  void FillHoles(std::vector<bool>& shown) const {
    for (size_t first = 0; first < blocks_.size();) {
      if (shown[first]) {
        ++first;
        continue;
      }
      size_t end = first;
      uint64_t bytes = 0;
      for (; end < blocks_.size() && !shown[end]; ++end)
        bytes += blocks_[end].main ? blocks_[end].bytes : kGapCost * 2 + 1;
      bool between = first > 0 && end < blocks_.size();
      if (between && bytes <= kGapCost * 2)
        std::fill(shown.begin() + static_cast<long>(first), shown.begin() + static_cast<long>(end), true);
      first = end;
    }
  }

  // --- emitting ---

  // Pieces in the making: where the next one begins and whether it stands at a line's start.
  struct Output {
    std::vector<Piece> pieces;
    uint64_t at = 0;
    bool line_start = true;

    void Add(Piece piece, bool ends_line) {
      piece.glued = !line_start;
      line_start = ends_line;
      pieces.push_back(std::move(piece));
    }
  };

  std::vector<Piece> Emit(const std::vector<bool>& shown) const {
    Output out;
    out.Add(Note(std::string(kNote)), true);
    for (size_t i = 0; i < blocks_.size(); ++i) {
      if (!shown[i] || blocks_[i].segments.front().span.begin < out.at) continue;
      bool follows = blocks_[i].continues && i > 0 && shown[i - 1];
      Between(blocks_[i].segments.front().span.begin, Opening(blocks_[i]), !follows, out);
      EmitBlock(blocks_[i], out);
    }
    Between(document_.bytes.size(), "", true, out);
    return std::move(out.pieces);
  }

  static std::string Opening(const HtmlBlock& block) {
    if (block.continues) return " ";
    if (block.type == Type::kHeading) return std::string(block.level, '#') + " ";
    return block.type == Type::kItem ? "- " : "";
  }

  // Owns the bytes up to `to`: markup as what stands for it, anything else as a gap.
  void Between(uint64_t to, const std::string& opening, bool new_line, Output& out) const {
    if (out.at >= to) {
      out.line_start = out.line_start || new_line;
      return;
    }
    uint64_t begin = out.at;
    Span span{begin, to};
    out.at = to;
    if (!IsMarkup(document_.Bytes(span))) {
      span.begin = LastMarkup(span);
      Piece gap = GapOfBytes({begin, span.begin});
      gap.glued = false;
      out.pieces.push_back(std::move(gap));
      new_line = true;
      if (span.size() == 0) {
        out.line_start = true;
        return;
      }
    }
    if (new_line) out.line_start = true;
    std::string text = out.line_start && opening == " " ? "" : opening;
    Piece fold = Fold(FoldForm::kMarkup, span, text);
    fold.glued = !out.line_start;
    if (!text.empty()) out.line_start = false;
    out.pieces.push_back(std::move(fold));
  }

  // Where the last tag of `span` begins, if it ends there: what stands before it is hidden, the tag opens what follows.
  uint64_t LastMarkup(Span span) const {
    std::string_view bytes = document_.Bytes(span);
    size_t open = bytes.rfind('<');
    bool tag = open != std::string_view::npos && IsMarkup(bytes.substr(open));
    return tag ? span.begin + open : span.end;
  }

  void EmitBlock(const HtmlBlock& block, Output& out) const {
    bool code = block.type == Type::kCode;
    uint64_t most = block.type == Type::kRow ? kLongRow : code ? kLongCode * 4 : 4000;
    uint64_t written = 0;
    for (const HtmlSegment& segment : block.segments) {
      if (segment.span.begin < out.at || written > most) continue;  // what is left over becomes part of the next gap
      if (segment.span.begin > out.at) {
        Span gap{out.at, segment.span.begin};
        bool touches = document_.Bytes(gap).find_first_of(" \t\r\n") == std::string_view::npos || !BlankBetween(gap);
        std::string_view text = segment.cell ? " | " : code || touches ? "" : " ";
        Between(segment.span.begin, std::string(text), false, out);
      }
      EmitText(segment.span, code, out);
      written += segment.span.size();
    }
  }

  // Whether blanks stand between tags here, so that words on both sides are apart.
  bool BlankBetween(Span span) const {
    std::string_view bytes = document_.Bytes(span);
    bool tag = false;
    for (char c : bytes) {
      if (c == '<')
        tag = true;
      else if (c == '>')
        tag = false;
      else if (!tag && (c == ' ' || c == '\n' || c == '\t' || c == '\r'))
        return true;
    }
    return false;
  }

  // A text: quotes, its entities as characters, its runs of blanks as one.
  void EmitText(Span span, bool code, Output& out) const {
    uint64_t from = span.begin;
    auto quote = [&](uint64_t to) {
      if (from >= to) return;
      bool ends_line = document_.bytes[to - 1] == '\n';
      out.Add(Quote({from, to}), ends_line);
      from = to;
    };
    for (uint64_t at = span.begin; at < span.end;) {
      char c = document_.bytes[at];
      if (c == '&') {
        std::string_view rest = document_.bytes.substr(at, std::min<uint64_t>(12, span.end - at));
        size_t semicolon = rest.find(';');
        std::string text = semicolon == std::string_view::npos ? "" : DecodeEntity(rest.substr(0, semicolon + 1));
        if (!text.empty()) {
          quote(at);
          out.Add(Fold(FoldForm::kMarkup, {at, at + semicolon + 1}, std::move(text)), false);
          from = at += semicolon + 1;
          continue;
        }
      } else if (!code && (c == ' ' || c == '\n' || c == '\t' || c == '\r')) {
        uint64_t end = at;
        while (end < span.end && std::string_view(" \n\t\r").find(document_.bytes[end]) != std::string_view::npos)
          ++end;
        if (end - at > 1 || c != ' ') {
          quote(at);
          out.Add(Fold(FoldForm::kMarkup, {at, end}, out.line_start ? "" : " "), false);
          if (out.pieces.back().text.empty()) out.line_start = true;
          from = end;
        }
        at = end;
        continue;
      }
      ++at;
    }
    quote(span.end);
    out.at = span.end;
  }

  const Document& document_;
  std::vector<HtmlBlock> blocks_;
  std::vector<uint8_t> rank_;
  std::array<uint64_t, 256> bytes_of_rank_{};
};

}  // namespace

Evidence DetectHtml(const Document& document) {
  std::string_view head = document.bytes.substr(0, 2000);
  size_t start = head.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (start == std::string_view::npos) return {};
  std::string lower(head.substr(start));
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  if (lower.starts_with("<!doctype html")) return {97, "its document type"};
  if (lower.starts_with("<html")) return {96, "an html element"};
  if (lower.starts_with("<?xml") && lower.find("<html") != std::string::npos) return {95, "an html element"};
  if (!lower.starts_with('<')) return {};
  int tags = 0;
  for (std::string_view tag : {"<div", "<p>", "<p ", "<body", "<head>", "<span", "<table", "<a href", "<ul", "<h1",
                               "<h2", "<script", "<article", "<main"}) {
    tags += lower.find(tag) != std::string::npos;
  }
  if (tags >= 3) return {70, "elements of a page"};
  return {};
}

std::unique_ptr<Shaper> ShapeHtml(const Document& document) {
  std::optional<std::vector<HtmlBlock>> blocks = ReadHtml(document);
  if (!blocks || blocks->empty()) return ShapeText(document);
  return std::make_unique<HtmlShaper>(document, std::move(*blocks));
}

}  // namespace pith
