// The words that make a line a signal, as data for signals.cc. Lower case, sorted by first letter; a phrase is matched
// with its spaces. To add one, add a row and a line to its test.
#pragma once
#include <array>
#include <string_view>

#include "compact/signals.h"

namespace pith {

enum class WordRule : unsigned char {
  kNoun,     // a thing that can be counted: "0 errors" is none; also the tail of a capitalised identifier (ValueError)
  kWord,     // anywhere as a whole word
  kPlain,    // as kWord, but not as the name of a setting: deprecated=yes
  kSetting,  // as kPlain, but not with a number for its value: "timeout": 30, timeout 30s
  kUpper,    // only in capitals
  kLevel,    // only where a level stands: [alert], level=alert, ALERT
  kKey,      // in capitals, or as a key: err=..., "err": ...
  kHttp,     // HTTP/1.1" 502, HTTP 503, https://host/path -> 500
  kMethod,   // GET /path -> 500
  kStatus,   // status=500
  kExit,     // exit code 1
  kCode,     // code=99, rc=1, return code: 2 (of a step whose fault is told elsewhere: a warning)
  kNumericLevel,  // "level":50
};

struct SignalWord {
  std::string_view word;
  Signal signal;
  WordRule rule;
};

inline constexpr auto kSignalWords = std::to_array<SignalWord>({
    {"abort", Signal::kError, WordRule::kWord},
    {"aborted", Signal::kError, WordRule::kWord},
    {"aborting", Signal::kError, WordRule::kWord},
    {"addresssanitizer", Signal::kFatal, WordRule::kWord},
    {"alert", Signal::kError, WordRule::kLevel},
    {"already in use", Signal::kError, WordRule::kWord},
    {"assertion", Signal::kError, WordRule::kWord},
    {"backtrace", Signal::kError, WordRule::kWord},
    {"broken", Signal::kWarning, WordRule::kPlain},
    {"bug:", Signal::kFatal, WordRule::kUpper},
    {"bus error", Signal::kFatal, WordRule::kWord},
    {"call trace", Signal::kError, WordRule::kWord},
    {"can't", Signal::kError, WordRule::kWord},
    {"cannot", Signal::kError, WordRule::kWord},
    {"caused by", Signal::kError, WordRule::kWord},
    {"code=", Signal::kError, WordRule::kCode},
    {"command not found", Signal::kError, WordRule::kWord},
    {"conflict", Signal::kError, WordRule::kNoun},
    {"conflicts", Signal::kError, WordRule::kNoun},
    {"connection reset", Signal::kError, WordRule::kWord},
    {"core dumped", Signal::kFatal, WordRule::kWord},
    {"corrupt", Signal::kError, WordRule::kPlain},
    {"corrupted", Signal::kError, WordRule::kWord},
    {"corruption", Signal::kError, WordRule::kNoun},
    {"could not", Signal::kError, WordRule::kWord},
    {"couldn't", Signal::kError, WordRule::kWord},
    {"crash", Signal::kError, WordRule::kNoun},
    {"crashed", Signal::kError, WordRule::kWord},
    {"crashes", Signal::kError, WordRule::kNoun},
    {"crashloopbackoff", Signal::kError, WordRule::kWord},
    {"crit", Signal::kFatal, WordRule::kLevel},
    {"critical", Signal::kError, WordRule::kPlain},
    {"deadlock", Signal::kError, WordRule::kNoun},
    {"definitely lost", Signal::kError, WordRule::kWord},
    {"delete", Signal::kError, WordRule::kMethod},
    {"denied", Signal::kError, WordRule::kWord},
    {"deprecated", Signal::kWarning, WordRule::kPlain},
    {"deprecation", Signal::kWarning, WordRule::kNoun},
    {"deprecationwarning", Signal::kWarning, WordRule::kWord},
    {"did not", Signal::kWarning, WordRule::kWord},
    {"does not exist", Signal::kError, WordRule::kWord},
    {"double free", Signal::kFatal, WordRule::kWord},
    {"eacces", Signal::kError, WordRule::kWord},
    {"eaddrinuse", Signal::kError, WordRule::kWord},
    {"econnrefused", Signal::kError, WordRule::kWord},
    {"econnreset", Signal::kError, WordRule::kWord},
    {"emerg", Signal::kFatal, WordRule::kLevel},
    {"emergency", Signal::kFatal, WordRule::kLevel},
    {"enoent", Signal::kError, WordRule::kWord},
    {"eperm", Signal::kError, WordRule::kWord},
    {"err", Signal::kError, WordRule::kKey},
    {"errno", Signal::kError, WordRule::kCode},
    {"erroneous", Signal::kError, WordRule::kWord},
    {"error", Signal::kError, WordRule::kNoun},
    {"errored", Signal::kError, WordRule::kWord},
    {"errors", Signal::kError, WordRule::kNoun},
    {"etimedout", Signal::kError, WordRule::kWord},
    {"exception", Signal::kError, WordRule::kNoun},
    {"exceptions", Signal::kError, WordRule::kNoun},
    {"exit", Signal::kError, WordRule::kExit},
    {"expired", Signal::kWarning, WordRule::kPlain},
    {"fail", Signal::kError, WordRule::kNoun},
    {"failed", Signal::kError, WordRule::kNoun},
    {"failing", Signal::kError, WordRule::kNoun},
    {"fails", Signal::kError, WordRule::kNoun},
    {"failure", Signal::kError, WordRule::kNoun},
    {"failures", Signal::kError, WordRule::kNoun},
    {"fatal", Signal::kFatal, WordRule::kPlain},
    {"fault", Signal::kError, WordRule::kNoun},
    {"faults", Signal::kError, WordRule::kNoun},
    {"faulty", Signal::kError, WordRule::kWord},
    {"forbidden", Signal::kError, WordRule::kWord},
    {"get", Signal::kError, WordRule::kMethod},
    {"head", Signal::kError, WordRule::kMethod},
    {"http", Signal::kError, WordRule::kHttp},
    {"hung", Signal::kError, WordRule::kWord},
    {"illegal", Signal::kError, WordRule::kWord},
    {"incorrect", Signal::kError, WordRule::kWord},
    {"indirectly lost", Signal::kError, WordRule::kWord},
    {"insufficient", Signal::kError, WordRule::kWord},
    {"invalid", Signal::kError, WordRule::kWord},
    {"killed", Signal::kError, WordRule::kWord},
    {"leak", Signal::kWarning, WordRule::kNoun},
    {"leaked", Signal::kWarning, WordRule::kNoun},
    {"leaks", Signal::kWarning, WordRule::kNoun},
    {"leaksanitizer", Signal::kFatal, WordRule::kWord},
    {"level", Signal::kError, WordRule::kNumericLevel},
    {"malformed", Signal::kError, WordRule::kWord},
    {"memorysanitizer", Signal::kFatal, WordRule::kWord},
    {"mismatch", Signal::kError, WordRule::kNoun},
    {"missing", Signal::kWarning, WordRule::kPlain},
    {"no route to host", Signal::kError, WordRule::kWord},
    {"no rule to make", Signal::kError, WordRule::kWord},
    {"no space left", Signal::kError, WordRule::kWord},
    {"no such", Signal::kError, WordRule::kWord},
    {"non-zero", Signal::kError, WordRule::kWord},
    {"nonzero", Signal::kError, WordRule::kWord},
    {"not a valid", Signal::kError, WordRule::kWord},
    {"not allowed", Signal::kError, WordRule::kWord},
    {"not found", Signal::kWarning, WordRule::kWord},
    {"not ok", Signal::kError, WordRule::kWord},
    {"not permitted", Signal::kError, WordRule::kWord},
    {"oom", Signal::kFatal, WordRule::kWord},
    {"oom-kill", Signal::kFatal, WordRule::kWord},
    {"oom-killer", Signal::kFatal, WordRule::kWord},
    {"oomkilled", Signal::kFatal, WordRule::kWord},
    {"oops", Signal::kFatal, WordRule::kWord},
    {"out of memory", Signal::kFatal, WordRule::kWord},
    {"panic", Signal::kFatal, WordRule::kWord},
    {"panicked", Signal::kFatal, WordRule::kWord},
    {"patch", Signal::kError, WordRule::kMethod},
    {"possibly lost", Signal::kError, WordRule::kWord},
    {"post", Signal::kError, WordRule::kMethod},
    {"put", Signal::kError, WordRule::kMethod},
    {"rc=", Signal::kError, WordRule::kCode},
    {"refused", Signal::kError, WordRule::kWord},
    {"rejected", Signal::kError, WordRule::kNoun},
    {"return code", Signal::kWarning, WordRule::kCode},
    {"return_code", Signal::kWarning, WordRule::kCode},
    {"returncode", Signal::kWarning, WordRule::kCode},
    {"segfault", Signal::kFatal, WordRule::kWord},
    {"segmentation fault", Signal::kFatal, WordRule::kWord},
    {"severe", Signal::kError, WordRule::kWord},
    {"sigabrt", Signal::kFatal, WordRule::kWord},
    {"sigbus", Signal::kFatal, WordRule::kWord},
    {"sigfpe", Signal::kFatal, WordRule::kWord},
    {"sigill", Signal::kFatal, WordRule::kWord},
    {"sigkill", Signal::kError, WordRule::kWord},
    {"sigsegv", Signal::kFatal, WordRule::kWord},
    {"stack overflow", Signal::kFatal, WordRule::kWord},
    {"status", Signal::kError, WordRule::kStatus},
    {"terminate called", Signal::kFatal, WordRule::kWord},
    {"threadsanitizer", Signal::kFatal, WordRule::kWord},
    {"timed out", Signal::kError, WordRule::kWord},
    {"timeout", Signal::kWarning, WordRule::kSetting},
    {"too many", Signal::kWarning, WordRule::kWord},
    {"traceback", Signal::kError, WordRule::kWord},
    {"unable to", Signal::kError, WordRule::kWord},
    {"unauthorized", Signal::kError, WordRule::kWord},
    {"uncaught", Signal::kError, WordRule::kWord},
    {"undefined reference", Signal::kError, WordRule::kWord},
    {"undefined symbol", Signal::kError, WordRule::kWord},
    {"undefined:", Signal::kError, WordRule::kWord},
    {"undefinedbehaviorsanitizer", Signal::kFatal, WordRule::kWord},
    {"unexpected", Signal::kError, WordRule::kWord},
    {"unhandled", Signal::kError, WordRule::kWord},
    {"unreachable", Signal::kError, WordRule::kNoun},
    {"uninitialised", Signal::kError, WordRule::kWord},
    {"uninitialized", Signal::kWarning, WordRule::kWord},
    {"unrecognized", Signal::kError, WordRule::kWord},
    {"unresolved", Signal::kError, WordRule::kWord},
    {"violated", Signal::kError, WordRule::kWord},
    {"violates", Signal::kError, WordRule::kWord},
    {"violation", Signal::kError, WordRule::kNoun},
    {"vulnerabilities", Signal::kWarning, WordRule::kNoun},
    {"vulnerability", Signal::kWarning, WordRule::kNoun},
    {"vulnerable", Signal::kWarning, WordRule::kWord},
    {"warn", Signal::kWarning, WordRule::kNoun},
    {"warning", Signal::kWarning, WordRule::kNoun},
    {"warnings", Signal::kWarning, WordRule::kNoun},
    {"wrong", Signal::kWarning, WordRule::kPlain},
});

// Marks of a failed test or check at the start of a line: ballots and crosses, light and heavy, the multiplication
// sign.
inline constexpr auto kCrosses =
    std::to_array<std::string_view>({"\xe2\x9c\x95", "\xe2\x9c\x96", "\xe2\x9c\x97", "\xe2\x9c\x98", "\xe2\x98\x92",
                                     "\xe2\x9d\x8c", "\xe2\x9d\x8e", "\xe2\xa8\xaf", "\xc3\x97 "});

}  // namespace pith
