// Which matches are shown. Everything, while it fits the soft limit. Above it, files take turns: the best match of each
// (one that defines something, one that the reader asked for, else the first), then the second, until the space is
// spent. What is left out still costs its place, since gaps name files and line numbers; these give way only when the
// places alone exceed the hard limit.
#include "compact/search/choice.h"

#include <algorithm>
#include <array>

#include "compact/begins.h"
#include "compact/query.h"

namespace pith {
namespace {

using Type = SearchLine::Type;

constexpr uint64_t kGapCost = 36;           // bytes of a gap line without its detail
constexpr uint64_t kCutSlack = 60;          // bytes by which a body may exceed its width before it is cut
constexpr uint64_t kSmallHole = 40;         // hidden bytes that cost no more when shown
constexpr uint64_t kReserve = 300;          // bytes kept for gaps
constexpr uint64_t kComplaintsCost = 1600;  // bytes of a block of complaints, most of them counted
constexpr uint32_t kRounds = 1024;

constexpr auto kDefining =
    TextTable("def", "class", "fn", "func", "function", "struct", "enum", "trait", "interface", "impl", "type",
              "#define", "typedef", "module", "namespace", "macro_rules!", "record", "protocol", "sub");
constexpr auto kModifiers =
    TextTable("pub", "public", "private", "protected", "static", "export", "default", "async", "abstract", "final",
              "inline", "virtual", "internal", "sealed", "open", "data", "unsafe", "const");

bool EndsWord(char c) { return c == ' ' || c == '\t' || c == '(' || c == '<' || c == ':'; }

template <size_t N>
bool IsOneOf(const std::array<std::string_view, N>& words, std::string_view word) {
  for (std::string_view one : words) {
    if (one.size() == word.size() && Begins(word, one)) return true;
  }
  return false;
}

std::string_view FirstWord(std::string_view& text) {
  const size_t start = BlanksEnd(text);
  size_t end = start;
  while (end < text.size() && !EndsWord(text[end])) ++end;
  const std::string_view word = text.substr(start, end - start);
  text = text.substr(end);
  return word;
}

// Whether a matched line defines something rather than mentions it.
bool Defines(std::string_view body) {
  body = body.substr(0, 200);
  for (int skipped = 0; skipped < 4; ++skipped) {
    std::string_view word = FirstWord(body);
    if (IsOneOf(kDefining, word)) return true;
    const bool modifier = IsOneOf(kModifiers, word);
    if (word == "pub" && body.starts_with('(')) body = body.substr(std::min(body.size(), body.find(')') + 1));
    if (!modifier) return false;
  }
  return false;
}

}  // namespace

SearchResults::SearchResults(const Document& original)
    : document(original), text(ReadSearch(original, 0, original.line_count() - 1)), blocks(BlocksOf(original, text)) {
  for (const SearchBlock& block : blocks) {
    if (block.type == SearchBlock::Type::kList) lists.emplace_back(document, text, block.first, block.last);
  }
}

SearchChooser::SearchChooser(const SearchResults& results) : results_(results) { OrderRounds(); }

uint64_t SearchChooser::PathCost(const SearchBlock& block) const { return block.heading ? 0 : block.path.size() + 1; }

uint64_t SearchChooser::LineCost(uint32_t line, uint64_t width) const {
  uint64_t size = results_.document.lines.Line(line).size() -
                  (results_.text.lines[line].path ? results_.text.lines[line].path + 1ull : 0);
  return width != UINT64_MAX && size > width + kCutSlack ? width + 40 : size;
}

uint64_t SearchChooser::PlaceCost(const SearchBlock& block, bool numbers) const {
  uint64_t cost = PathCost(block) / 2 + 8;
  if (!numbers) return cost;
  for (uint32_t line = block.first; line <= block.last; ++line)
    cost += results_.text.lines[line].type == Type::kMatch ? 4 : 0;
  return cost;
}

uint64_t SearchChooser::ListCost() const {
  uint64_t cost = 0;
  for (const SearchList& list : results_.lists) cost += list.full_size();
  return cost;
}

SearchChoice SearchChooser::Choose(const Limit& limit) const {
  SearchChoice choice;
  choice.shown.assign(results_.document.line_count(), true);
  choice.rooms.assign(results_.blocks.size(), UINT64_MAX);
  uint64_t lists = ListCost(), groups = 0, others = 0;
  for (const SearchBlock& block : results_.blocks) {
    if (block.type == SearchBlock::Type::kGroup) {
      groups += PathCost(block);
      for (uint32_t line = block.first; line <= block.last; ++line) groups += LineCost(line, UINT64_MAX);
    } else if (block.type == SearchBlock::Type::kOther) {
      others += results_.document.lines.Lines(block.first, block.last).size();
    } else if (block.type == SearchBlock::Type::kComplaints) {
      others += 400;
    }
  }
  if (groups + others <= limit.soft && lists + groups + others <= limit.hard) return choice;
  uint64_t spent = ChooseOthers(limit.soft / 3, choice);
  spent += ShareRooms(limit.hard - std::min(limit.hard, spent + kReserve), choice);
  ChooseMatches(limit, spent, choice);
  return choice;
}

// Complaints and lists, in order, while there is room: a list that does not fit is shown in part. Gives the bytes
// spent.
uint64_t SearchChooser::ShareRooms(uint64_t room, SearchChoice& choice) const {
  uint64_t spent = 0;
  size_t list = 0;
  for (size_t i = 0; i < results_.blocks.size(); ++i) {
    const SearchBlock& block = results_.blocks[i];
    uint64_t cost = 0, least = 0;
    if (block.type == SearchBlock::Type::kList) {
      cost = results_.lists[list++].full_size();
      least = std::min<uint64_t>(cost, 300);
    } else if (block.type == SearchBlock::Type::kComplaints) {
      cost = least = std::min<uint64_t>(results_.document.lines.Lines(block.first, block.last).size(), kComplaintsCost);
    } else {
      continue;
    }
    uint64_t left = room > spent ? room - spent : 0;
    choice.rooms[i] = left < least + kGapCost ? 0 : std::min(cost, left);
    spent += choice.rooms[i];
  }
  return spent;
}

// The tool's own words: the first and the last ones, up to `room` bytes. Gives the bytes spent.
uint64_t SearchChooser::ChooseOthers(uint64_t room, SearchChoice& choice) const {
  std::vector<uint32_t> lines;
  for (const SearchBlock& block : results_.blocks) {
    if (block.type != SearchBlock::Type::kOther) continue;
    for (uint32_t line = block.first; line <= block.last; ++line) lines.push_back(line);
  }
  uint64_t spent = 0;
  auto take = [&](uint32_t line, uint64_t most) {
    uint64_t cost = LineCost(line, kOtherWidth);
    if (choice.shown[line] || spent + cost > most) return;
    choice.shown[line] = true;
    spent += cost;
  };
  for (uint32_t line : lines) choice.shown[line] = false;
  for (uint32_t line : lines) {
    if (results_.document.signals[line] >= Signal::kError) take(line, room / 2);
  }
  size_t tail = std::min<size_t>(lines.size(), 12);
  for (size_t i = lines.size(); i-- > lines.size() - tail;) take(lines[i], room * 3 / 4);
  for (size_t i = 0; i + tail < lines.size(); ++i) take(lines[i], room);
  return spent;
}

void SearchChooser::ChooseMatches(const Limit& limit, uint64_t spent, SearchChoice& choice) const {
  uint64_t places = 0, bare = 0, matches = 0;
  for (const SearchBlock& block : results_.blocks) {
    if (block.type != SearchBlock::Type::kGroup) continue;
    places += PlaceCost(block, true);
    bare += PlaceCost(block, false);
    for (uint32_t line = block.first; line <= block.last; ++line) {
      choice.shown[line] = false;
      matches += results_.text.lines[line].type == Type::kMatch;
    }
  }
  if (matches == 0) return;
  choice.numbers = spent + places <= limit.hard / 4 * 3;
  choice.files = choice.numbers || spent + bare <= limit.hard / 4 * 3;
  uint64_t told = choice.numbers ? places : choice.files ? bare : 0;
  // Places may take what they need, but bodies keep two fifths of the soft limit.
  uint64_t room = std::min(limit.hard, std::max(limit.soft, spent + told + limit.soft * 2 / 5));
  uint64_t bodies = room > spent + told ? room - spent - told : 0;
  choice.width = std::clamp<uint64_t>(bodies / matches, 120, 400);
  TakeTurns(bodies, choice);
  FillHoles(choice);
}

// Round by round over all files, while there is room; context lines last.
void SearchChooser::TakeTurns(uint64_t room, SearchChoice& choice) const {
  std::vector<bool> opened(results_.blocks.size(), false);
  uint64_t spent = 0;
  for (const auto& [line, block] : turns_) {
    uint64_t cost = LineCost(line, choice.width);
    if (!opened[block])
      cost += PathCost(results_.blocks[block]) / 2 +
              (results_.blocks[block].last > results_.blocks[block].first ? kGapCost : 0);
    if (spent + cost > room) continue;
    spent += cost;
    opened[block] = choice.shown[line] = true;
  }
  for (size_t i = 0; i < results_.blocks.size(); ++i) {
    if (opened[i] && results_.blocks[i].heading) choice.shown[results_.blocks[i].first] = true;
  }
}

// A hole between shown lines of a group that would cost as much as its gap is filled.
void SearchChooser::FillHoles(SearchChoice& choice) const {
  for (const SearchBlock& block : results_.blocks) {
    if (block.type != SearchBlock::Type::kGroup) continue;
    bool any = false;
    for (uint32_t line = block.first; line <= block.last; ++line) any = any || choice.shown[line];
    if (!any) continue;
    for (uint32_t line = block.first; line <= block.last;) {
      if (choice.shown[line]) {
        ++line;
        continue;
      }
      uint32_t end = line;
      uint64_t bytes = 0;
      for (; end <= block.last && !choice.shown[end]; ++end) bytes += LineCost(end, choice.width);
      if (bytes <= kSmallHole) std::fill(choice.shown.begin() + line, choice.shown.begin() + end, true);
      line = end;
    }
  }
}

// The order in which lines are taken: wanted ones, other matches, context; by turn within their file, then as they
// stand.
void SearchChooser::OrderRounds() {
  std::vector<std::vector<std::pair<uint32_t, uint32_t>>> rounds(3 * kRounds);  // wanted, other, context
  std::vector<bool> wanted = Wanted();
  for (uint32_t b = 0; b < results_.blocks.size(); ++b) {
    const SearchBlock& block = results_.blocks[b];
    if (block.type != SearchBlock::Type::kGroup) continue;
    uint32_t turn = 0, context = 0;
    for (bool first : {true, false}) {
      for (uint32_t line = block.first; line <= block.last; ++line) {
        if (results_.text.lines[line].type == Type::kMatch && wanted[line] == first) {
          rounds[(first ? 0 : kRounds) + std::min(turn++, kRounds - 1)].emplace_back(line, b);
        } else if (first && results_.text.lines[line].type == Type::kContext) {
          rounds[2 * kRounds + std::min(context++, kRounds - 1)].emplace_back(line, b);
        }
      }
    }
  }
  for (auto& round : rounds) turns_.insert(turns_.end(), round.begin(), round.end());
}

// Matches that go before the others of their file.
std::vector<bool> SearchChooser::Wanted() const {
  const Document& document = results_.document;
  const bool asked = !document.hints.query.empty();
  std::vector<bool> wanted(document.line_count(), false);
  std::vector<std::string_view> bodies(asked ? document.line_count() : 0);
  for (uint32_t line = 0; line < document.line_count(); ++line) {
    if (results_.text.lines[line].type != Type::kMatch) continue;
    const std::string_view body = document.Text(line).substr(results_.text.lines[line].body);
    wanted[line] = Defines(body);
    if (asked) bodies[line] = body;
  }
  if (!asked) return wanted;
  const std::vector<double> scores = QueryScores(document.hints.query, bodies);
  for (uint32_t line = 0; line < document.line_count(); ++line) {
    if (scores[line] > 0) wanted[line] = true;
  }
  return wanted;
}

}  // namespace pith
