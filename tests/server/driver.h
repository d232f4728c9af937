// Drives the server layer as a client would, over stdio (pipes, in this process) and over HTTP (no sockets), with the
// fixtures registry or another.
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "server/http.h"
#include "server/jsonrpc.h"
#include "server/registry.h"
#include "server/revisions.h"
#include "server/serve.h"

namespace pith::mcp::test {

const Registry& Fixtures();  // made once

// Feeds the lines to a server and gives its output lines, in the order in which they came.
std::vector<std::string> OverStdio(const std::vector<std::string>& lines, const Registry& registry = Fixtures(),
                                   StdioOptions options = {});

// The one output line with that id, parsed; null if there is none.
Json WithId(const std::vector<std::string>& lines, const Json& id);

// A request's text. In revision 2026-07-28 the metadata is put into its params.
std::string Request(const RevisionTraits& revision, const Json& id, std::string_view method,
                    Json params = Json::object());
Json ModernMeta();

// The answer to one request in a revision, as a client of it would get it: after a handshake where it has one. Over
// HTTP `status` gets the status.
Json AnswerOverStdio(const RevisionTraits& revision, std::string_view method, const Json& params);
Json AnswerOverHttp(const RevisionTraits& revision, std::string_view method, const Json& params, int* status);

// One message as its bytes are, likewise: the answer, null if none came. A text that is no request of revision
// 2026-07-28 (whose requests say what they are) goes there with the header of that revision alone.
Json RawOverStdio(const RevisionTraits& revision, const std::string& text);
Json RawOverHttp(const RevisionTraits& revision, const std::string& text, int* status);

// A POST to the endpoint with the headers that a well-behaved client sends, and `more` (an empty value removes one).
HttpRequest Post(std::string body, std::initializer_list<std::pair<std::string, std::string>> more = {});
// The headers that revision 2026-07-28 wants of this body are added.
HttpRequest ModernPost(const std::string& body, std::initializer_list<std::pair<std::string, std::string>> more = {});
std::string HeaderOf(const HttpReply& reply, std::string_view name);
// The messages of an event stream, read to its end or until `most` were read.
std::vector<Json> Events(HttpStream& stream, size_t most = SIZE_MAX);

}  // namespace pith::mcp::test
