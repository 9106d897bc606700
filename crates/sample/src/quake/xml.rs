//! Elements of a document, two spaces a level, as `SeisComP` writes them.

use super::number::{Micros, push, push_time};
use std::fmt::Display;
use std::io::Write;

/// Writes elements at a level.
pub(super) struct Xml<'o> {
    pub(super) out: &'o mut Vec<u8>,
    pub(super) level: usize,
}

impl Xml<'_> {
    fn indent(&mut self) {
        self.out.resize(self.out.len() + 2 * self.level, b' ');
    }

    fn tag(&mut self, before: &[u8], name: &str, after: &[u8]) {
        self.out.extend_from_slice(before);
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(after);
    }

    /// An element with attributes, and with what `fill` writes into it.
    pub(super) fn with(&mut self, name: &str, attributes: &[(&str, &str)], fill: impl FnOnce(&mut Xml<'_>)) {
        self.start(name, attributes);
        self.out.extend_from_slice(b">\n");
        fill(&mut Xml { out: self.out, level: self.level + 1 });
        self.indent();
        self.tag(b"</", name, b">\n");
    }

    /// An element with what `fill` writes into it.
    pub(super) fn of(&mut self, name: &str, fill: impl FnOnce(&mut Xml<'_>)) {
        self.with(name, &[], fill);
    }

    /// An element with attributes only.
    pub(super) fn empty(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.start(name, attributes);
        self.out.extend_from_slice(b"/>\n");
    }

    fn start(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.indent();
        self.tag(b"<", name, b"");
        for (name, value) in attributes {
            self.tag(b" ", name, b"=\"");
            escaped(self.out, value);
            self.out.push(b'"');
        }
    }

    fn leaf(&mut self, name: &str, write: impl FnOnce(&mut Vec<u8>)) {
        self.indent();
        self.tag(b"<", name, b">");
        write(self.out);
        self.tag(b"</", name, b">\n");
    }

    pub(super) fn text(&mut self, name: &str, text: &str) {
        self.leaf(name, |out| escaped(out, text));
    }

    pub(super) fn number(&mut self, name: &str, value: f64) {
        self.leaf(name, |out| push(out, value));
    }

    pub(super) fn count(&mut self, name: &str, count: impl Display) {
        self.leaf(name, |out| write!(out, "{count}").expect("memory takes any bytes"));
    }

    pub(super) fn time(&mut self, name: &str, time: Micros) {
        self.leaf(name, |out| push_time(out, time));
    }

    /// A quantity: a number, perhaps with its uncertainty.
    pub(super) fn quantity(&mut self, name: &str, value: f64, uncertainty: Option<f64>) {
        self.of(name, |xml| {
            xml.number("value", value);
            if let Some(uncertainty) = uncertainty {
                xml.number("uncertainty", uncertainty);
            }
        });
    }
}

fn escaped(out: &mut Vec<u8>, text: &str) {
    for &byte in text.as_bytes() {
        match byte {
            b'&' => out.extend_from_slice(b"&amp;"),
            b'<' => out.extend_from_slice(b"&lt;"),
            b'"' => out.extend_from_slice(b"&quot;"),
            _ => out.push(byte),
        }
    }
}
