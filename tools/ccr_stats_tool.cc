#include <nlohmann/json.hpp>

#include "tools/mcp_tools.h"
#include "tools/stats_text.h"

namespace pith::mcp {

Tool StatsTool(Service& service) {
  Tool tool;
  tool.name = "ccr_stats";
  tool.description = "What is stored for this project and what views saved, net of retrievals.";
  tool.input_schema = SchemaNamed(tool.name);
  tool.annotations = kReadOnly;
  tool.call = [&service](const nlohmann::json&, CallContext& context) {
    Result<StoreStats> stats = service.Stats(CallerOf(context).name_space.value_or(service.options().name_space));
    if (!stats.ok()) return Refusal(stats.error().sentence);
    ToolResult result = TextResult(StatsText(*stats));
    result.meta_json = ResultMeta(StatsJson(*stats));
    return result;
  };
  return tool;
}

}  // namespace pith::mcp
