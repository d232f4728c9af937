// The checks of a request's head, each with the reply that refuses it, and the replies that all of HTTP is made of.
// Pure functions, any thread.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "server/http.h"
#include "server/http_status.h"
#include "server/jsonrpc.h"

namespace pith::mcp {

bool HeaderIsModern(const HttpRequest& request);

HttpReply PlainReply(int status, std::string body);
HttpReply JsonReply(int status, std::string body);
// With the status of the situation, and the headers that go with that.
HttpReply Refuse(Situation situation, bool modern, std::string_view sentence);
HttpReply RefuseRpc(Situation situation, bool modern, const Json& id, const RpcError& error);

// None: nothing is wrong with that.
std::optional<HttpReply> CheckOrigin(const HttpRequest& request, const HttpOptions& options);  // and Host
std::optional<HttpReply> CheckToken(const HttpRequest& request, const HttpOptions& options);
// Types, encoding, length; `bytes_under_way`: of the bodies of all requests.
std::optional<HttpReply> CheckPost(const HttpRequest& request, const HttpOptions& options, size_t bytes_under_way);

// What a browser's page of an allowed origin must be told.
void AddCors(const HttpRequest& request, const HttpOptions& options, HttpReply* reply);

}  // namespace pith::mcp
