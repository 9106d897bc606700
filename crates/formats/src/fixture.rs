//! A schema with every kind and cardinality, and random records of any layout, for the tests of codecs.

use bantam_model::schema::EnumValue;
use bantam_model::{
    Batch, Cardinality, Encoding, Enum, EnumId, Field, Int, Kind, Layout, Message, MessageId, MessageLayout, Presence,
    Schema, Shape, Slot, Width,
};
use std::sync::Arc;

fn field(name: &str, number: i32, kind: Kind, cardinality: Cardinality) -> Field {
    Field::new(name, number, kind, cardinality)
}

fn message(name: &str, shape: Shape, fields: Vec<Field>) -> Message {
    Message { name: name.into(), fields, shape, ..Message::default() }
}

fn entry(name: &str, key: Kind, value: Kind, cardinality: Cardinality) -> Message {
    let fields = vec![field("key", 1, key, cardinality), field("value", 2, value, cardinality)];
    message(name, Shape::Entry, fields)
}

/// Every kind by every cardinality, maps by every key, wrappers, a oneof, and recursion.
pub(crate) fn everything() -> Arc<Layout> {
    use Cardinality::{Implicit, Map, Optional, Repeated, Required, Set};
    let of = |id| Kind::Message(MessageId(id));
    let int = |signed, width| Kind::Int(Int { signed, width, encoding: Encoding::Varint });
    let kinds = [
        ("bool", Kind::Bool),
        ("i8", int(true, Width::W8)),
        ("i16", int(true, Width::W16)),
        ("i32", int(true, Width::W32)),
        ("i64", int(true, Width::W64)),
        ("u8", int(false, Width::W8)),
        ("u16", int(false, Width::W16)),
        ("u32", int(false, Width::W32)),
        ("u64", int(false, Width::W64)),
        ("float", Kind::Float),
        ("double", Kind::Double),
        ("string", Kind::String),
        ("bytes", Kind::Bytes),
        ("closed", Kind::Enum(EnumId(0))),
        ("open", Kind::Enum(EnumId(1))),
        ("inner", of(1)),
        ("wrapper", of(2)),
    ];
    let mut fields = vec![field("id", 1000, Kind::Int(Int::U64), Required)];
    for (at, (name, kind)) in kinds.into_iter().enumerate() {
        let number = at as i32 * 10;
        fields.push(field(&format!("{name}_optional"), number + 1, kind, Optional));
        fields.push(field(&format!("{name}_implicit"), number + 2, kind, Implicit));
        fields.push(field(&format!("{name}_list"), number + 3, kind, Repeated));
    }
    for (at, name) in ["texts", "longs", "flags", "enums", "doubles", "lists"].into_iter().enumerate() {
        fields.push(field(name, 500 + at as i32, of(4 + at as u32), Map));
    }
    fields.push(field("set", 600, Kind::String, Set));
    fields.push(field("child", 601, of(0), Optional));
    fields.push(field("children", 602, of(0), Repeated));
    fields.push(Field { oneof: Some(0), ..field("left", 700, Kind::Int(Int::I32), Optional) });
    fields.push(Field { oneof: Some(0), ..field("right", 701, Kind::String, Optional) });
    fields.push(Field { oneof: Some(0), ..field("middle", 702, of(1), Optional) });
    let mut root = message("test.Everything", Shape::Record, fields);
    root.oneofs.push("side".into());

    let inner = vec![field("x", 1, Kind::Double, Required), field("say \"hi\"\n", 2, Kind::String, Optional)];
    let messages = vec![
        root,
        message("test.Inner", Shape::Record, inner),
        message("test.Rows", Shape::Wrapper, vec![field("items", 1, of(3), Repeated)]),
        message("test.Numbers", Shape::Wrapper, vec![field("items", 1, Kind::Int(Int::I32), Repeated)]),
        entry("test.Texts", Kind::String, Kind::Int(Int::I32), Required),
        entry("test.Longs", Kind::Int(Int::I64), Kind::String, Implicit),
        entry("test.Flags", Kind::Bool, Kind::Double, Optional),
        entry("test.Enums", Kind::Enum(EnumId(0)), of(1), Optional),
        entry("test.Doubles", Kind::Double, Kind::String, Required),
        entry("test.Lists", Kind::String, of(3), Optional),
    ];
    let value = |name: &str, number| EnumValue { name: name.into(), number, ..EnumValue::default() };
    let closed = Enum {
        name: "test.Closed".into(),
        values: vec![value("A", 0), value("NO", 1), value("CNAME", 5), value("null", -1)],
        ..Enum::default()
    };
    let open = Enum { name: "test.Open".into(), open: true, values: vec![value("ZERO", 0)], ..Enum::default() };
    let schema = Schema { messages, enums: vec![closed, open] };
    Arc::new(Layout::new(Arc::new(schema), MessageId(0)).unwrap())
}

/// A message of four numbers, as in the DNS sample.
pub(crate) fn numbers() -> Arc<Layout> {
    let names = ["sip", "dip", "sport", "dport"].into_iter().enumerate();
    let fields = names.map(|(at, name)| field(name, at as i32 + 1, Kind::Int(Int::U32), Cardinality::Required));
    let schema = Schema { messages: vec![message("dns.Record", Shape::Record, fields.collect())], enums: vec![] };
    Arc::new(Layout::new(Arc::new(schema), MessageId(0)).unwrap())
}

/// A message of one string.
pub(crate) fn text() -> Arc<Layout> {
    let fields = vec![field("text", 1, Kind::String, Cardinality::Optional)];
    let schema = Schema { messages: vec![message("Text", Shape::Record, fields)], enums: vec![] };
    Arc::new(Layout::new(Arc::new(schema), MessageId(0)).unwrap())
}

