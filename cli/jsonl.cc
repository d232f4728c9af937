// Requests carry contents of many megabytes, so they are not made into a tree: RapidJSON's reader walks the line in
// place and hands each field to the member that the schema's table names; strings are decoded inside the line's own
// buffer.
#include "cli/jsonl.h"

#include <rapidjson/error/en.h>
#include <rapidjson/reader.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>

#include "base/encoding.h"
#include "base/units.h"
#include "base/utf8.h"
#include "cli/command.h"
#include "cli/output.h"
#include "tools/view_json.h"

namespace pith::cli {
namespace {

constexpr size_t kLongestLine = 2u << 30;  // bytes of a request; a longer one is refused and skipped

constexpr size_t kMostWaiting = 1u << 20;  // bytes of answers that wait for the next read

struct Request {
  std::string id = "null";  // as JSON text
  std::optional<std::string_view> content, content_base64;
  std::string_view tool_name, command, path, mime, query, policy;
  std::optional<int64_t> exit_code, max_tokens;
};

struct TextField {
  std::string_view name;
  std::string_view Request::*member;
};
constexpr TextField kTexts[] = {{"tool_name", &Request::tool_name}, {"command", &Request::command},
                                {"path", &Request::path},           {"mime", &Request::mime},
                                {"query", &Request::query},         {"policy", &Request::policy}};
struct OptionalTextField {
  std::string_view name;
  std::optional<std::string_view> Request::*member;
};
constexpr OptionalTextField kContents[] = {{"content", &Request::content},
                                           {"content_base64", &Request::content_base64}};
struct NumberField {
  std::string_view name;
  std::optional<int64_t> Request::*member;
  int64_t least, most;
  std::string_view allowed;
};
constexpr NumberField kNumbers[] = {{"exit_code", &Request::exit_code, INT_MIN, INT_MAX, "a whole number"},
                                    {"max_tokens", &Request::max_tokens, 1, INT64_MAX, "a whole number of at least 1"}};

// Fills a Request from the events of the reader. The first thing that does not fit ends the fields, not the reading: so
// an error can still be answered under its id, with the original.
class RequestReader : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, RequestReader> {
 public:
  Request request;
  std::string failure;  // one sentence

  bool Null() {
    if (depth_ == 1 && key_ == "id") return true;
    return depth_ == 1 || Skip();
  }
  bool Bool(bool) { return Refuse("true or false"); }
  bool RawNumber(const char* text, rapidjson::SizeType length, bool) {
    std::string_view number(text, length);
    if (depth_ != 1) return Skip();
    if (key_ == "id") {
      request.id = number;
      return true;
    }
    for (const NumberField& field : kNumbers) {
      if (field.name == key_) return SetNumber(field, number);
    }
    return Refuse(number);
  }
  bool String(const char* text, rapidjson::SizeType length, bool) {
    std::string_view value(text, length);
    if (depth_ != 1) return Skip();
    if (key_ == "id") {
      request.id.clear();
      AppendJsonString(request.id, value);
      return true;
    }
    for (const TextField& field : kTexts) {
      if (field.name == key_) return request.*field.member = value, true;
    }
    for (const OptionalTextField& field : kContents) {
      if (field.name == key_) return request.*field.member = value, true;
    }
    return Refuse("a text");
  }
  bool StartObject() {
    if (depth_ == 1) Refuse("an object");
    ++depth_;
    return true;
  }
  bool Key(const char* text, rapidjson::SizeType length, bool) {
    if (depth_ == 1) key_ = std::string_view(text, length);
    return true;
  }
  bool EndObject(rapidjson::SizeType) { return --depth_, true; }
  bool StartArray() {
    if (depth_ == 1) Refuse("an array");
    if (depth_ == 0) Fail("a request is a JSON object");
    ++depth_;
    return true;
  }
  bool EndArray(rapidjson::SizeType) { return --depth_, true; }

