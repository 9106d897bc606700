//! JSON against another parser of it: what Bantam reads is JSON to `serde_json` too, and the values are the same.
//!
//! `serde_json` keeps an object's members in order here, and doubles; the schema's part is said plainly below.

use bantam_formats::{Codec, Framing, find};
use bantam_model::{Batch, Cardinality, Kind, Layout, Presence, Row, Shape, Slot, Value};
use bantam_sample::Rng;
use bantam_sample::random::Options;
use base64::Engine as _;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;
use std::sync::Arc;

/// A value as it stands in the text.
#[derive(Debug, Clone)]
enum Node {
    Null,
    Bool(bool),
    Whole(i128),
    Float(f64),
    Text(String),
    Array(Vec<Node>),
    Object(Vec<(String, Node)>),
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Any)
    }
}

struct Any;

impl<'de> Visitor<'de> for Any {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E>(self, v: bool) -> Result<Node, E> {
        Ok(Node::Bool(v))
    }

    fn visit_i64<E>(self, v: i64) -> Result<Node, E> {
        Ok(Node::Whole(v.into()))
    }

    fn visit_u64<E>(self, v: u64) -> Result<Node, E> {
        Ok(Node::Whole(v.into()))
    }

    fn visit_f64<E>(self, v: f64) -> Result<Node, E> {
        Ok(Node::Float(v))
    }

