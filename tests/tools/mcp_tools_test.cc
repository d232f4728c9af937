#include "tools/mcp_tools.h"

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/token.h"
#include "base/utf8.h"
#include "server/schema.h"
#include "tests/tools/service_fixture.h"
#include "tools/config_schema.h"

namespace pith {
namespace {

using Json = nlohmann::json;
using testing::LogOf;
using testing::OpenedIn;
using testing::OptionsIn;
using testing::ScratchFolder;

class Context : public mcp::CallContext {
 public:
  bool cancelled() const override { return cancel || ++asked == cancel_at; }
  void Progress(double, std::optional<double>, std::string_view message) override { said.emplace_back(message); }
  void Log(std::string_view, std::string_view) override {}
  std::string_view name_space() const override { return ""; }
  bool over_http() const override { return false; }

  bool cancel = false;
  int cancel_at = 0;      // the question that is answered with yes; 0: none
  mutable int asked = 0;  // whether it is cancelled
  std::vector<std::string> said;
};

// A registry over a service in a scratch folder, whose project folder may be read.
struct House {
  explicit House(ServiceOptions options = {}, RegistryOptions what = {}) {
    SystemFiles().MakeFolder(folder / "project").ok();
    options.store.folder = folder / "state";
    options.folder = options.name_space = folder / "project";
    service = Service::Open(options).Take();
    registry = mcp::BuildRegistry(*service, what);
  }
  mcp::ToolResult Call(const std::string& name, Json arguments) {
    for (const mcp::Tool& tool : registry.tools) {
      if (tool.name == name) return tool.call(arguments, context);
    }
    FAIL("no such tool");
    return {};
  }
  std::string Text(const std::string& name, Json arguments) {
    mcp::ToolResult result = Call(name, std::move(arguments));
    CHECK_FALSE(result.is_error);
    return result.content.front().text;
  }
  std::string Refusal(const std::string& name, Json arguments) {
    mcp::ToolResult result = Call(name, std::move(arguments));
    CHECK(result.is_error);
    return result.content.front().text;
  }
  std::string Stored(const std::string& bytes, const std::string& kind = "text") {
    Sighting sighting = testing::Seen();
    sighting.kind = kind;
    return service->store().Put(bytes, sighting)->token;
  }
  std::string Write(const std::string& name, const std::string& content) {
    std::string path = folder / ("project/" + name);
    std::ofstream(path) << content;
    return path;
  }

