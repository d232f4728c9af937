// What the wrapper asks the system about descriptors and processes. Linux; one thread.
#pragma once
#include <signal.h>
#include <sys/types.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pith {

// Both are open and lead to the same open file, pipe, socket or terminal.
bool SameFile(int first, int second);
bool IsOpen(int descriptor);
bool IsRegularFile(int descriptor);
bool IsTerminal(int descriptor);
bool IsSocket(int descriptor);
bool IsNullDevice(int descriptor);   // /dev/null
bool ReaderHasGone(int descriptor);  // of a pipe or socket

// All of the bytes, waiting where the other side is slow. False when they cannot be written (errno tells).
bool WriteAll(int descriptor, std::string_view bytes);

// The same descriptor at number 10 or above, closed on exec; the old number is closed. Keeps 0 to 9 for the child.
int MoveUp(int descriptor);

// A pipe whose ends are both moved up. False when the system has none left.
bool MakePipe(int ends[2]);

// Whether an ancestor of this process is a `pith run` of this very program: what we print passes through it already.
// Asked of the process table, not of a variable, which a server started once would hand on to all that it starts.
bool UnderPithRun();

// Whether stdout is that of the outermost shell below the host: what is printed is seen, not piped on or stored. A
// shell that has nothing else to do becomes its command; `hosts` are the programs (as /proc/PID/comm names them) that
// start nothing but such shells with our shims in their PATH, so a process that one of them started in a group of its
// own is the shell's place.
bool PrintsWhereOutermostShellDoes(std::span<const std::string_view> hosts);

// main() ignores SIGPIPE; children must get the disposition that this process was started with.
void NoteSigpipeIgnored(bool ignored);
bool SigpipeWasIgnored();

// Replaces this process. Returns only when that fails, with the exit code that a shell would give (127, 126); the
// reason has then been said on stderr. SIGPIPE is as it was at start.
int ExecInstead(const std::vector<std::string>& argv);

// Forks and runs argv with stdout and stderr at the given descriptors (-1: as they are) and `mask` as its signal mask.
// The child dies with this process. Errors: -1 when it could not be started, `code` then is 127 or 126, said on stderr.
pid_t StartChild(const std::vector<std::string>& argv, int out, int err, const sigset_t& mask, int* code);

// Ends as the child did: its exit code, or the same signal raised again.
[[noreturn]] void EndAs(int wait_status);

}  // namespace pith
