// The JSONL protocol of `pith compact --jsonl`: requests in, answers out, one a line, in order.
#pragma once
#include <string>
#include <string_view>

#include "tools/service.h"

namespace pith::cli {

// Answers standard input on standard output until it ends or the reader has gone; the exit code. Answers are written as
// soon as no whole request is waiting.
int AnswerLines(Service& service);

// The answer to one line of input, without its newline. `line` is used as scratch space.
std::string AnswerLine(Service& service, std::string& line, uint64_t number);

// The answer's JSON object; `id` is JSON text, left out where empty.
std::string AnswerOf(std::string_view id, const CompactOutcome& outcome);

}  // namespace pith::cli
