// The CallContext of one request: cancellation, progress, logging and the roads back to the client, as its revision
// allows them. Lives as long as the request runs. Thread-safe.
#pragma once
#include <chrono>
#include <memory>
#include <mutex>

#include "server/registry.h"
#include "server/session.h"
#include "server/sink.h"

namespace pith::mcp {

class RequestContext final : public CallContext {
 public:
  struct Facts {
    const Registry* registry = nullptr;
    const RevisionTraits* revision = nullptr;
    const Json* params = nullptr;  // of the request; outlives the context
    Session* session = nullptr;
    std::string_view name_space;
    bool over_http = false;
  };
  RequestContext(const Facts& facts, std::shared_ptr<Sink> sink, CancelFlag cancelled);

  bool cancelled() const override { return *cancelled_; }
  void Progress(double progress, std::optional<double> total, std::string_view message) override;
  void Log(std::string_view level, std::string_view message) override;
  std::string_view name_space() const override { return facts_.name_space; }
  bool over_http() const override { return facts_.over_http; }
  bool modern() const override { return facts_.revision->modern; }
  const Json* client_capabilities() const override { return &client_capabilities_; }
  const Json* input_responses() const override;
  std::string_view request_state() const override;
  Result<std::string> Ask(std::string_view method, std::string_view params_json) override;
  void CloseStream() override;

 private:
  Facts facts_;
  std::shared_ptr<Sink> sink_;
  CancelFlag cancelled_;
  Json client_capabilities_;
  Json progress_token_;                    // null: not asked for
  std::optional<LogLevel> log_threshold_;  // none: nothing is logged to the client

  std::mutex mutex_;  // guards the progress state
  std::optional<double> last_progress_;
  int burst_left_;
  std::chrono::steady_clock::time_point last_sent_;
};

}  // namespace pith::mcp
