// The Go SDK: main stdio|http [REVISION]. Does what journey.mjs does; without REVISION the SDK negotiates.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var (
	tools = []string{"compact", "tokenjuice_retrieve", "retrieve_tool_output", "ccr_retrieve", "ccr_search", "ccr_stats"}
	token = regexp.MustCompile(`PARTIAL view of \d+ bytes.*"([0-9a-f]{24})"`)
	gap   = regexp.MustCompile(`omitted: (\d+)-(\d+)`)
	next  = regexp.MustCompile(`next offset (\d+)`)
)

func must(what string, held bool) {
	if !held {
		log.Fatalf("not so: %s", what)
	}
}

func try[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

// texts gives the text blocks of a call that is no error.
func texts(session *mcp.ClientSession, name string, arguments map[string]any) []string {
	result := try(session.CallTool(context.Background(), &mcp.CallToolParams{Name: name, Arguments: arguments}))
	must("a result and no error", !result.IsError && result.StructuredContent == nil)
	var blocks []string
	for _, block := range result.Content {
		blocks = append(blocks, block.(*mcp.TextContent).Text)
	}
	return blocks
}

func fetchAll(session *mcp.ClientSession, arguments map[string]any) string {
	var bytes strings.Builder
	for offset := 0; offset >= 0; {
		arguments["offset"] = offset
		blocks := texts(session, "tokenjuice_retrieve", arguments)
		bytes.WriteString(blocks[0])
		offset = -1
		if found := next.FindStringSubmatch(strings.Join(blocks[1:], " ")); found != nil {
			fmt.Sscan(found[1], &offset)
		}
	}
	return bytes.String()
}

func journey(session *mcp.ClientSession) string {
	var names []string
	for _, tool := range try(session.ListTools(context.Background(), nil)).Tools {
		names = append(names, tool.Name)
	}
	must("the six tools in their order", slices.Equal(names, tools))
	original := string(try(os.ReadFile(os.Getenv("SAMPLE"))))
	view := texts(session, "compact", map[string]any{"content": original, "command": "make"})[0]
	must("a view much smaller than its original", len(view) < len(original)/2)
	name := token.FindStringSubmatch(view)[1]
	gaps := gap.FindAllStringSubmatch(view, -1)
	must("gaps", len(gaps) > 0)
	lines := strings.SplitAfter(original, "\n")
	for _, at := range gaps {
		var first, last int
		fmt.Sscan(at[1], &first)
		fmt.Sscan(at[2], &last)
		bytes := fetchAll(session, map[string]any{"token": name, "lines": at[1] + "-" + at[2]})
		must("the gap "+at[0]+" comes back exactly", bytes == strings.Join(lines[first-1:last], ""))
	}
	must("the whole comes back exactly", fetchAll(session, map[string]any{"token": name}) == original)
	resources := try(session.ListResources(context.Background(), nil)).Resources
	must("the original is a resource", len(resources) > 0)
	try(session.ReadResource(context.Background(), &mcp.ReadResourceParams{URI: resources[0].URI}))
	return fmt.Sprintf("ok: %d gaps and %d bytes compared, %s", len(gaps), len(original), session.InitializeResult().ProtocolVersion)
}

func main() {
	log.SetFlags(0)
	var transport mcp.Transport = &mcp.CommandTransport{Command: exec.Command(os.Getenv("PITH"), "serve")}
	if os.Args[1] == "http" {
		transport = &mcp.StreamableClientTransport{Endpoint: os.Getenv("PITH_URL")}
	}
	options := &mcp.ClientSessionOptions{}
	if len(os.Args) > 2 {
		options.ProtocolVersion = os.Args[2]
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "pith-test-go", Version: "1.0.0"}, nil)
	session := try(client.Connect(context.Background(), transport, options))
	said := journey(session)
	if err := session.Close(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(said)
}
