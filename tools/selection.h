// What a Selector leaves of an original, as parts in order: spans of the original as they are, and our own bytes where
// a pattern puts line numbers in front or separate values need a newline between them.
#pragma once
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/stop.h"
#include "compact/document.h"
#include "tools/selector.h"

namespace pith {

class Selection {
 public:
  Selection(Selection&&) = default;
  Selection& operator=(Selection&&) = default;

  // `original` is borrowed for the life of the selection. Errors: kInvalid (bad pattern, bad json_path, the original is
  // no JSON, lines and bytes together), kTooLarge, kCancelled (once `stop`, borrowed for the call, says so).
  static Result<Selection> Make(std::string_view original, const Selector& selector, const StopAsked* stop = nullptr);

  uint64_t size() const { return size_; }
  uint64_t original_lines() const { return original_lines_; }
  // Bytes from `offset`, at most `limit`.
  std::string Page(uint64_t offset, uint64_t limit) const;
  // Where in the original the byte at `offset` of the selection stands; nothing where it is a byte of our own.
  std::optional<uint64_t> OriginalOffset(uint64_t offset) const;
  // True where the bytes are spans of the original and nothing else.
  bool verbatim() const { return owned_.empty(); }
  // Why nothing, or less than was asked for, was selected; empty when there is nothing to say.
  const std::string& note() const { return note_; }

 private:
  Selection() = default;
  Result<std::vector<Span>> FindJson(std::string_view original, const std::string& path, const StopAsked* stop);
  void KeepLines(const LineIndex& index, const Selector& selector, std::vector<Span>& spans);
  void KeepBytes(std::string_view original, ByteRange bytes, std::vector<Span>& spans);
  Result<void> Grep(std::string_view original, const LineIndex& index, const Selector& selector,
                    const std::vector<Span>& spans, const StopAsked* stop);
  void Append(std::string_view part);
  void AppendOwned(std::string text);

  std::string_view original_;
  std::vector<std::string_view> parts_;
  std::deque<std::string> owned_;
  uint64_t size_ = 0;
  uint64_t original_lines_ = 0;
  std::string note_;
};

}  // namespace pith
