// The order is the promise: the plan first (most commands are simply executed), then the command runs while its output
// is gathered, and spooled once it is long; when it has ended, the original is made durable, then the view is printed,
// then we end as the command did. Whatever fails on the way, the text goes out as it came.
#include "agents/run.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "agents/capture.h"
#include "agents/measure.h"
#include "agents/process.h"
#include "agents/shim.h"
#include "base/units.h"
#include "compact/policy.h"
#include "tools/service.h"

namespace pith {
namespace {

constexpr size_t kSpoolFrom = 64 * 1024;          // bytes: below it nothing is written while the command runs
constexpr uint64_t kClaudeInline = 30000;         // characters of a command's output that Claude Code shows whole
constexpr uint64_t kClaudeFailing = 10000 - 100;  // of a failing command's, less its own line
constexpr size_t kSmallest = 800;                 // below it no view is ever made unasked

void Say(std::string_view sentence) { WriteAll(STDERR_FILENO, "pith: " + std::string(sentence) + "\n"); }

class Runner {
 public:
  Runner(const RunRequest& request, const RunPlan& plan, const Config& config)
      : request_(request), plan_(plan), config_(config) {}

  int Go() {
    unsetenv("PITH_AGENT");
    CaptureOptions options;
    options.argv = plan_.argv;
    if (IsTerminal(STDERR_FILENO) && !SameFile(STDOUT_FILENO, STDERR_FILENO)) {
      options.heartbeat_ms = static_cast<int64_t>(config_.Number(Key::kHeartbeat)) * 1000;
    }
    CaptureCalls calls;
    calls.gathered = [this](std::string_view piece) { Gather(piece); };
    calls.show = [this](const Captured& captured, const CaptureCalls::Moment& moment) { Show(captured, moment); };
    calls.heartbeat = [this] { Heartbeat(); };
    int code = 1;
    const int status = CaptureOutput(options, calls, &code);
    if (status < 0) return code;
    EndAs(status);
  }

 private:
  // The store is asked for only when there is something to keep.
  Service* TheService() {
    if (service_ != nullptr || failed_) return service_.get();
    Result<ServiceOptions> options = ServiceOptionsFrom(config_, "run", request_.marker.value_or(MarkerStyle::kCli));
    if (!options.ok()) return Failed(options.error().sentence);
    options->store.one_shot = true;
    Result<std::unique_ptr<Service>> service = Service::Open(options.Take());
    if (!service.ok()) return Failed(service.error().sentence);
    service_ = service.Take();
    return service_.get();
  }

  Service* Failed(const std::string& sentence) {
    failed_ = true;
    Say("the output is shown as it is: " + sentence);
    return nullptr;
  }

  void Gather(std::string_view piece) {
    if (spool_ != nullptr) {
      if (!spool_->Append(piece).ok()) spool_.reset();
      return;
    }
    pending_.append(piece);
    if (pending_.size() >= kSpoolFrom && !spool_tried_) OpenSpool();
    if (spool_tried_) pending_.clear();
  }

  void OpenSpool() {
    spool_tried_ = true;
    if (config_.Flag(Key::kMeasureOnly) || config_.Flag(Key::kMemoryOnly)) return;
    Service* service = TheService();
    if (service == nullptr) return;
    Result<std::unique_ptr<Spool>> spool = service->store().OpenSpool();
    if (!spool.ok()) return;
    spool_ = spool.Take();
    if (!spool_->Append(pending_).ok()) spool_.reset();
  }

  void Heartbeat() {
    if (!spool_tried_) OpenSpool();
    if (spool_ != nullptr) Say("still running; what has come so far: pith retrieve " + spool_->name());
  }

  void Show(const Captured& captured, const CaptureCalls::Moment& moment) {
    std::string text;
    if (moment.too_much) {
      Say("more than " + BytesText(CaptureOptions().memory_limit) + " came; all of it is shown as it comes");
    }
    if (!moment.too_much && captured.bytes.size() >= kSmallest) text = ViewOf(captured, moment);
    if (text.empty()) {
      WriteAsItCame(captured);
    } else {
      WriteAll(STDOUT_FILENO, text);
    }
  }

  static void WriteAsItCame(const Captured& captured) {
    uint64_t begin = 0;
    for (const Captured::Segment& segment : captured.segments) {
      WriteAll(segment.error ? STDERR_FILENO : STDOUT_FILENO,
               std::string_view(captured.bytes).substr(begin, segment.end - begin));
      begin = segment.end;
    }
  }

  // Empty when the output is to be shown as it is.
  std::string ViewOf(const Captured& captured, const CaptureCalls::Moment& moment) {
    Hints hints;
    hints.command = plan_.command;
    hints.policy = plan_.included ? Policy::kExplicit : Policy::kHook;
    if (moment.ended && WIFEXITED(moment.status)) hints.exit_code = WEXITSTATUS(moment.status);
    if (moment.ended && WIFSIGNALED(moment.status)) hints.signal = WTERMSIG(moment.status);
    Service* service = TheService();
    if (service == nullptr) return {};
    const CompactOptions options = ViewOptions(*service, hints);
    Caller caller;
    caller.view = &options;
    if (spool_ != nullptr && moment.ended) {
      caller.put = [this](const Sighting& sighting) { return spool_->Finish(sighting); };
    }
    CompactOutcome outcome = service->Compact(captured.bytes, hints, caller);
    for (const std::string& notice : outcome.notices) Say(notice);
    if (outcome.measured) NoteMeasured(service->options().store.folder, "run", plan_.command, *outcome.measured);
    if (outcome.view.view_class == ViewClass::kExact) return {};
    std::string text = Note(captured, moment) + outcome.view.text;
    if (!text.ends_with('\n')) text += '\n';
    return text.size() <= captured.bytes.size() ? text : std::string();
  }

  // What the host would cut is not made in the first place.
  CompactOptions ViewOptions(const Service& service, const Hints& hints) const {
    CompactOptions options = service.options().view;
    if (request_.host != "claude-code") return options;
    const bool failing = hints.exit_code.value_or(1) != 0;
    options.page_bytes = std::min(options.page_bytes, failing ? kClaudeFailing : kClaudeInline);
    options.soft_bytes = std::min(options.soft_bytes, options.page_bytes);
    options.hard = failing;
    return options;
  }

  static std::string Note(const Captured& captured, const CaptureCalls::Moment& moment) {
    std::string note;
    if (captured.both) note += "[stdout and stderr, in the order of arrival]\n";
    if (!moment.ended) note += "[signal " + std::to_string(moment.signal) + " came; the command had not ended yet]\n";
    return note;
  }

  const RunRequest& request_;
  const RunPlan& plan_;
  const Config& config_;
  std::unique_ptr<Service> service_;
  std::unique_ptr<Spool> spool_;
  std::string pending_;
  bool spool_tried_ = false, failed_ = false;
};

}  // namespace

int Run(const RunRequest& request) {
  if (!request.shim.empty() && BehindShim(request.shim).empty()) {
    Say(request.shim + ": command not found");  // else the shim would find itself for ever
    return 127;
  }
  Result<Config> config = Config::Read();
  if (!config.ok()) Say(config.error().sentence);
  const RunPlan plan = PlanRun(request, config.ok() ? &*config : nullptr);
  if (!plan.capture) {
    unsetenv("PITH_AGENT");
    return ExecInstead(plan.argv);
  }
  return Runner(request, plan, *config).Go();
}

}  // namespace pith
