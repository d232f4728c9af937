// Lines around a test run that say no more of it than its own totals do.
#pragma once
#include <string_view>

namespace pith {

// ">>>>> Some Tests Failed", "npm ERR! Test failed.  See above for more details."
bool SaysOnlyFailed(std::string_view text);

// Whether a line repeats the end of the command line: "`pytest tests/test_a.py` failed".
bool EchoesCommand(std::string_view text, std::string_view command);

}  // namespace pith
