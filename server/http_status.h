// Which status answers which situation over HTTP: one table, to be held against the specification. Pure.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace pith::mcp {

enum class Situation : uint8_t {
  // clang-format off
  kForeignOrigin, kForeignHost, kNoToken, kWrongToken, kOtherPath,
  kGet, kDeleteLive, kDeleteUnknown, kDeleteWithoutId, kOptions, kOtherMethod,
  kWrongContentType, kContentEncoding, kNotAcceptable, kMalformedHead, kTooManyHeaders, kTargetTooLong, kBodyTooLarge,
  kNotJson, kNotRpc, kBatchRefused, kAccepted, kStrayResponse,
  kUnknownMethod, kBadEnvelope, kUnknownVersion, kHeaderMismatch, kMissingCapability, kSessionUnknown,
  kResult, kHandlerError, kInternalError, kBusy, kDraining,
  // clang-format on
};

struct StatusRow {
  Situation situation;
  int modern, legacy;
  std::string_view meaning;
};
std::span<const StatusRow> StatusTable();
int StatusOf(Situation situation, bool modern);

// The situation behind a JSON-RPC error code; `refused`: before any handler saw the request.
Situation SituationOfError(int code, bool refused);

// "Not Found" and the like.
std::string_view ReasonPhrase(int status);

}  // namespace pith::mcp
