//! Lines of documentation that tell what `.proto` itself has no word for.
//! Their table, which is a promise to users, stands in the documentation of [`source`](super).

use super::tidy_doc;
use crate::schema::{Constant, Width};
use std::fmt::Write;

/// One such line.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Mark {
    List,
    Entry,
    Set,
    Narrow { signed: bool, width: Width },
    Implicit,
    Group,
    Number(i32),
    Default(Constant),
    EntryName(String),
    Open,
    Placeholder,
    Name(String),
}

const PREFIX: &str = "bantam: ";

impl Mark {
    fn parse(line: &str) -> Option<Self> {
        let line = line.strip_prefix(PREFIX)?;
        let narrow = |signed, width| Self::Narrow { signed, width };
        Some(match line.split_once(' ') {
            None => match line {
                "list" => Self::List,
                "entry" => Self::Entry,
                "set" => Self::Set,
                "int8" => narrow(true, Width::W8),
                "int16" => narrow(true, Width::W16),
                "uint8" => narrow(false, Width::W8),
                "uint16" => narrow(false, Width::W16),
                "implicit" => Self::Implicit,
                "group" => Self::Group,
                "open" => Self::Open,
                "placeholder" => Self::Placeholder,
                _ => return None,
            },
            Some(("number", number)) => Self::Number(number.parse().ok()?),
            Some(("name", name)) => Self::Name(quoted(name)?),
            Some(("entry", name)) => Self::EntryName(quoted(name)?),
            Some(("default", value)) => Self::Default(Reader { rest: value }.whole()?),
            Some(_) => return None,
        })
    }

    /// The line, as a comment holds it.
    pub(super) fn line(&self) -> String {
        let word = match self {
            Self::List => "list",
            Self::Entry => "entry",
            Self::Set => "set",
            Self::Narrow { signed: true, width: Width::W8 } => "int8",
            Self::Narrow { signed: true, .. } => "int16",
            Self::Narrow { signed: false, width: Width::W8 } => "uint8",
            Self::Narrow { signed: false, .. } => "uint16",
            Self::Implicit => "implicit",
            Self::Group => "group",
            Self::Open => "open",
            Self::Placeholder => "placeholder",
            Self::Number(number) => return format!("{PREFIX}number {number}"),
            Self::Name(name) => return format!("{PREFIX}name {}", quote(name)),
            Self::EntryName(name) => return format!("{PREFIX}entry {}", quote(name)),
            Self::Default(value) => {
                let mut out = format!("{PREFIX}default ");
                write_constant(&mut out, value);
                return out;
            }
        };
        format!("{PREFIX}{word}")
    }
}

/// Splits a comment's text into documentation and marks.
pub(super) fn split(comment: &str) -> (String, Vec<Mark>) {
    let mut marks = Vec::new();
    let lines = comment.lines().filter(|line| match Mark::parse(line.trim()) {
        Some(mark) => {
            marks.push(mark);
            false
        }
        None => true,
    });
    // One space after the comment sign belongs to the sign.
    let doc = tidy_doc(lines.map(|line| line.strip_prefix(' ').unwrap_or(line)));
    (doc, marks)
}

/// A string in quotes, with the escapes `\"`, `\\`, `\n`, `\r`, `\t` and `\u{…}` for other control characters.
pub(super) fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            // Line separators would end the line for some readers.
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}') => {
                let _ = write!(out, "\\u{{{:x}}}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn quoted(text: &str) -> Option<String> {
    let mut reader = Reader { rest: text };
    let text = reader.string()?;
    reader.rest.is_empty().then_some(text)
}

fn write_constant(out: &mut String, value: &Constant) {
    match value {
        Constant::Bool(value) => {
            let _ = write!(out, "{value}");
        }
        Constant::Int(value) => {
            let _ = write!(out, "{value}");
        }
        // The debug form always has a point or an exponent, so that it is no integer.
        Constant::Float(value) => {
            let _ = write!(out, "{value:?}");
        }
        Constant::String(text) => out.push_str(&quote(text)),
        Constant::Bytes(bytes) => {
            out.push_str("x\"");
            for byte in bytes {
                let _ = write!(out, "{byte:02x}");
            }
            out.push('"');
        }
        Constant::List(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at == 0 { "" } else { ", " });
                write_constant(out, item);
            }
            out.push(']');
        }
        Constant::Map(entries) => {
            out.push('{');
            for (at, (key, value)) in entries.iter().enumerate() {
                out.push_str(if at == 0 { "" } else { ", " });
                write_constant(out, key);
                out.push_str(": ");
                write_constant(out, value);
            }
            out.push('}');
        }
    }
}

