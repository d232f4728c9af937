// The Java SDK: java -cp 'lib/*' Journey.java stdio|http legacy|modern. Does what journey.mjs does.
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.modern.client.transport.HttpClientMcpTransport;
import io.modelcontextprotocol.modern.client.transport.StdioMcpClientTransport;
import io.modelcontextprotocol.spec.McpSchema;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class Journey {
  static final List<String> TOOLS = List.of("compact", "tokenjuice_retrieve", "retrieve_tool_output", "ccr_retrieve",
      "ccr_search", "ccr_stats");
  static final Pattern TOKEN = Pattern.compile("PARTIAL view of \\d+ bytes.*\"([0-9a-f]{24})\"");
  static final Pattern GAP = Pattern.compile("omitted: (\\d+)-(\\d+)");
  static final Pattern NEXT = Pattern.compile("next offset (\\d+)");

  /** What both generations of the SDK's client can do. */
  interface Session extends AutoCloseable {
    List<String> toolNames();
    List<String> call(String name, Map<String, Object> arguments);
    void readFirstResource();
    String revision();
    @Override void close();
  }

  static void must(String what, boolean held) {
    if (!held) throw new IllegalStateException("not so: " + what);
  }

  static ServerParameters server() {
    return ServerParameters.builder(System.getenv("PITH")).args("serve").env(System.getenv()).build();
  }

  static Session legacy(String transport) {
    String url = System.getenv("PITH_URL");
    McpSyncClient client = McpClient.sync(transport.equals("http")
        ? HttpClientStreamableHttpTransport.builder(url.substring(0, url.lastIndexOf('/'))).build()
        : new StdioClientTransport(server(), McpJsonDefaults.getMapper())).build();
    client.initialize();
    return new Session() {
      public List<String> toolNames() { return client.listTools().tools().stream().map(McpSchema.Tool::name).toList(); }
      public List<String> call(String name, Map<String, Object> arguments) {
        McpSchema.CallToolResult result = client.callTool(new McpSchema.CallToolRequest(name, arguments));
        must("a result and no error", !Boolean.TRUE.equals(result.isError()) && result.structuredContent() == null);
        return result.content().stream().map(block -> ((McpSchema.TextContent) block).text()).toList();
      }
      public void readFirstResource() { client.readResource(client.listResources().resources().get(0)); }
      public String revision() { return client.getCurrentInitializationResult().protocolVersion(); }
      public void close() { client.closeGracefully(); }
    };
  }

  static Session modern(String transport) {
    StdioMcpClientTransport stdio =
        transport.equals("http") ? null : StdioMcpClientTransport.builder(server()).start();
    var client = io.modelcontextprotocol.modern.client.McpClient
        .sync(stdio != null ? stdio : HttpClientMcpTransport.builder(System.getenv("PITH_URL")).build()).build();
    return new Session() {
      public List<String> toolNames() { return client.tools().list().tools().stream().map(tool -> tool.name()).toList(); }
      public List<String> call(String name, Map<String, Object> arguments) {
        var result = client.tool(name).arguments(arguments).call();
        must("a result and no error", !Boolean.TRUE.equals(result.isError()) && result.structuredContent() == null);
        return result.content().stream()
            .map(block -> ((io.modelcontextprotocol.modern.McpSchema.TextContent) block).text()).toList();
      }
      public void readFirstResource() { client.resource(client.resources().list().resources().get(0).uri()).read(); }
      public String revision() { return client.discover().supportedVersions().get(0); }
      public void close() { if (stdio != null) stdio.close(); }
    };
  }

  static String fetchAll(Session session, Map<String, Object> arguments) {
    StringBuilder bytes = new StringBuilder();
    for (long offset = 0; offset >= 0;) {
      Map<String, Object> page = new HashMap<>(arguments);
      page.put("offset", offset);
      List<String> blocks = session.call("tokenjuice_retrieve", page);
      bytes.append(blocks.get(0));
      Matcher next = NEXT.matcher(String.join(" ", blocks.subList(1, blocks.size())));
      offset = next.find() ? Long.parseLong(next.group(1)) : -1;
    }
    return bytes.toString();
  }

  static String journey(Session session) throws Exception {
    must("the six tools in their order", session.toolNames().equals(TOOLS));
    String original = Files.readString(Path.of(System.getenv("SAMPLE")));
    String view = session.call("compact", Map.of("content", original, "command", "make")).get(0);
    must("a view much smaller than its original", view.length() < original.length() / 2);
    Matcher footer = TOKEN.matcher(view);
    must("a footer with a token", footer.find());
    String token = footer.group(1);
    List<String> lines = new ArrayList<>();
    for (int from = 0, end; from < original.length(); from = end) {
      end = original.indexOf('\n', from) + 1;
      if (end == 0) end = original.length();
      lines.add(original.substring(from, end));
    }
    int gaps = 0;
    for (Matcher gap = GAP.matcher(view); gap.find(); ++gaps) {
      int first = Integer.parseInt(gap.group(1)), last = Integer.parseInt(gap.group(2));
      String bytes = fetchAll(session, Map.of("token", token, "lines", first + "-" + last));
      must(gap.group() + " comes back exactly", bytes.equals(String.join("", lines.subList(first - 1, last))));
    }
    must("gaps", gaps > 0);
    must("the whole comes back exactly", fetchAll(session, Map.of("token", token)).equals(original));
    session.readFirstResource();
    return "ok: " + gaps + " gaps and " + original.length() + " characters compared, " + session.revision();
  }

  public static void main(String[] words) throws Exception {
    String said;
    try (Session session = words[1].equals("legacy") ? legacy(words[0]) : modern(words[0])) {
      said = journey(session);
    }
    System.out.println(said);
    System.exit(0);
  }
}
