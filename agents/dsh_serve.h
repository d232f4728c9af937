// `pith hook dsh --serve`: one long-lived process behind the plugin in agents/dsh/. One request a line on stdin, one
// answer a line on stdout, in order; ends at the end of stdin.
//
//   {"id":1,"op":"post-execute","exec":{"name","arguments","parent"?},"result":{"isError","content":[...]}}
//     -> {"id":1,"content":null}   unchanged        {"id":1,"content":[{"type":"text","text":...}]}
//   {"id":3,"op":"hello"} -> {"id":3,"version":...}   writes the activation line, if none came before
//   {"id":4,"op":"pre-step","session","turn"} -> {"id":4,"archive":[{"callId","hash","content":[...]}]}
//   {"id":5,"op":"archived","session","callIds":[...]} -> {"id":5}   what of that was really replaced
// Any request may hold "fields": the contract's volatile fields as they are now.
//
//   {"id":2,"op":"retrieve","hash":"...","range":{"start","count"}?} -> {"id":2,"isError":false,"text":"..."}
// What cannot be understood is answered with {"id":...,"content":null}: the host's own result stands.
#pragma once
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "agents/dsh_gate.h"

namespace pith {

class DshServer {
 public:
  // `read_fields` is asked before each request, so that volatile fields take effect on the next call; the others are
  // those of the first.
  DshServer(std::function<Result<DshFields>()> read_fields, std::function<int64_t()> now_ms,
            std::function<void(const std::string&)> to_stderr);
  ~DshServer();

  // The answer to one line, without newline.
  std::string Answer(std::string_view line);

 private:
  void Refresh();
  void TakeVolatile(const DshFields& from);
  void TakeFieldsOf(const nlohmann::ordered_json& request);
  void AnswerEngine(const std::string& op, const nlohmann::ordered_json& request, nlohmann::ordered_json& answer);
  void WriteLedger(const std::string& line);

  std::function<Result<DshFields>()> read_fields_;
  std::function<int64_t()> now_ms_;
  std::function<void(const std::string&)> to_stderr_;
  DshFields fields_;
  std::string sent_;  // the volatile fields that a request brought last, as JSON
  std::unique_ptr<DshGate> gate_;
};

// The subcommand: stdin to stdout. Always 0.
int ServeDsh();

// `pith hook dsh pre-step`: the engine phase for a host that hands over its messages before they go out, as
// {"messages":[...]} with OpenAI's tool messages or Anthropic's tool_result blocks. Answers {"messages":[...]} in which
// results of earlier turns that exceed their threshold are preview and marker, their originals kept in Pith's store; ""
// where nothing is to be changed. Only with `contextEngine`.
std::string AnswerDshPreStep(std::string_view payload, std::vector<std::string>* notices);

}  // namespace pith