    fn visit_str<E>(self, v: &str) -> Result<Node, E> {
        Ok(Node::Text(v.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Node, A::Error> {
        let mut all = Vec::new();
        while let Some(item) = items.next_element()? {
            all.push(item);
        }
        Ok(Node::Array(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Node, A::Error> {
        let mut all = Vec::new();
        while let Some(member) = members.next_entry()? {
            all.push(member);
        }
        Ok(Node::Object(all))
    }
}

/// Whether a row holds what an object says.
fn is_row(row: Row<'_>, node: &Node) -> bool {
    let Node::Object(members) = node else { return false };
    let mut last: Vec<Option<&Node>> = vec![None; row.layout().slots.len()];
    for (name, node) in members {
        let Some(slot) = row.layout().by_name(name.as_bytes()) else { continue };
        last[slot.index as usize] = None;
        if !matches!(node, Node::Null) {
            slot.rivals.iter().for_each(|&rival| last[rival as usize] = None);
            last[slot.index as usize] = Some(node);
        }
    }
    row.layout().slots.iter().zip(last).all(|(slot, node)| match (row.get(slot), node) {
        (None, None) => true,
        (None, Some(node)) => slot.presence == Presence::Implicit && is_zero(row, slot, node),
        (Some(value), Some(node)) => is_value(row, slot.kind, value, node),
        (Some(_), None) => false,
    })
}

fn is_zero(row: Row<'_>, slot: &Slot, node: &Node) -> bool {
    let zero = match slot.kind {
        Kind::Bool => Value::Bool(false),
        Kind::Int(_) => Value::Int(0),
        Kind::Enum(id) => Value::Enum(id, 0),
        Kind::Float => Value::Float(0.0),
        Kind::Double => Value::Double(0.0),
        Kind::String => Value::String(""),
        Kind::Bytes => Value::Bytes(b""),
        Kind::Message(_) => return false,
    };
    is_value(row, slot.kind, zero, node)
}

fn is_value(row: Row<'_>, kind: Kind, value: Value<'_>, node: &Node) -> bool {
    match (value, node) {
        (Value::List(items), Node::Object(members)) => {
            let members = united(row, kind, members);
            items.len() == members.len()
                && items.iter().zip(&members).all(|(item, (key, node))| {
                    let Value::Message(entry) = item else { return false };
                    let [key_slot, value_slot] = &entry.layout().slots[..] else { return false };
                    key_of(row, key_slot.kind, key) == entry.get(key_slot).and_then(key_value)
                        && entry.get(value_slot).is_some_and(|v| is_value(row, value_slot.kind, v, node))
                })
        }
        (Value::List(items), Node::Array(nodes)) if items.cardinality() == Cardinality::Map => {
            // Entries of double keys are united; that is left to the tests of the batch.
            items.len() < nodes.len() || items.iter().zip(nodes).all(|(v, n)| is_value(row, kind, v, n))
        }
        (Value::List(items), Node::Array(nodes)) => {
            items.len() == nodes.len() && items.iter().zip(nodes).all(|(v, n)| is_value(row, kind, v, n))
        }
        (Value::Message(inner), node) if inner.layout().shape == Shape::Wrapper => {
            let slot = &inner.layout().slots[0];
            inner.get(slot).is_some_and(|items| is_value(row, slot.kind, items, node))
        }
        (Value::Message(inner), node) => is_row(inner, node),
        (Value::Bool(v), Node::Bool(n)) => v == *n,
        (Value::Int(v), node) => whole(node) == Some(v.into()),
        (Value::Uint(v), node) => whole(node) == Some(v.into()),
        (Value::Enum(id, v), Node::Text(name)) => {
            row.batch().layout().schema().enumeration(id).number_of(name) == Some(v)
        }
        (Value::Enum(_, v), node) => whole(node) == Some(v.into()),
        (Value::Double(v), node) => number(node).is_some_and(|n| n.to_bits() == v.to_bits()),
        // By way of a double the last bit may be another one.
        (Value::Float(v), node) => number(node).is_some_and(|n| {
            let n = n as f32;
            [n, n.next_up(), n.next_down()].iter().any(|n| n.to_bits() == v.to_bits())
        }),
        (Value::String(v), Node::Text(n)) => v == n,
        (Value::Bytes(v), Node::Text(n)) => {
            let n = n.trim_end_matches('=').replace('-', "+").replace('_', "/");
            base64::engine::general_purpose::STANDARD_NO_PAD.decode(n).is_ok_and(|n| n == v)
        }
        _ => false,
    }
}

fn whole(node: &Node) -> Option<i128> {
    match node {
        Node::Whole(v) => Some(*v),
        Node::Float(v) if v.fract() == 0.0 => Some(*v as i128),
        Node::Text(text) => {
            serde_json::from_str::<Node>(text).ok().filter(|n| !matches!(n, Node::Text(_))).and_then(|n| whole(&n))
        }
        _ => None,
    }
}

fn number(node: &Node) -> Option<f64> {
    match node {
        Node::Whole(v) => Some(*v as f64),
        Node::Float(v) => Some(*v),
        Node::Text(text) => match &**text {
            "NaN" => Some(f64::NAN),
            "Infinity" => Some(f64::INFINITY),
            "-Infinity" => Some(f64::NEG_INFINITY),
            _ => None,
        },
        _ => None,
    }
}

/// A map's key, so that `1` and `1.0` are the same.
#[derive(Debug, PartialEq, Clone)]
enum Key {
    Text(String),
    Number(i128),
}

fn key_of(row: Row<'_>, kind: Kind, text: &str) -> Option<Key> {
    Some(match kind {
        Kind::String => Key::Text(text.to_owned()),
        Kind::Bool => Key::Number((text == "true").into()),
        Kind::Enum(id) => match row.batch().layout().schema().enumeration(id).number_of(text) {
            Some(number) => Key::Number(number.into()),
            None => Key::Number(whole(&Node::Text(text.to_owned()))?),
        },
        _ => Key::Number(whole(&Node::Text(text.to_owned()))?),
    })
}

fn key_value(value: Value<'_>) -> Option<Key> {
    Some(match value {
        Value::String(v) => Key::Text(v.to_owned()),
        Value::Bool(v) => Key::Number(v.into()),
        Value::Int(v) => Key::Number(v.into()),
        Value::Uint(v) => Key::Number(v.into()),
        Value::Enum(_, v) => Key::Number(v.into()),
        _ => return None,
    })
}

/// An object's members as a map has them: each key once, with its first place and its last value.
fn united<'n>(row: Row<'_>, kind: Kind, members: &'n [(String, Node)]) -> Vec<(&'n str, &'n Node)> {
    let Kind::Message(entry) = kind else { return Vec::new() };
    let key = row.batch().layout().message(entry).slots[0].kind;
    let mut all: Vec<(Option<Key>, &str, &Node)> = Vec::new();
    for (name, node) in members {
        let found = key_of(row, key, name);
        match all.iter_mut().find(|(other, ..)| *other == found) {
            Some(there) => there.2 = node,
            None => all.push((found, name, node)),
        }
    }
    all.into_iter().map(|(_, name, node)| (name, node)).collect()
}

/// Text damaged in a few places, with what JSON is made of.
fn damaged(text: &[u8], rng: &mut Rng) -> Vec<u8> {
    const PIECES: &[&str] = &[
        ",", ":", "\"", "{", "}", "[", "]", "null", "true", "0", "-", ".5", "e3", "E+1", "\\", "\\u0041", "\\ud83d",
        " ", "\n", "\t", "{}", "[]", "\"x\":", "\"\"", "1.0", "\u{e9}", "1",
    ];
    let mut bad = text.to_vec();
    for _ in 0..=rng.below(2) {
        let at = rng.below(bad.len() as u64) as usize;
        let piece = rng.pick(PIECES).bytes();
        match rng.below(6) {
            0 => bad.splice(at..at, piece).for_each(drop),
            1 => bad.splice(at..=at, piece).for_each(drop),
            2 => drop(bad.remove(at)),
            3 => bad[at] = rng.next_u64() as u8,
            4 => bad[at] ^= 1 << rng.below(8),
            _ => {
                let to = (at + rng.below(20) as usize).min(bad.len());
                let again = bad[at..to].to_vec();
                bad.splice(at..at, again).for_each(drop);
            }
        }
        if bad.is_empty() {
            bad.push(b'0');
        }
    }
    bad
}

/// Reads a text both ways; says whether both could.
fn agree(text: &[u8], layout: &Arc<Layout>, codec: &mut dyn Codec) -> bool {
    let mut batch = Batch::new(layout.clone());
    if codec.decode(text, Framing::List, &mut batch).is_err() {
        return false;
    }
    let shown = || String::from_utf8_lossy(text).into_owned();
    let grammar = serde_json::from_slice::<IgnoredAny>(text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text));
    assert!(grammar.is_ok() && std::str::from_utf8(text).is_ok(), "{grammar:?}: {}", shown());
    // A number that no double can hold is an error there, and nothing in a key that is skipped.
    let Ok(node) = serde_json::from_slice::<Node>(text) else { return true };
    let rows = match &node {
        Node::Array(rows) => rows.clone(),
        one => vec![one.clone()],
    };
    assert_eq!(rows.len(), batch.len(), "{}", shown());
    for (row, node) in batch.rows().zip(&rows) {
        if !is_row(row, node) {
            let mut found = Vec::new();
            codec.encode_each(row, &mut found).expect("JSON holds everything");
            panic!("{}\nwas read as\n{}", shown(), String::from_utf8_lossy(&found));
        }
    }
    true
}

#[test]
fn what_is_read_is_json_and_has_its_values() {
    let json = find("json").expect("JSON");
    let (mut read, mut refused) = (0, 0);
    for seed in 0..400 {
        let layout = Options::default().layout(&mut Rng::new(seed), 1 + (seed % 9) as usize);
        let batch = Options::default().batch(&layout, 1, seed).expect("random records fit");
        let mut codec = (json.engines[0].build)(&layout).expect("a codec");
        let mut text = Vec::new();
        codec.encode(&batch, Framing::List, &mut text).expect("JSON holds everything");
        assert!(agree(&text, &layout, &mut *codec), "seed {seed}: {}", String::from_utf8_lossy(&text));
        let mut rng = Rng::new(seed);
        for _ in 0..if text.len() > 20_000 { 10 } else { 100 } {
            if agree(&damaged(&text, &mut rng), &layout, &mut *codec) { read += 1 } else { refused += 1 }
        }
    }
    println!("{read} damaged texts read alike, {refused} refused");
    assert!(read > 3_000 && refused > 3_000, "{read} read, {refused} refused");
}
