// Where a subcommand's words go: data to stdout, everything else to stderr.
#pragma once
#include <string>
#include <string_view>

#include "base/result.h"

namespace pith::cli {

// Writes all of `data` to stdout. The exit code to end with: kDone, also when the reader has gone (a closed pipe is no
// failure of ours); kFailed, said on stderr, when it cannot be written for another reason.
int Print(std::string_view data);

// Whether the reader of stdout has gone: there is no use in making more.
bool ReaderGone();

// One sentence on stderr: "pith: SENTENCE\n". `Warn` writes text as it is.
void Complain(std::string_view sentence);
void Warn(std::string_view text);

// Says the error and gives the exit code that its cause means: misses kNoSuchOriginal, kInvalid kWrongUse, else
// kFailed.
int Fail(const Error& error);

// Whole content of a file, or of stdin for "" and "-". Errors: kNotFound, kDenied, kInvalid (a folder), kIo.
Result<std::string> ReadInput(const std::string& path);

// What is said where `path` cannot be opened or read: `failure` is an errno.
Error OpenError(const std::string& path, int failure);

}  // namespace pith::cli
