// `pith hold` and `pith release`.
#include "cli/command.h"
#include "cli/output.h"
#include "cli/session.h"

namespace pith::cli {
namespace {

constexpr OptionRow kOptions[] = {
    {"TOKEN", "", "a token, its first digits (4 or more), a footer, or `last`", Complete::kToken, {}, true},
    kJsonRow,
};

int SetHeld(const Invocation& invocation, bool held) {
  std::unique_ptr<Service> service = OpenService();
  if (!service) return kFailed;
  Result<std::string> token = service->TokenMeant(invocation.arguments.TextOr("TOKEN", ""));
  if (!token.ok()) return Fail(token.error());
  Result<void> done = service->store().Hold(*token, held);
  SayNotices(service->store().TakeNotices());
  if (!done.ok()) return Fail(done.error());
  if (invocation.arguments.Has("--json")) {
    return Print("{\"token\":\"" + *token + "\",\"held\":" + (held ? "true" : "false") + "}\n");
  }
  return Print(*token + (held ? " is held\n" : " is released\n"));
}

int RunHold(const Invocation& invocation) { return SetHeld(invocation, true); }
int RunRelease(const Invocation& invocation) { return SetHeld(invocation, false); }

}  // namespace

extern const CommandRow kHold, kRelease;
const CommandRow kHold = {"hold",
                          "TOKEN [--json]",
                          "keep an original until it is released",
                          "A held original neither expires nor is evicted.",
                          kOptions,
                          &RunHold};
const CommandRow kRelease = {
    "release", "TOKEN [--json]", "let a held original expire again", "Its lifetime counts from its last use.",
    kOptions,  &RunRelease};

}  // namespace pith::cli
