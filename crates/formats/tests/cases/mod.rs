//! What the tables of cases share: bytes in a readable notation, and what reading them gives in one line.

#![allow(unreachable_pub, dead_code, reason = "each test binary has its own copy and uses a part")]

use bantam_formats::{Framing, find};
use bantam_model::{Batch, Layout, Limits, Result, Row, source};
use std::fmt::Write as _;
use std::sync::Arc;

/// A layout of a message of a schema text, with or without room for unknown fields. The name tells the language.
pub fn layout(name: &str, text: &str, message: &str, keeps: bool) -> Arc<Layout> {
    let schema = source::read(name, text.as_bytes(), &[]).unwrap_or_else(|e| panic!("{name}: {e}")).schema;
    let root = schema.find(message).expect("the message is in the schema");
    let build = if keeps { Layout::keeping_unknown } else { Layout::new };
    Arc::new(build(schema, root).expect("a valid schema"))
}

/// Reads an input as a codec that knows nothing yet does.
pub fn read<'a>(format: &str, layout: &Arc<Layout>, input: &'a [u8], framing: Framing) -> Result<Batch<'a>> {
    let mut batch =
        Batch::with_limits(layout.clone(), Limits::default().depth(10).string_bytes(64).batch_bytes(1 << 20));
    let mut codec = (find(format).expect("a format").engines[0].build)(layout)?;
    codec.decode(input, framing, &mut batch)?;
    Ok(batch)
}

/// Reads an input as one record and shows it as JSON, with the number of fields left out and the bytes of the unknown
/// ones; or the error.
pub fn shown(format: &str, layout: &Arc<Layout>, input: &[u8]) -> String {
    match read(format, layout, input, Framing::Each) {
        Err(error) => error.to_string(),
        Ok(batch) => {
            let row = batch.get(0).expect("one record");
            let mut text = String::from_utf8(written("json", row)).expect("JSON is UTF-8");
            if batch.skipped() > 0 {
                write!(text, " skipped {}", batch.skipped()).expect("text takes text");
            }
            if let Some(bytes) = row.unknown().map(<[u8]>::to_vec).reduce(|all, one| [all, one].concat()) {
                write!(text, " unknown {bytes:02x?}").expect("text takes text");
            }
            text
        }
    }
}

/// One record by itself.
pub fn written(format: &str, row: Row<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    let mut codec = (find(format).expect("a format").engines[0].build)(row.batch().layout()).expect("a codec");
    codec.encode_each(row, &mut out).unwrap_or_else(|e| panic!("{format}: {e}"));
    out
}

/// Bytes: pairs of hexadecimal digits, `'text'`, and `7/2` for the tag of Protocol Buffers' field 7 of wire type 2,
/// split by spaces; `*9` repeats what stands before it to nine times.
pub fn bytes(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut last = Vec::new();
    for word in text.split(' ').filter(|w| !w.is_empty()) {
        if let Some(times) = word.strip_prefix('*') {
            (1..times.parse().expect("a number")).for_each(|_: usize| out.extend_from_slice(&last));
            continue;
        }
        last = match (word.strip_prefix('\''), word.split_once('/')) {
            (Some(text), _) => text.trim_end_matches('\'').as_bytes().to_vec(),
            (None, Some((number, wire))) => {
                tag(number.parse::<u64>().expect("a number") << 3 | wire.parse::<u64>().expect("a wire type"))
            }
            _ => vec![u8::from_str_radix(word, 16).unwrap_or_else(|_| panic!("`{word}` is no byte"))],
        };
        out.extend_from_slice(&last);
    }
    out
}

fn tag(mut value: u64) -> Vec<u8> {
    let mut out = Vec::new();
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
    out
}

/// Checks every case and shows all that fail, so that one run tells everything.
pub fn check<'c>(cases: impl IntoIterator<Item = (&'c str, String, &'c str)>) {
    let wrong: Vec<_> = cases
        .into_iter()
        .filter(|(_, found, expected)| found != expected)
        .map(|(name, found, expected)| format!("{name}\n   found: {found}\nexpected: {expected}"))
        .collect();
    assert!(wrong.is_empty(), "{} cases fail:\n{}", wrong.len(), wrong.join("\n"));
}