/// Reads what [`write_constant`] writes.
struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    /// Nesting that no written default reaches.
    const DEPTH: usize = 64;

    fn whole(mut self) -> Option<Constant> {
        let value = self.value(Self::DEPTH)?;
        self.rest.is_empty().then_some(value)
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.rest.strip_prefix(text);
        self.rest = found.unwrap_or(self.rest);
        found.is_some()
    }

    fn value(&mut self, depth: usize) -> Option<Constant> {
        let depth = depth.checked_sub(1)?;
        if self.rest.starts_with('"') {
            return self.string().map(Constant::String);
        }
        if self.rest.starts_with("x\"") {
            return self.bytes().map(Constant::Bytes);
        }
        if self.eat("[") {
            let mut items = Vec::new();
            while !self.eat("]") {
                if !items.is_empty() && !self.eat(", ") {
                    return None;
                }
                items.push(self.value(depth)?);
            }
            return Some(Constant::List(items));
        }
        if self.eat("{") {
            let mut entries = Vec::new();
            while !self.eat("}") {
                if !entries.is_empty() && !self.eat(", ") {
                    return None;
                }
                let key = self.value(depth)?;
                entries.push((key, self.eat(": ").then(|| self.value(depth))??));
            }
            return Some(Constant::Map(entries));
        }
        self.word()
    }

    fn word(&mut self) -> Option<Constant> {
        let end = self.rest.find([',', ']', '}', ':', ' ']).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        match word {
            "true" => Some(Constant::Bool(true)),
            "false" => Some(Constant::Bool(false)),
            _ => match word.parse() {
                Ok(int) => Some(Constant::Int(int)),
                Err(_) => word.parse().ok().map(Constant::Float),
            },
        }
    }

    fn bytes(&mut self) -> Option<Vec<u8>> {
        let (digits, rest) = self.rest.strip_prefix("x\"")?.split_once('"')?;
        self.rest = rest;
        let pair = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
        (0..digits.len()).step_by(2).map(pair).collect()
    }

    fn string(&mut self) -> Option<String> {
        let mut text = String::new();
        let mut chars = self.rest.strip_prefix('"')?.chars();
        loop {
            match chars.next()? {
                '"' => break,
                '\\' => text.push(match chars.next()? {
                    'n' => '\n',
                    'r' => '\r',
                    't' => '\t',
                    'u' => {
                        let (code, rest) = chars.as_str().strip_prefix('{')?.split_once('}')?;
                        chars = rest.chars();
                        char::from_u32(u32::from_str_radix(code, 16).ok()?)?
                    }
                    c @ ('"' | '\\') => c,
                    _ => return None,
                }),
                c => text.push(c),
            }
        }
        self.rest = chars.as_str();
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mark_is_read_as_it_is_written() {
        let list = Constant::List(vec![Constant::Int(-1), Constant::Float(2.0), Constant::Bool(true)]);
        let key = Constant::String("a\"\\\n\u{1}: ]é".into());
        let map = Constant::Map(vec![(key, list), (Constant::Bytes(vec![0, 255]), Constant::Float(f64::INFINITY))]);
        for mark in [
            Mark::List,
            Mark::Entry,
            Mark::Set,
            Mark::Narrow { signed: true, width: Width::W8 },
            Mark::Narrow { signed: true, width: Width::W16 },
            Mark::Narrow { signed: false, width: Width::W8 },
            Mark::Narrow { signed: false, width: Width::W16 },
            Mark::Implicit,
            Mark::Group,
            Mark::Open,
            Mark::Placeholder,
            Mark::Number(-3),
            Mark::Name("content-type \"x\"\n".into()),
            Mark::EntryName("a.b".into()),
            Mark::Default(map),
            Mark::Default(Constant::List(vec![])),
        ] {
            assert_eq!(split(&format!(" {}\n", mark.line())), (String::new(), vec![mark]));
        }
    }

    #[test]
    fn other_lines_are_documentation() {
        let (doc, marks) = split(" One.\n bantam: list\n\n   bantam: lists of things\n bantam: name x\n");
        assert_eq!((doc.as_str(), marks.len()), ("One.\n\n  bantam: lists of things\nbantam: name x", 1));
        let deep = format!("bantam: default {}", "[".repeat(100_000));
        assert!(split(&deep).1.is_empty());
    }
}