/// Records of that message.
pub(crate) fn texts<'t>(texts: impl IntoIterator<Item = &'t str>) -> Batch<'static> {
    let layout = text();
    let mut batch = Batch::new(layout.clone());
    for text in texts {
        let row = batch.push_record().unwrap();
        let span = batch.store(text.as_bytes()).unwrap();
        batch.set(row, &layout.root().slots[0], span.word());
    }
    batch
}

/// A small random generator (xorshift64*, Vigna 2016): tests need no good one, only the same one each time.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub(crate) fn below(&mut self, most: u64) -> u64 {
        (self.next() >> 11) % most
    }
}

/// Random records.
pub(crate) fn random(layout: &Arc<Layout>, records: usize, seed: u64) -> Batch<'static> {
    let mut batch = Batch::new(layout.clone());
    let mut random = Random::new(seed);
    for _ in 0..records {
        let row = batch.push_record().unwrap();
        fill(&mut batch, layout, layout.root(), row, &mut random, 3);
    }
    batch
}

fn fill(batch: &mut Batch<'_>, layout: &Layout, message: &MessageLayout, row: usize, random: &mut Random, depth: u32) {
    for slot in &message.slots {
        let must = slot.presence == Presence::Required || message.shape == Shape::Wrapper;
        let rival = slot.rivals.iter().any(|&at| batch.has(row, at));
        if rival || !(must || random.below(3) == 0) {
            continue;
        }
        if slot.presence == Presence::Many {
            batch.mark(row, slot.index);
            let most = if depth == 0 { 1 } else { 5 };
            for _ in 0..random.below(most) {
                let item = batch.push_item(row + slot.word as usize, slot.item_words(layout)).unwrap();
                match slot.kind {
                    Kind::Message(id) => fill(batch, layout, layout.message(id), item, random, depth - 1),
                    kind => batch.words_mut()[item] = scalar(batch, layout, kind, random),
                }
            }
            if let (Cardinality::Map, Kind::Message(id)) = (slot.cardinality, slot.kind) {
                batch.unite_keys(row + slot.word as usize, layout.message(id));
            }
        } else if let Kind::Message(id) = slot.kind {
            if must || depth > 0 {
                let inner = batch.push_row(layout.message(id).stride).unwrap();
                fill(batch, layout, layout.message(id), inner, random, depth.saturating_sub(1));
                batch.set(row, slot, inner as u64);
            }
        } else {
            single(batch, layout, slot, row, random);
        }
    }
}

fn single(batch: &mut Batch<'_>, layout: &Layout, slot: &Slot, row: usize, random: &mut Random) {
    let word = scalar(batch, layout, slot.kind, random);
    let empty = match slot.kind {
        Kind::String | Kind::Bytes => bantam_model::Span::from_word(word).is_empty(),
        _ => word == 0,
    };
    if !(empty && slot.presence == Presence::Implicit) {
        batch.set(row, slot, word);
    }
}

fn scalar(batch: &mut Batch<'_>, layout: &Layout, kind: Kind, random: &mut Random) -> u64 {
    match kind {
        Kind::Bool => random.below(2),
        Kind::Int(int) => match random.below(4) {
            0 => int.min() as u64,
            1 => int.max(),
            2 => random.below(100),
            _ if int.signed => (random.next() as i64 >> (64 - bits(int))) as u64,
            _ => random.next() >> (64 - bits(int)),
        },
        Kind::Float => match random.below(6) {
            0 => [f32::NAN, f32::INFINITY, -f32::INFINITY, -0.0, f32::MAX, 7.038_531e-26][random.below(6) as usize],
            1 => random.below(1000) as f32,
            _ => Some(f32::from_bits(random.next() as u32)).filter(|v| !v.is_nan()).unwrap_or(0.5),
        }
        .to_bits() as u64,
        Kind::Double => match random.below(6) {
            0 => [f64::NAN, f64::INFINITY, -f64::INFINITY, -0.0, f64::MAX, 5e-324][random.below(6) as usize],
            1 => random.below(1000) as f64,
            _ => Some(f64::from_bits(random.next())).filter(|v| !v.is_nan()).unwrap_or(0.5),
        }
        .to_bits(),
        Kind::String => {
            let text: String = (0..random.below(12)).map(|_| character(random)).collect();
            batch.store(text.as_bytes()).unwrap().word()
        }
        Kind::Bytes => {
            let bytes: Vec<u8> = (0..random.below(12)).map(|_| random.next() as u8).collect();
            batch.store(&bytes).unwrap().word()
        }
        Kind::Enum(id) => {
            let of = layout.schema().enumeration(id);
            let at = random.below(of.values.len() as u64) as usize;
            let number = if of.open { random.below(3) as i32 - 1 } else { of.values[at].number };
            number as i64 as u64
        }
        Kind::Message(_) => 0,
    }
}

fn bits(int: Int) -> u32 {
    match int.width {
        Width::W8 => 8,
        Width::W16 => 16,
        Width::W32 => 32,
        Width::W64 => 64,
    }
}

/// A character that formats have trouble with, or any other.
fn character(random: &mut Random) -> char {
    const HARD: &str = "\0\t\n\r \"'\\/:#-?!&*|>%@`{}[],=<~.0123456789eEyYnN\u{7f}\u{85}\u{a0}\u{2028}\u{feff}é漢😀";
    match random.below(3) {
        0 => HARD.chars().nth(random.below(HARD.chars().count() as u64) as usize).unwrap(),
        1 => (b'a' + random.below(26) as u8) as char,
        _ => char::from_u32(random.below(0x11_0000) as u32).unwrap_or('x'),
    }
}
