// Arguments checked against the part of JSON Schema that tool inputs use: type, enum, const, required, properties,
// additionalProperties, items, minimum and maximum (also exclusive), minLength and maxLength (code points), minItems
// and maxItems. Other keywords are passed over. Refusals are sentences that a model can act on: they name the field,
// what was given and what is allowed. Immutable once compiled; any thread.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "server/jsonrpc.h"

namespace pith::mcp {

class Schema {
 public:
  // Text of a schema object. Errors: kInvalid (not a JSON object, or a keyword of the wrong type).
  static Result<Schema> Compile(std::string_view text);

  // Refusals, at most five, in the schema's order; empty if the arguments fit. A number such as 5.0 where an integer is
  // due is made one in place.
  std::vector<std::string> Check(Json* arguments) const;

  // x-mcp-header of each property reachable through `properties` alone: {path of names, header suffix}.
  struct HeaderParameter {
    std::vector<std::string> path;
    std::string header;
  };
  const std::vector<HeaderParameter>& header_parameters() const { return header_parameters_; }

  struct Node;

 private:
  std::shared_ptr<const Node> root_;
  std::vector<HeaderParameter> header_parameters_;
};

}  // namespace pith::mcp
