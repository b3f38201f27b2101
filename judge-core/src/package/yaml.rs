//! YAML as a tree that keeps line numbers and the scalars' own text.
//!
//! `name: NO` stays `NO`, and `[float_tolerance, 1e-6]` keeps `1e-6`: whoever reads a value decides its type.

use std::collections::HashMap;

use saphyr_parser::{Event, Parser, ScalarStyle};

/// Nodes after which a document is refused (aliases count each time they are used).
const NODE_CAP: usize = 100_000;
const DEPTH_CAP: usize = 64;

/// A value and the line it begins on, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) line: usize,
    pub(super) value: Value,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// `plain`: written without quotes, so `null` and `~` mean nothing.
    Scalar {
        text: String,
        plain: bool,
    },
    Sequence(Vec<Node>),
    Mapping(Vec<Entry>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) line: usize,
    pub(super) node: Node,
}

/// Why a text is no YAML document that a package may hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct YamlError {
    pub(super) line: usize,
    pub(super) message: String,
}

/// Parses the first document; an empty text is an empty mapping.
pub(super) fn parse(text: &str) -> Result<Node, YamlError> {
    let mut builder = Builder { parser: Parser::new_from_str(text), anchors: HashMap::new(), nodes: 0 };
    loop {
        let (event, line) = builder.next()?;
        match event {
            Event::Nothing | Event::StreamStart | Event::DocumentStart(_) => {}
            Event::StreamEnd | Event::DocumentEnd => return Ok(Node { line, value: Value::Mapping(Vec::new()) }),
            first => return builder.node(first, line, 0),
        }
    }
}

struct Builder<'a> {
    parser: Parser<'a, saphyr_parser::StrInput<'a>>,
    anchors: HashMap<usize, Node>,
    nodes: usize,
}

impl<'a> Builder<'a> {
    fn next(&mut self) -> Result<(Event<'a>, usize), YamlError> {
        match self.parser.next_event() {
            Some(Ok((event, span))) => Ok((event, span.start.line())),
            Some(Err(error)) => Err(YamlError { line: error.marker().line(), message: error.info().to_owned() }),
            None => Ok((Event::StreamEnd, 0)),
        }
    }

    fn node(&mut self, event: Event<'a>, line: usize, depth: usize) -> Result<Node, YamlError> {
        self.grow(1, line)?;
        if depth > DEPTH_CAP {
            return Err(YamlError { line, message: format!("nested more than {DEPTH_CAP} deep") });
        }
        let (value, anchor) = match event {
            Event::Scalar(text, style, anchor, _) => {
                (Value::Scalar { text: text.into_owned(), plain: style == ScalarStyle::Plain }, anchor)
            }
            Event::SequenceStart(anchor, _) => (self.sequence(depth)?, anchor),
            Event::MappingStart(anchor, _) => (self.mapping(depth)?, anchor),
            Event::Alias(anchor) => {
                let node = self.anchors.get(&anchor).cloned();
                let node = node.ok_or_else(|| YamlError { line, message: "an alias inside its own anchor".into() })?;
                self.grow(size(&node), line)?;
                return Ok(node);
            }
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd
            | Event::SequenceEnd
            | Event::MappingEnd => return Err(YamlError { line, message: "a value is missing".to_owned() }),
        };
        let node = Node { line, value };
        if anchor > 0 {
            self.anchors.insert(anchor, node.clone());
        }
        Ok(node)
    }

    fn sequence(&mut self, depth: usize) -> Result<Value, YamlError> {
        let mut nodes = Vec::new();
        loop {
            match self.next()? {
                (Event::SequenceEnd, _) => return Ok(Value::Sequence(nodes)),
                (event, line) => nodes.push(self.node(event, line, depth + 1)?),
            }
        }
    }

    fn mapping(&mut self, depth: usize) -> Result<Value, YamlError> {
        let mut entries: Vec<Entry> = Vec::new();
        loop {
            let (event, line) = self.next()?;
            if matches!(event, Event::MappingEnd) {
                return Ok(Value::Mapping(entries));
            }
            let key = match self.node(event, line, depth + 1)?.value {
                Value::Scalar { text, .. } => text,
                Value::Sequence(_) | Value::Mapping(_) => {
                    return Err(YamlError { line, message: "a key must be a plain text".to_owned() });
                }
            };
            if entries.iter().any(|entry| entry.key == key) {
                return Err(YamlError { line, message: format!("the key `{key}` appears twice") });
            }
            let (event, value_line) = self.next()?;
            let node = self.node(event, value_line, depth + 1)?;
            entries.push(Entry { key, line, node });
        }
    }

