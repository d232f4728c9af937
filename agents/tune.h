// What a user wants of single commands: never a view, or a view although the rules say exact. Written into the user's
// configuration, or into the project's own file, which is trusted again by the same act if it was trusted before or is
// made by it.
#pragma once
#include <string>

#include "base/result.h"

namespace pith {

struct TuneRequest {
  std::string command;  // leading words: "git log"
  bool always = false;  // into `include`; else into `exclude`
  bool forget = false;  // out of both
  std::string project;  // a folder of the project; "" for the user's own configuration
};

// A sentence that says what was done. Errors: kInvalid (no command, a file that is not what it should be), kDenied (a
// project's file that is there and not trusted), kNotFound (nothing to forget), kIo.
// `file`, where given, gets the path of what was written.
Result<std::string> Tune(const TuneRequest& request, std::string* file = nullptr);

}  // namespace pith
