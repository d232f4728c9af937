// The order is the promise: the plan first (most commands are simply executed), then the command runs while its output
// is gathered and spooled; when it has ended, the original is made durable, then the view is printed, then we end as
// the command did. Whatever fails on the way, the text goes out as it came.
//
// What the command has printed must outlive us, killed at any instant. A spool costs five files (some 100 us), which a
// command that is over at once need not pay: it is opened when 64 KiB have come, or when the first byte has been held
// for 10 ms; from then on each piece is in a file before the next is read. Once everything is shown or stored, the
// spool goes.
#include "agents/run.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <utility>

#include "agents/capture.h"
#include "agents/process.h"
#include "agents/reach.h"
#include "agents/shim.h"
#include "base/units.h"
#include "compact/estimate.h"
#include "compact/policy.h"
#include "tools/own_rules.h"
#include "tools/service.h"

namespace pith {
namespace {

constexpr size_t kSpoolFrom = 64 * 1024;          // bytes: from here on it is spooled at once
constexpr uint64_t kClaudeInline = 30000;         // characters of a command's output that Claude Code shows whole
constexpr uint64_t kClaudeFailing = 10000 - 100;  // of a failing command's, less its own line
constexpr uint64_t kClaudeSaved = 2200;           // what it shows of a longer one, which it saves to a file

void Say(std::string_view sentence) { WriteAll(STDERR_FILENO, "pith: " + std::string(sentence) + "\n"); }

ReachCall CallOf(const RunRequest& request, const RunPlan& plan) {
  ReachCall call;
  call.host = request.host;
  call.road = "run";
  call.tool = request.shim.empty() ? "shell" : "shim";
  call.command = plan.command;
  const char* session = getenv("CLAUDE_CODE_SESSION_ID");
  if (request.host == "claude-code" && session != nullptr) call.session = session;
  call.mcp_tools = request.marker == MarkerStyle::kMcp;
  return call;
}

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
    calls.waiting = [this] { OpenSpool(); };
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
    if (!request_.host.empty()) options->road = "run:" + request_.host;
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
    if (spool_whole_) spool_whole_ = spool_->Append(piece).ok();
    if (spool_tried_) return;
    pending_.append(piece);
    if (pending_.size() >= kSpoolFrom) OpenSpool();
  }

  void OpenSpool() {
    if (std::exchange(spool_tried_, true)) return;
    const std::string pending = std::exchange(pending_, std::string());
    if (config_.Flag(Key::kMeasureOnly) || config_.Flag(Key::kMemoryOnly)) return;
    Service* service = TheService();
    if (service == nullptr) return;
    Result<std::unique_ptr<Spool>> spool = service->store().OpenSpool(service->options().name_space);
    if (!spool.ok()) return;
    spool_ = spool.Take();
    spool_whole_ = spool_->Append(pending).ok();
  }

  void Heartbeat() {
    OpenSpool();
    if (spool_whole_) Say("still running; what has come so far: pith retrieve " + spool_->name());
  }

  void Show(const Captured& captured, const CaptureCalls::Moment& moment) {
    std::string text;
    reach_ = CallOf(request_, plan_);
    reach_.original_bytes = captured.bytes.size();
    reach_.original_tokens = EstimateTokens(captured.bytes);
    reach_.reason = moment.too_much ? "too large" : "small";
    if (moment.too_much) {
      Say("more than " + BytesText(CaptureOptions().memory_limit) + " came; all of it is shown as it comes");
    }
    if (!moment.too_much && captured.bytes.size() >= kSmallestRun) text = ViewOf(captured, moment);
    if (text.empty()) {
      WriteAsItCame(captured);
    } else {
      WriteAll(STDOUT_FILENO, text);
    }
    if (spool_ != nullptr && !spool_finished_) spool_->Discard();
    NoteReach(config_, reach_);
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
    reach_.reason = "the store cannot be used";
    reach_.touchable = true;
    if (service == nullptr) return {};
    const CompactOptions options = ViewOptions(*service, hints);
    Caller caller;
    caller.view = &options;
    if (spool_whole_ && moment.ended) {
      caller.put = [this](const Sighting& sighting) {
        Result<PutOutcome> put = spool_->Finish(sighting);
        spool_finished_ = put.ok();
        return put;
      };
    }
    CompactOutcome outcome = service->Compact(captured.bytes, hints, caller);
    for (const std::string& notice : outcome.notices) Say(notice);
    if (outcome.measured) NoteSizes(ReachOutcome::kMeasured, *outcome.measured, hints);
    if (outcome.view.view_class == ViewClass::kExact) {
      if (!outcome.measured) reach_.reason = WhyExact(captured.bytes, hints, !outcome.notices.empty());
      return {};
    }
    std::string text = Note(captured, moment) + outcome.view.text;
    if (!text.ends_with('\n')) text += '\n';
    if (text.size() > captured.bytes.size()) {
      reach_.reason = "no view of it is smaller";
      return {};
    }
    NoteSizes(ReachOutcome::kView, outcome.view, hints);
    return text;
  }

  std::string WhyExact(std::string_view bytes, const Hints& hints, bool noticed) {
    const std::string_view rule = ExactReason(bytes, hints, ParseCommand(hints.command, TheOwnRules().table()));
    reach_.touchable = rule.empty();
    if (!rule.empty()) return std::string(rule);
    return noticed ? "it could not be kept" : "no view of it is smaller";
  }

  void NoteSizes(ReachOutcome outcome, const View& view, const Hints& hints) {
    reach_.outcome = outcome;
    reach_.reason.clear();
    reach_.shown_bytes = view.shown.bytes;
    reach_.shown_tokens = view.shown.tokens;
    reach_.host_tokens = reach_.original_tokens;
    if (request_.host != "claude-code") return;
    const bool failing = hints.exit_code.value_or(1) != 0;
    const uint64_t whole = failing ? kClaudeFailing : kClaudeInline;
    if (view.original.bytes <= whole) return;
    const uint64_t left = failing ? kClaudeFailing : kClaudeSaved;
    reach_.host_tokens = static_cast<uint64_t>(static_cast<double>(reach_.original_tokens) * static_cast<double>(left) /
                                               static_cast<double>(view.original.bytes));
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
  ReachCall reach_;
  bool spool_tried_ = false, spool_whole_ = false, spool_finished_ = false, failed_ = false;
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
    if (plan.noted) {
      ReachCall call = CallOf(request, plan);
      call.reason = plan.reason;
      NoteReach(*config, call);
    }
    return ExecInstead(plan.argv);
  }
  return Runner(request, plan, *config).Go();
}

}  // namespace pith
