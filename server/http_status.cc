#include "server/http_status.h"

#include <array>

#include "server/jsonrpc.h"

namespace pith::mcp {
namespace {

// clang-format off
constexpr std::array kTable = {
    //        situation                      modern legacy
    StatusRow{Situation::kForeignOrigin,     403, 403, "Origin present and not allowed, on every method"},
    StatusRow{Situation::kForeignHost,       403, 403, "Host neither loopback nor configured"},
    StatusRow{Situation::kNoToken,           401, 401, "bearer token due and missing"},
    StatusRow{Situation::kWrongToken,        401, 401, "bearer token wrong"},
    StatusRow{Situation::kOtherPath,         404, 404, "no such path"},
    StatusRow{Situation::kGet,               405, 405, "GET: nothing to push outside a request"},
    StatusRow{Situation::kDeleteLive,        405, 200, "DELETE of a live session"},
    StatusRow{Situation::kDeleteUnknown,     405, 404, "DELETE of a session that is not here"},
    StatusRow{Situation::kDeleteWithoutId,   405, 400, "DELETE without a session id"},
    StatusRow{Situation::kOptions,           204, 204, "preflight of an allowed origin"},
    StatusRow{Situation::kOtherMethod,       405, 405, "PUT, PATCH and all else"},
    StatusRow{Situation::kWrongContentType,  415, 415, "Content-Type is not application/json"},
    StatusRow{Situation::kContentEncoding,   415, 415, "Content-Encoding other than identity"},
    StatusRow{Situation::kNotAcceptable,     406, 406, "Accept takes neither JSON nor an event stream"},
    StatusRow{Situation::kMalformedHead,     400, 400, "Content-Length that is no number, twice, or beside chunked"},
    StatusRow{Situation::kTooManyHeaders,    431, 431, "more than 100 headers"},
    StatusRow{Situation::kTargetTooLong,     414, 414, "target longer than 1,024 bytes"},
    StatusRow{Situation::kBodyTooLarge,      413, 413, "body over the limit, announced or chunked"},
    StatusRow{Situation::kNotJson,           400, 400, "body is not JSON: -32700"},
    StatusRow{Situation::kNotRpc,            400, 400, "body is not JSON-RPC: -32600"},
    StatusRow{Situation::kBatchRefused,      400, 400, "batch outside revision 2025-03-26: -32600"},
    StatusRow{Situation::kAccepted,          202, 202, "notification, or answer to a request of ours: no body"},
    StatusRow{Situation::kStrayResponse,     400, 202, "answer to a request, which revision 2026-07-28 has none of"},
    StatusRow{Situation::kUnknownMethod,     404, 200, "-32601"},
    StatusRow{Situation::kBadEnvelope,       400, 200, "-32602 before a handler saw the request"},
    StatusRow{Situation::kUnknownVersion,    400, 400, "-32022"},
    StatusRow{Situation::kHeaderMismatch,    400, 400, "-32020"},
    StatusRow{Situation::kMissingCapability, 400, 200, "-32021"},
    StatusRow{Situation::kSessionUnknown,    404, 404, "session ended, expired or never here: the client starts anew"},
    StatusRow{Situation::kResult,            200, 200, "a result"},
    StatusRow{Situation::kHandlerError,      200, 200, "an error from inside a handler"},
    StatusRow{Situation::kInternalError,     200, 200, "-32603"},
    StatusRow{Situation::kBusy,              503, 503, "too many connections, streams or bytes under way; Retry-After"},
    StatusRow{Situation::kDraining,          503, 503, "the server is about to end; Retry-After"},
};
// clang-format on

constexpr bool InOrder() {
  for (size_t i = 0; i < kTable.size(); ++i) {
    if (static_cast<size_t>(kTable[i].situation) != i) return false;
  }
  return true;
}
static_assert(InOrder(), "the table is indexed by situation");

}  // namespace

std::span<const StatusRow> StatusTable() { return kTable; }

int StatusOf(Situation situation, bool modern) {
  const StatusRow& row = kTable[static_cast<size_t>(situation)];
  return modern ? row.modern : row.legacy;
}

Situation SituationOfError(int code, bool refused) {
  switch (code) {
    case 0:
      return Situation::kResult;
    case kParseError:
      return Situation::kNotJson;
    case kInvalidRequest:
      return Situation::kNotRpc;
    case kMethodNotFound:
      return Situation::kUnknownMethod;
    case kInvalidParams:
      return refused ? Situation::kBadEnvelope : Situation::kHandlerError;
    case kInternalError:
      return Situation::kInternalError;
    case kHeaderMismatch:
      return Situation::kHeaderMismatch;
    case kMissingClientCapability:
      return Situation::kMissingCapability;
    case kUnsupportedProtocolVersion:
      return Situation::kUnknownVersion;
    default:
      return Situation::kHandlerError;
  }
}

std::string_view ReasonPhrase(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 202:
      return "Accepted";
    case 204:
      return "No Content";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 406:
      return "Not Acceptable";
    case 413:
      return "Content Too Large";
    case 414:
      return "URI Too Long";
    case 415:
      return "Unsupported Media Type";
    case 431:
      return "Request Header Fields Too Large";
    case 503:
      return "Service Unavailable";
    default:
      return "Status";
  }
}

}  // namespace pith::mcp
