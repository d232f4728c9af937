// `pith hook dsh --serve`: one long-lived process behind the plugin in agents/dsh/. One request a line on stdin, one
// answer a line on stdout, in order; ends at the end of stdin.
//
//   {"id":1,"op":"post-execute","exec":{"name","arguments","parent"?},"result":{"isError","content":[...]}}
//     -> {"id":1,"content":null}   unchanged        {"id":1,"content":[{"type":"text","text":...}]}
//   {"id":2,"op":"retrieve","hash":"...","range":{"start","count"}?} -> {"id":2,"isError":false,"text":"..."}
// What cannot be understood is answered with {"id":...,"content":null}: the host's own result stands.
#pragma once
#include <functional>
#include <memory>
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
  void WriteLedger(const std::string& line);

  std::function<Result<DshFields>()> read_fields_;
  std::function<int64_t()> now_ms_;
  std::function<void(const std::string&)> to_stderr_;
  DshFields fields_;
  std::unique_ptr<DshGate> gate_;
};

// The subcommand: stdin to stdout. Always 0.
int ServeDsh();

}  // namespace pith
