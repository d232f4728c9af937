// Written by hand for its speed on contents of many megabytes: runs that need no escape are appended whole.
#include "tools/view_json.h"

#include <array>

#include "base/utf8.h"

namespace pith {
namespace {

constexpr std::string_view kHex = "0123456789abcdef";

bool NeedsEscape(unsigned char c) { return c < 0x20 || c == '"' || c == '\\'; }

void AppendEscape(std::string& out, char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  out += "\\u00";
  out += kHex[static_cast<unsigned char>(c) >> 4];
  out += kHex[c & 15];
}

void AppendValid(std::string& out, std::string_view text) {
  size_t run = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if (!NeedsEscape(static_cast<unsigned char>(text[at]))) continue;
    out.append(text, run, at - run);
    AppendEscape(out, text[at]);
    run = at + 1;
  }
  out.append(text, run, text.size() - run);
}

void AppendNumber(std::string& out, std::string_view name, uint64_t value) {
  if (out.back() != '{') out += ',';
  out += '"';
  out += name;
  out += "\":";
  out += std::to_string(value);
}

void AppendExtent(std::string& out, std::string_view name, const Extent& extent) {
  out += ",\"" + std::string(name) + "\":{";
  AppendNumber(out, "bytes", extent.bytes);
  AppendNumber(out, "lines", extent.lines);
  AppendNumber(out, "tokens", extent.tokens);
  out += '}';
}

void AppendGap(std::string& out, const Address& gap) {
  if (gap.form == Address::Form::kJsonPath) {
    out += "{\"json_path\":";
    AppendJsonString(out, gap.json_path);
    out += '}';
    return;
  }
  out += gap.form == Address::Form::kLines ? "{\"lines\":[" : "{\"bytes\":[";
  out += std::to_string(gap.first) + "," + std::to_string(gap.last) + "]}";
}

}  // namespace

void AppendJsonString(std::string& out, std::string_view text) {
  out += '"';
  if (IsUtf8(text))
    AppendValid(out, text);
  else
    AppendValid(out, ReplaceInvalidUtf8(text));
  out += '"';
}

void AppendViewFacts(std::string& out, const CompactOutcome& outcome) {
  const View& view = outcome.view;
  if (!outcome.token.empty()) out += "\"token\":\"" + outcome.token + "\",";
  out += "\"class\":\"" + std::string(ViewClassName(view.view_class)) + "\",\"kind\":\"" +
         std::string(KindName(view.kind)) + "\"";
  AppendExtent(out, "original", view.original);
  AppendExtent(out, "shown", view.shown);
  out += ",\"lines\":{";
  AppendNumber(out, "exact", view.lines.exact);
  AppendNumber(out, "shortened", view.lines.shortened);
  AppendNumber(out, "folded", view.lines.folded);
  AppendNumber(out, "omitted", view.lines.omitted);
  out += "},\"signals\":{";
  AppendNumber(out, "kept", view.signals.kept);
  AppendNumber(out, "total", view.signals.total);
  out += "},\"gaps\":[";
  for (size_t at = 0; at < view.gaps.size(); ++at) {
    if (at > 0) out += ',';
    AppendGap(out, view.gaps[at]);
  }
  out += ']';
  if (outcome.notices.empty()) return;
  out += ",\"notices\":[";
  for (size_t at = 0; at < outcome.notices.size(); ++at) {
    if (at > 0) out += ',';
    AppendJsonString(out, outcome.notices[at]);
  }
  out += ']';
}

}  // namespace pith
