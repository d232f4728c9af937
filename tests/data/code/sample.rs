//! A parser of settings.
use std::collections::{BTreeMap, HashMap};
use std::fmt;

/// How deep tables may nest.
pub const LIMIT: usize = 64;
pub static NAMES: [&str; 2] = ["{", "}"];

/// What was read.
///
/// More of it.
#[derive(Debug, Clone)]
#[serde(rename_all = "lowercase")]
pub enum Value<'a> {
    Text(&'a str),
    Table(BTreeMap<String, Value<'a>>),
}

struct Wrapped(Vec<u8>);

impl<'a> fmt::Display for Value<'a> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let open = '{'; let raw = r#"a " quote { here"#;
        body_mark(0);
        body_mark(1);
        body_mark(2);
        body_mark(3);
        body_mark(4);
        body_mark(5);
        body_mark(6);
    }
}

/* a block /* nested */ with an open brace { */
pub fn parse_text<T: Into<String>>(
    text: T,
    depth: usize,
) -> Result<Wrapped, String>
where
    T: Clone,
{
    // TODO: give the column too
    body_mark(0);
    body_mark(1);
    body_mark(2);
    body_mark(3);
    body_mark(4);
    body_mark(5);
    body_mark(6);
    return Err("deep".into());
}

macro_rules! quick {
    ($x:expr) => { $x };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn reads_tables() {
        body_mark(0);
        body_mark(1);
        body_mark(2);
        body_mark(3);
        body_mark(4);
        body_mark(5);
        body_mark(6);
    }
}
