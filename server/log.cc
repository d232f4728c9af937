// A logger of our own instead of spdlog's default one, which writes to stdout and is made whether it is used or not.
#include "server/log.h"

#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <array>
#include <memory>

namespace pith::mcp {
namespace {

constexpr std::array kLevels = {spdlog::level::debug, spdlog::level::info, spdlog::level::warn, spdlog::level::err};

spdlog::logger& Logger() {
  static spdlog::logger& logger = *[] {
    auto made = std::make_unique<spdlog::logger>("pith", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    made->set_level(spdlog::level::warn);
    made->set_pattern("%Y-%m-%dT%H:%M:%S.%e %n %l: %v");
    return made.release();  // lives as long as the process: threads may log until its end
  }();
  return logger;
}

}  // namespace

void SetLogThreshold(LogWeight least) { Logger().set_level(kLevels[static_cast<size_t>(least)]); }

void LogLine(LogWeight weight, std::string_view sentence) {
  Logger().log(kLevels[static_cast<size_t>(weight)], spdlog::string_view_t(sentence.data(), sentence.size()));
}

}  // namespace pith::mcp
