// Whether a shell line prints what base/secrets knows to be secret.
#pragma once
#include <string_view>

#include "base/secrets.h"

namespace pith {

// The row under which any command of the line falls: each stage of each pipeline, looked at as written and with its
// wrappers (sudo, timeout, bash -c ...) taken off, and each file that is redirected in. nullptr if none.
const SecretRow* SecretLine(std::string_view line);

}  // namespace pith
