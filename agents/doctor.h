// What `pith doctor` finds: for each thing whether it is well, and for what is not, the line that mends it.
#pragma once
#include <string>
#include <vector>

#include "agents/setup.h"

namespace pith {

struct Finding {
  bool well = true;
  std::string what;
  std::string mend;  // a command or one sentence; "" when well
};

// Version, binary, configuration, store, and what is set up for the host. Changes nothing.
std::vector<Finding> Examine(const std::string& host, const SetupPlace& place);

// Those tokens, 0 when the server does not answer.
uint64_t StandingTokens(const std::string& host, const SetupPlace& place);

// Sends a canary through the very commands that are set up: the hook command, the shell prefix, the MCP server; and
// looks at what the model would see.
std::vector<Finding> ExamineLive(const std::string& host, const SetupPlace& place);

// The context that the MCP server costs a session before anything is called, against its budget.
std::vector<Finding> ExamineGate(const std::string& host, const SetupPlace& place);

// Runs argv with `input` on stdin and gives stdout; "" when it cannot be run. `status` gets the wait status.
std::string RunWithInput(const std::vector<std::string>& argv, const std::string& input, int* status);

}  // namespace pith
