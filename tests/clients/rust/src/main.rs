//! The Rust SDK: pith-client stdio|http legacy|auto|modern. Does what journey.mjs does.
use rmcp::model::{CallToolRequestParams, ProtocolVersion, ReadResourceRequestParams};
use rmcp::service::{RoleClient, RunningService};
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use rmcp::{ClientLifecycleMode, ClientServiceExt};
use serde_json::{Value, json};

type Session = RunningService<RoleClient, ()>;
type Any<T> = Result<T, Box<dyn std::error::Error>>;

const TOOLS: [&str; 6] =
    ["compact", "tokenjuice_retrieve", "retrieve_tool_output", "ccr_retrieve", "ccr_search", "ccr_stats"];

/// What stands between the first `before` and the `after` that follows it, and the rest.
fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<(&'a str, &'a str)> {
    text.split_once(before)?.1.split_once(after)
}

/// The line ranges of all gaps, as "first-last".
fn gaps_of(view: &str) -> Vec<(usize, usize)> {
    let pieces = view.split("omitted: ").skip(1);
    let digits = |text: &str| text.chars().take_while(char::is_ascii_digit).collect::<String>();
    pieces
        .filter_map(|piece| {
            let first = digits(piece);
            let last = digits(piece.strip_prefix(&first)?.strip_prefix('-')?);
            Some((first.parse().ok()?, last.parse().ok()?))
        })
        .collect()
}

async fn call(session: &Session, name: &'static str, arguments: Value) -> Any<Vec<String>> {
    let params = CallToolRequestParams::new(name).with_arguments(arguments.as_object().cloned().unwrap_or_default());
    let result = session.call_tool(params).await?;
    assert!(!result.is_error.unwrap_or(false), "{result:?}");
    assert!(result.structured_content.is_none());
    Ok(result.content.iter().filter_map(|block| block.as_text()).map(|text| text.text.clone()).collect())
}

async fn fetch_all(session: &Session, mut arguments: Value) -> Any<String> {
    let mut bytes = String::new();
    let mut offset = Some(0u64);
    while let Some(at) = offset {
        arguments["offset"] = json!(at);
        let blocks = call(session, "tokenjuice_retrieve", arguments.clone()).await?;
        bytes += &blocks[0];
        let note = blocks[1..].join(" ") + ";";
        offset = between(&note, "next offset ", ";").map(|found| found.0.parse()).transpose()?;
    }
    Ok(bytes)
}

async fn journey(session: &Session) -> Any<String> {
    let tools = session.list_all_tools().await?;
    assert_eq!(tools.iter().map(|tool| tool.name.as_ref()).collect::<Vec<_>>(), TOOLS);
    let original = std::fs::read_to_string(std::env::var("SAMPLE")?)?;
    let view = call(session, "compact", json!({"content": original, "command": "make"})).await?.remove(0);
    assert!(view.len() < original.len() / 2, "the view is much smaller than its original");
    let footer = between(&view, "PARTIAL view of ", "]").expect("a footer").0;
    let token = between(footer, "\"", "\"").expect("a token").0;
    let gaps = gaps_of(&view);
    assert!(!gaps.is_empty());
    let lines: Vec<&str> = original.split_inclusive('\n').collect();
    for &(first, last) in &gaps {
        let bytes = fetch_all(session, json!({"token": token, "lines": format!("{first}-{last}")})).await?;
        assert_eq!(bytes, lines[first - 1..last].concat(), "the gap {first}-{last} comes back exactly");
    }
    assert!(fetch_all(session, json!({"token": token})).await? == original, "the whole comes back exactly");
    let resources = session.list_all_resources().await?;
    session.read_resource(ReadResourceRequestParams::new(resources[0].uri.clone())).await?;
    let revision = session.peer_info().map(|info| info.protocol_version.to_string()).unwrap_or_default();
    Ok(format!("ok: {} gaps and {} bytes compared, {revision}", gaps.len(), original.len()))
}

async fn connect(transport: &str, mode: ClientLifecycleMode) -> Any<Session> {
    if transport == "http" {
        let http = StreamableHttpClientTransport::from_uri(std::env::var("PITH_URL")?);
        return Ok(().serve_with_lifecycle(http, mode).await?);
    }
    let mut command = tokio::process::Command::new(std::env::var("PITH")?);
    command.arg("serve");
    Ok(().serve_with_lifecycle(TokioChildProcess::new(command)?, mode).await?)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Any<()> {
    let words: Vec<String> = std::env::args().collect();
    let newest = vec![ProtocolVersion::V_2026_07_28];
    let mode = match words[2].as_str() {
        "legacy" => ClientLifecycleMode::Initialize,
        "auto" => ClientLifecycleMode::Auto { preferred_versions: newest, legacy_version: None },
        _ => ClientLifecycleMode::Discover { preferred_versions: newest },
    };
    let session = connect(&words[1], mode).await?;
    let said = journey(&session).await?;
    session.cancel().await?;
    println!("{said}");
    Ok(())
}
