#include "compact/policy.h"

namespace pith {
namespace {

constexpr uint64_t kSmall = 400;  // bytes: a footer would eat what a view could save

}  // namespace

bool StaysExact(const Document& document, std::string* reason) {
  std::string why;
  if (document.bytes.size() < kSmall) why = "small";
  if (document.hints.policy == Policy::kHook && document.command.exact) why = std::string(document.command.reason);
  if (reason) *reason = why;
  return !why.empty();
}

}  // namespace pith