  ScratchFolder folder;
  Context context;
  std::unique_ptr<Service> service;
  mcp::Registry registry;
};

bool Has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

// What the whole list costs, by the proxy of 3.6 characters a token.
double ListCost(const mcp::Registry& registry) {
  size_t characters = 0;
  for (const mcp::Tool& tool : registry.tools) {
    Json listed = {{"name", tool.name},
                   {"description", tool.description},
                   {"inputSchema", Json::parse(tool.input_schema)},
                   {"annotations", Json::parse(tool.annotations)}};
    if (!tool.meta.empty()) listed["_meta"] = Json::parse(tool.meta);
    characters += listed.dump().size() + 1;
  }
  return static_cast<double>(characters) / 3.6;
}

}  // namespace

TEST_CASE("six tools, in their order, each with a schema that compiles") {
  House house;
  std::vector<std::string> names;
  for (const mcp::Tool& tool : house.registry.tools) {
    names.push_back(tool.name);
    CHECK(mcp::Schema::Compile(tool.input_schema).ok());
    CHECK(Json::parse(tool.input_schema)["additionalProperties"] == false);
  }
  CHECK(names == std::vector<std::string>{"compact", "tokenjuice_retrieve", "retrieve_tool_output", "ccr_retrieve",
                                          "ccr_search", "ccr_stats"});
}

TEST_CASE("I12: the tool list costs at most 1,000 tokens, the instructions at most 200") {
  ServiceOptions options;
  options.page = *HostPageOf("claude-code");
  House house(options);
  MESSAGE("tool list: " << ListCost(house.registry) << " tokens by characters / 3.6");
  CHECK(ListCost(house.registry) <= 1000);
  CHECK(static_cast<double>(house.registry.instructions.size()) / 3.6 <= 200);
}

TEST_CASE("I14: the tool list is the same bytes every time") {
  House first, second;
  for (size_t at = 0; at < first.registry.tools.size(); ++at) {
    CHECK(first.registry.tools[at].description == second.registry.tools[at].description);
    CHECK(first.registry.tools[at].input_schema == second.registry.tools[at].input_schema);
  }
}

TEST_CASE("compact gives a view with its facts beside it, and the token leads back") {
  House house;
  std::string log = LogOf(2000);
  mcp::ToolResult result = house.Call("compact", {{"content", log}, {"command", "make"}});
  CHECK_FALSE(result.is_error);
  std::string token = TokenOf(log);
  CHECK(Has(result.content.front().text, "tokenjuice_retrieve"));
  CHECK(Has(result.content.front().text, token));
  Json facts = Json::parse(result.meta_json)["dev.pith/result"];
  CHECK(facts["token"] == token);
  CHECK(facts["class"] == "partial");
  CHECK(facts["original"]["lines"] == 2000);
  std::string whole;
  Json arguments = {{"token", token}};
  while (true) {
    mcp::ToolResult page = house.Call("tokenjuice_retrieve", arguments);
    REQUIRE_FALSE(page.is_error);
    CHECK(page.content.front().text.size() <= 40000);
    whole += page.content.front().text;
    Json about = Json::parse(page.meta_json)["dev.pith/result"];
    if (!about.contains("next_offset")) break;
    arguments["offset"] = about["next_offset"];
  }
  CHECK(whole == log);
}

TEST_CASE("compact of a large output tells its steps, and stops between them when cancelled") {
  House house;
  const std::string path = house.Write("large.log", testing::LogOf(250'000));
  house.Text("compact", {{"path", path}});
  REQUIRE(house.context.said.size() == 2);
  CHECK(Has(house.context.said[0], "read "));
  house.context.said.clear();
  house.Text("compact", {{"content", testing::LogOf(100)}});
  CHECK(house.context.said.empty());
  house.context.cancel = true;
  CHECK(Has(house.Refusal("compact", {{"path", path}}), "cancelled"));
}

TEST_CASE("long work stops at the next step once it is cancelled, and leaves nothing behind") {
  House house;
  const std::string path = house.Write("large.log", testing::LogOf(50'000));
  const std::string token = house.Stored(testing::LogOf(200'000));
  struct Asked {
    const char* tool;
    Json arguments;
  };
  const std::vector<Asked> works = {
      {"compact", {{"path", path}}},
      {"tokenjuice_retrieve", {{"token", token}, {"pattern", "nothing like this"}}},
      {"ccr_retrieve", {{"hash", token}, {"range", {{"start", 100000}, {"count", 2}}}}},
  };
  for (const Asked& work : works) {
    CAPTURE(work.tool);
    for (int at = 1; at <= 2; ++at) {
      house.context.asked = 0;
      house.context.cancel_at = at;
      const mcp::ToolResult result = house.Call(work.tool, work.arguments);
      CHECK(result.is_error);
      CHECK(house.context.asked == at);
    }
  }
  CHECK(house.service->store().Stats(std::nullopt)->entries == 1);
}

TEST_CASE("a search that is cancelled says that it is not complete") {
  House house;
  Sighting sighting = testing::Seen();
  sighting.name_space = house.service->options().name_space;
  for (int number = 0; number < 40; ++number) {
    REQUIRE(house.service->store().Put("needle " + std::to_string(number) + "\n", sighting).ok());
  }
  CHECK(house.Text("ccr_search", {{"query", "needle"}, {"limit", 100}}).find("40 of 40") != std::string::npos);
  house.context.asked = 0;
  house.context.cancel_at = 20;
  CHECK(house.Text("ccr_search", {{"query", "needle"}, {"limit", 100}}).find("there may be more") != std::string::npos);
}

TEST_CASE("compact takes one of content and path") {
  House house;
  CHECK(Has(house.Refusal("compact", Json::object()), "one of content and path"));
  CHECK(Has(house.Refusal("compact", {{"content", "a"}, {"path", "b"}}), "one of content and path"));
}

TEST_CASE("compact reads regular files beneath its roots and nothing else") {
  House house;
  std::string log = LogOf(2000);
  std::string path = house.Write("build.log", log);
  house.Write(".env", log);
  CHECK(Has(house.Text("compact", {{"path", "build.log"}}), TokenOf(log)));
  CHECK(Has(house.Text("compact", {{"path", path}}), TokenOf(log)));
  CHECK(Has(house.Refusal("compact", {{"path", "absent.log"}}), "no such file: absent.log"));
  CHECK(Has(house.Refusal("compact", {{"path", "/etc/passwd"}}), "outside of the folders that may be read"));
  CHECK(Has(house.Refusal("compact", {{"path", "../state/ccr.db"}}), "leads out"));
  CHECK(Has(house.Refusal("compact", {{"path", "."}}), "is a folder, not a file"));
  CHECK(Has(house.Refusal("compact", {{"path", ".env"}}), "known to hold secrets (dotenv)"));
  CHECK(Has(house.Refusal("compact", {{"path", ""}}), "not the name of a file"));
}

TEST_CASE("compact follows no link out of its roots, nor to a secret, and opens no device or pipe") {
  House house;
  std::string project = house.folder / "project";
  house.Write("key.pem", "secret");
  std::ofstream(house.folder / "outside") << "outside";
  REQUIRE(symlink((house.folder / "outside").c_str(), (project + "/out").c_str()) == 0);
  REQUIRE(symlink("key.pem", (project + "/innocent").c_str()) == 0);
  REQUIRE(symlink("/", (project + "/root").c_str()) == 0);
  REQUIRE(mkfifo((project + "/pipe").c_str(), 0600) == 0);
  CHECK(Has(house.Refusal("compact", {{"path", "out"}}), "leads out"));
  CHECK(Has(house.Refusal("compact", {{"path", "root/etc/passwd"}}), "leads out"));
  CHECK(Has(house.Refusal("compact", {{"path", "innocent"}}), "known to hold secrets"));
  CHECK(Has(house.Refusal("compact", {{"path", "pipe"}}), "not a regular file"));
}

TEST_CASE("a root is never /, the home folder or above it") {
  ScratchFolder home;
  SystemFiles().MakeFolder(home / "project").ok();
  std::vector<std::string> roots =
      UsableRoots({"/", "/tmp", home.path(), home / "project", home / "project/", home / "absent"}, home.path());
  CHECK(roots == std::vector<std::string>{home / "project"});
  CHECK(ReadBeneath({}, "a").error().cause == Cause::kDenied);
}

TEST_CASE("over HTTP the working folder is no root") {
  House house({}, {.roots = {}, .over_http = true, .pass_through = false});
  house.Write("build.log", "x");
  CHECK(Has(house.Refusal("compact", {{"path", "build.log"}}), "reads no files"));
}

TEST_CASE("PITH_NO_MCP: compact passes through, retrieval goes on") {
  House house({}, {.roots = {}, .over_http = false, .pass_through = true});
  std::string log = LogOf(2000);
  CHECK(house.Text("compact", {{"content", log}}) == log);
  CHECK(house.Text("tokenjuice_retrieve", {{"token", house.Stored("kept")}}) == "kept");
}

TEST_CASE("both names of the retrieval tool give the exact part asked for") {
  House house;
  std::string token = house.Stored("one\ntwo\nthree\n");
  for (const char* tool : {"tokenjuice_retrieve", "retrieve_tool_output"}) {
    CHECK(house.Text(tool, {{"token", token}}) == "one\ntwo\nthree\n");
    CHECK(house.Text(tool, {{"token", "tokenjuice_retrieve(\"" + token + "\")"}, {"lines", "2-2"}}) == "two\n");
    CHECK(house.Text(tool, {{"token", token}, {"pattern", "^t"}}) == "2:two\n3:three\n");
    CHECK(house.Text(tool, {{"token", token}, {"bytes", "4+3"}}) == "two");
  }
  mcp::ToolResult page = house.Call("tokenjuice_retrieve", {{"token", token}, {"limit", 5}});
  REQUIRE(page.content.size() == 2);
  CHECK(page.content[0].text == "one\nt");
  CHECK(page.content[1].text == "bytes 0-4 of 14; next offset 5");
}

TEST_CASE("bad arguments and misses are results that say what to do") {
  House house;
  std::string token = house.Stored("one\n");
  CHECK(Has(house.Refusal("tokenjuice_retrieve", {{"token", "zz"}}), "not a token: zz"));
  CHECK(Has(house.Refusal("tokenjuice_retrieve", {{"token", std::string(24, 'f')}}), "never stored here"));
  CHECK(Has(house.Refusal("tokenjuice_retrieve", {{"token", token}, {"lines", "x"}}), "lines must be ranges"));
  CHECK(Has(house.Refusal("tokenjuice_retrieve", {{"token", token}, {"pattern", "("}}), "bad pattern"));
  CHECK(Has(house.Refusal("tokenjuice_retrieve", {{"token", token}, {"json_path", "$["}}), "json_path is not valid"));
  CHECK(Has(house.Text("tokenjuice_retrieve", {{"token", token}, {"lines", "9-10"}}), "the original has 1 line"));
}

TEST_CASE("bytes that are not UTF-8 are shown as U+FFFD with a note, and come exact as base64") {
  House house;
  std::string bytes = "ok \xFF\xFE end\n";
  std::string token = house.Stored(bytes);
  mcp::ToolResult text = house.Call("tokenjuice_retrieve", {{"token", token}});
  REQUIRE(text.content.size() == 2);
  CHECK(text.content[0].text == "ok \xEF\xBF\xBD\xEF\xBF\xBD end\n");
  CHECK(Has(text.content[1].text, "2 bytes that are not UTF-8 shown as U+FFFD, at offset 3, 4"));
  mcp::ToolResult exact = house.Call("tokenjuice_retrieve", {{"token", token}, {"encoding", "base64"}});
  CHECK(exact.content[0].type == mcp::Content::Type::kBlobResource);
  CHECK(exact.content[0].blob == bytes);
  std::string binary = house.Stored(std::string("\0\1\2", 3), "binary");
  CHECK(house.Call("tokenjuice_retrieve", {{"token", binary}}).content[0].blob == std::string("\0\1\2", 3));
}

TEST_CASE("ccr_retrieve: the bare hash, ranges from 1, the words of the contract") {
  House house;
  std::string token = house.Stored("one\r\ntwo\nthree");
  CHECK(house.Text("ccr_retrieve", {{"hash", token}}) == "one\r\ntwo\nthree");
  CHECK(house.Text("ccr_retrieve", {{"hash", token}, {"range", {{"start", 2}, {"count", 9}}}}) == "two\nthree");
  CHECK(house.Text("ccr_retrieve", {{"hash", token}, {"range", {{"start", 4}, {"count", 1}}}}) ==
        "[ccr: line 4 is past the end, 3 lines stored]");
  CHECK(house.Refusal("ccr_retrieve", {{"hash", token}, {"range", {{"start", 0}, {"count", 1}}}}) ==
        "ccr: range needs integers start >= 1 and count >= 1");
  for (const std::string& wrong : {std::string(24, 'f'), "tj:" + token, token.substr(0, 20), token + "0"}) {
    CHECK(house.Refusal("ccr_retrieve", {{"hash", wrong}}) ==
          "ccr: no stored output for hash " + wrong +
              " (unknown). Use the 24-character hash from a <<<CCR:hash|type|size>>> marker, or re-run the original "
              "tool.");
  }
}

TEST_CASE("ccr_retrieve pages at line ends, and says how a line that is longer than a page goes on") {
  ServiceOptions options;
  options.page.page_bytes = 1000;
  House house(options);
  std::string log = LogOf(300);
  std::string token = house.Stored(log);
  std::string joined;
  uint64_t start = 1;
  while (start <= 300) {
    mcp::ToolResult page =
        house.Call("ccr_retrieve", {{"hash", token}, {"range", {{"start", start}, {"count", 301 - start}}}});
    CHECK(page.content[0].text.ends_with("\n"));
    joined += page.content[0].text;
    if (page.content.size() == 1) break;
    size_t at = page.content[1].text.find("{");
    start = Json::parse(page.content[1].text.substr(at))["start"].get<uint64_t>();
  }
  CHECK(joined == log);
  std::string wide = house.Stored("short\n" + std::string(3000, 'x') + "\n");
  mcp::ToolResult cut = house.Call("ccr_retrieve", {{"hash", wide}, {"range", {{"start", 2}, {"count", 1}}}});
  REQUIRE(cut.content.size() == 2);
  CHECK(cut.content[0].text == std::string(1000, 'x'));
  CHECK(Has(cut.content[1].text, "line 2 goes on: tokenjuice_retrieve token \"" + wide + "\", bytes \"1006+1000\""));
}

TEST_CASE("ccr_search finds a word inside a path, newest first, and says how far it got") {
  House house;
  Sighting here = testing::Seen("make", house.folder / "project");
  std::string token = house.service->store().Put("a\nsrc/widget_factory.cc:12\n", here)->token;
  std::string text = house.Text("ccr_search", {{"query", "widget"}});
  CHECK(Has(text, token));
  CHECK(Has(text, "2: src/widget_factory.cc:12"));
  CHECK(Has(text, "1 of 1 original searched"));
  CHECK(Has(house.Text("ccr_search", {{"query", "absent"}}), "no match"));
  CHECK(Has(house.Refusal("ccr_search", {{"query", " "}}), "query is empty"));
  CHECK(Has(house.Refusal("ccr_search", {{"query", "a"}, {"since", "soon"}}), "since must be"));
}

TEST_CASE("ccr_stats tells entries and savings") {
  House house;
  house.Call("compact", {{"content", LogOf(2000)}});
  CHECK(Has(house.Text("ccr_stats", Json::object()), "1 original,"));
}

TEST_CASE("originals are resources: listed for the project in pages, read exact, missed clearly") {
  House house;
  std::string newest;
  for (int at = 0; at < 60; ++at) {
    Sighting here = testing::Seen("make " + std::to_string(at), house.folder / "project");
    newest = house.service->store().Put("original " + std::to_string(at), here)->token;
  }
  house.Stored("elsewhere");
  auto first = house.registry.list_resources("", "");
  REQUIRE(first.ok());
  CHECK(first->resources.size() == 50);
  CHECK(house.registry.read_ttl_ms == 3'600'000);
  auto second = house.registry.list_resources(first->next_cursor, "");
  REQUIRE(second.ok());
  CHECK(second->resources.size() == 10);
  CHECK(second->next_cursor.empty());
  CHECK_FALSE(house.registry.list_resources("nonsense", "").ok());
  auto read = house.registry.read_resource("ccr://" + newest, house.context);
  REQUIRE(read.ok());
  CHECK(read->front().text == "original 59");
  CHECK(house.registry.read_resource("ccr://" + std::string(24, 'f'), house.context).error().cause == Cause::kNotFound);
  CHECK(house.registry.read_resource("file:///etc/passwd", house.context).error().cause == Cause::kNotFound);
  auto completed = house.registry.complete("ref/resource", "ccr://{token}", "token", newest.substr(0, 8));
  REQUIRE(completed.ok());
  CHECK(completed->values == std::vector<std::string>{newest});
}

TEST_CASE("the configuration's schema file is made from the table") {
  std::ifstream file(std::string(PITH_TEST_DATA) + "/../../schemas/config.json");
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  CHECK(text == ConfigSchema());  // `pith config --schema > schemas/config.json` after a change
}

}  // namespace pith