    fn grow(&mut self, nodes: usize, line: usize) -> Result<(), YamlError> {
        self.nodes += nodes;
        if self.nodes > NODE_CAP {
            return Err(YamlError { line, message: format!("more than {NODE_CAP} values") });
        }
        Ok(())
    }
}

fn size(node: &Node) -> usize {
    1 + match &node.value {
        Value::Scalar { .. } => 0,
        Value::Sequence(nodes) => nodes.iter().map(size).sum(),
        Value::Mapping(entries) => entries.iter().map(|entry| size(&entry.node)).sum(),
    }
}

impl Node {
    /// The entries of a mapping; nothing for a null.
    pub(super) fn entries(&self) -> Option<&[Entry]> {
        match &self.value {
            Value::Mapping(entries) => Some(entries),
            Value::Scalar { .. } if self.is_null() => Some(&[]),
            Value::Scalar { .. } | Value::Sequence(_) => None,
        }
    }

    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        let entry = self.entries()?.iter().find(|entry| entry.key == key)?;
        Some(&entry.node).filter(|node| !node.is_null())
    }

    pub(super) fn is_null(&self) -> bool {
        matches!(&self.value, Value::Scalar { text, plain: true } if matches!(text.as_str(), "" | "~" | "null" | "Null" | "NULL"))
    }

    /// A scalar's own text.
    pub(super) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar { text, .. } if !self.is_null() => Some(text),
            Value::Scalar { .. } | Value::Sequence(_) | Value::Mapping(_) => None,
        }
    }

    /// A finite number.
    pub(super) fn number(&self) -> Option<f64> {
        self.text()?.trim().replace('_', "").parse().ok().filter(|number: &f64| number.is_finite())
    }

    pub(super) fn boolean(&self) -> Option<bool> {
        match self.text()?.to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" => Some(true),
            "false" | "no" | "off" => Some(false),
            _ => None,
        }
    }

    /// A list of scalars as their texts, or one text split at white space.
    pub(super) fn words(&self) -> Option<Vec<String>> {
        match &self.value {
            Value::Sequence(nodes) => nodes.iter().map(|node| node.text().map(str::to_owned)).collect(),
            Value::Scalar { text, .. } if !self.is_null() => Some(text.split_whitespace().map(str::to_owned).collect()),
            Value::Scalar { .. } => Some(Vec::new()),
            Value::Mapping(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_keep_their_text_and_lines() {
        let node =
            parse("name: NO\nargs: [float_tolerance, 1e-6]\nlimits:\n  memory: 64\nempty:\n").expect("well formed");
        assert_eq!(node.get("name").and_then(Node::text), Some("NO"));
        assert_eq!(node.get("args").and_then(Node::words), Some(vec!["float_tolerance".into(), "1e-6".into()]));
        let memory = node.get("limits").and_then(|limits| limits.get("memory")).expect("memory");
        assert_eq!((memory.number(), memory.line), (Some(64.0), 4));
        assert_eq!(node.get("empty"), None);
        assert_eq!(parse("").expect("empty").entries(), Some(&[][..]));
    }

    #[test]
    fn faults_name_their_line() {
        assert_eq!(parse("a: 1\nb: [1, 2\nc: 3\n").expect_err("unclosed").line, 3);
        let twice = parse("a: 1\na: 2\n").expect_err("twice");
        assert_eq!((twice.line, twice.message.as_str()), (2, "the key `a` appears twice"));
        assert!(parse("? [1]\n: 2\n").expect_err("complex key").message.contains("plain text"));
    }

    #[test]
    fn bombs_are_refused() {
        let mut laughs = "a0: &a0 [x]\n".to_owned();
        for level in 1..40 {
            let before = format!("*a{}", level - 1);
            laughs += &format!("a{level}: &a{level} [{before}, {before}, {before}, {before}]\n");
        }
        assert!(parse(&laughs).expect_err("a billion laughs").message.contains("values"));
        assert!(parse(&"[".repeat(5000)).is_err());
    }
}