 private:
  void Fail(std::string sentence) {
    if (failure.empty()) failure = std::move(sentence);
  }
  bool Skip() {
    if (depth_ == 0) Fail("a request is a JSON object");
    return true;
  }
  bool SetNumber(const NumberField& field, std::string_view text) {
    bool negative = text.starts_with('-');
    std::optional<uint64_t> size = ParseWhole(text.substr(negative ? 1 : 0));
    bool fits = size && *size <= static_cast<uint64_t>(INT64_MAX);
    int64_t value = fits ? (negative ? -static_cast<int64_t>(*size) : static_cast<int64_t>(*size)) : 0;
    if (!fits || value < field.least || value > field.most) {
      Fail("\"" + std::string(key_) + "\" must be " + std::string(field.allowed) + ", not " +
           std::string(text.substr(0, 40)));
    } else {
      request.*field.member = value;
    }
    return true;
  }
  // The field is unknown, or known and of another type than what was given.
  bool Refuse(std::string_view given) {
    if (depth_ != 1) return Skip();
    std::vector<std::string_view> known = {"id"};
    for (const TextField& field : kTexts) known.push_back(field.name);
    for (const OptionalTextField& field : kContents) known.push_back(field.name);
    for (const NumberField& field : kNumbers) known.push_back(field.name);
    std::string name = "\"" + ReplaceInvalidUtf8(key_.substr(0, 60)) + "\"";
    if (std::find(known.begin(), known.end(), key_) == known.end()) {
      std::string nearest = NearestName(key_, known);
      Fail("unknown field " + name + (nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?"));
    } else {
      bool number =
          std::any_of(std::begin(kNumbers), std::end(kNumbers), [&](const NumberField& f) { return f.name == key_; });
      Fail(name + " must be " + (number ? "a whole number" : "a text") + ", not " + std::string(given.substr(0, 40)));
    }
    return true;
  }

  int depth_ = 0;
  std::string_view key_;
};

std::string ErrorAnswer(const std::string& id, const std::string& sentence, std::optional<std::string_view> original) {
  std::string answer = "{\"id\":" + id + ",\"error\":";
  AppendJsonString(answer, sentence);
  if (original) {
    answer += ",\"view\":";
    AppendJsonString(answer, *original);
  }
  return answer + "}";
}

// What keeps a well-formed request from being served; empty if nothing does.
std::string Fault(const Request& request) {
  if (request.content.has_value() == request.content_base64.has_value()) {
    return "a request has one of \"content\" and \"content_base64\"";
  }
  if (!request.policy.empty() && request.policy != "explicit" && request.policy != "hook") {
    return "\"policy\" must be explicit or hook, not \"" + ReplaceInvalidUtf8(request.policy.substr(0, 40)) + "\"";
  }
  return "";
}

Hints HintsOf(const Request& request) {
  Hints hints;
  hints.tool_name = request.tool_name;
  hints.command = request.command;
  hints.path = request.path;
  hints.mime = request.mime;
  hints.query = request.query;
  if (request.exit_code) hints.exit_code = static_cast<int>(*request.exit_code);
  if (request.max_tokens) hints.max_tokens = static_cast<uint64_t>(*request.max_tokens);
  hints.policy = request.policy == "hook" ? Policy::kHook : Policy::kExplicit;
  return hints;
}

}  // namespace

std::string AnswerOf(std::string_view id, const CompactOutcome& outcome) {
  std::string answer = "{";
  answer.reserve(outcome.view.text.size() + 1024);
  if (!id.empty()) answer += "\"id\":" + std::string(id) + ",";
  answer += "\"view\":";
  AppendJsonString(answer, outcome.view.text);
  if (!IsUtf8(outcome.view.text)) answer += ",\"view_base64\":\"" + EncodeBase64(outcome.view.text) + "\"";
  answer += ',';
  AppendViewFacts(answer, outcome);
  return answer + "}";
}

std::string AnswerLine(Service& service, std::string& line, uint64_t number) {
  if (size_t bad = FirstInvalidUtf8(line); bad != line.size()) {
    return ErrorAnswer("null",
                       "line " + std::to_string(number) + " is not UTF-8 at byte " + std::to_string(bad) +
                           "; send such bytes as \"content_base64\"",
                       std::nullopt);
  }
  RequestReader fields;
  rapidjson::Reader reader;
  rapidjson::InsituStringStream stream(line.data());
  constexpr unsigned kFlags =
      rapidjson::kParseInsituFlag | rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseIterativeFlag;
  rapidjson::ParseResult parsed = reader.Parse<kFlags>(stream, fields);
  const Request& request = fields.request;
  if (!parsed) {
    return ErrorAnswer(request.id,
                       "line " + std::to_string(number) +
                           " is not JSON: " + rapidjson::GetParseError_En(parsed.Code()) + " (byte " +
                           std::to_string(parsed.Offset()) + ")",
                       request.content);
  }
  std::optional<std::string> decoded;
  if (request.content_base64) decoded = DecodeBase64(*request.content_base64);
  std::optional<std::string_view> original = request.content;
  if (decoded) original = *decoded;
  std::string fault = fields.failure.empty() ? Fault(request) : fields.failure;
  if (fault.empty() && !original) fault = "\"content_base64\" is not base64";
  if (!fault.empty()) return ErrorAnswer(request.id, fault, original);
  return AnswerOf(request.id, service.Compact(*original, HintsOf(request)));
}

int AnswerLines(Service& service) {
  std::string input, answers;
  size_t begin = 0, looked = 0;  // of the request that is being gathered; no newline before `looked`
  bool skipping = false;         // within a request that is too long
  uint64_t number = 0;
  auto answer = [&](size_t end) {
    std::string line = input.substr(begin, end - begin);
    ++number;
    if (skipping)
      skipping = false;
    else if (line.find_first_not_of(" \t\r") != std::string::npos)
      answers += AnswerLine(service, line, number) + "\n";
  };
  while (!ReaderGone()) {
    size_t newline = input.find('\n', looked);
    if (newline != std::string::npos) {
      answer(newline);
      begin = looked = newline + 1;
      if (answers.size() < kMostWaiting) continue;
      if (int code = Print(answers); code != kDone) return code;
      answers.clear();
      continue;
    }
    if (int code = Print(answers); code != kDone) return code;
    answers.clear();
    input.erase(0, begin);
    begin = 0;
    looked = input.size();
    if (input.size() > kLongestLine) {
      if (!skipping)
        answers =
            ErrorAnswer("null", "line " + std::to_string(number + 1) + " is longer than 2 GiB", std::nullopt) + "\n";
      skipping = true;
      input.clear();
      looked = 0;
    }
    size_t filled = input.size();
    input.resize(filled + std::max<size_t>(65536, filled / 2));
    ssize_t got = 0;
    do {
      got = read(STDIN_FILENO, input.data() + filled, input.size() - filled);
    } while (got < 0 && errno == EINTR);
    input.resize(filled + static_cast<size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0) {
      Complain(std::string("cannot read standard input: ") + strerror(errno));
      return kFailed;
    }
    if (got == 0) {
      answer(input.size());
      return Print(answers);
    }
  }
  return kDone;
}

}  // namespace pith::cli
