//! Thrift's protocols once more, as plainly as they can be said: the judge of the fast reader and writer.

use bantam_formats::{Framing, find};
use bantam_model::{
    Batch, Cardinality, Error, ErrorKind, Int, Kind, Layout, Limits, List, Lowerings, MessageId, MessageLayout,
    Presence, Result, Row, Shape, Slot, Span, Value, Width, compare,
};
use bantam_sample::Rng;
use bantam_sample::random::Options;
use std::sync::Arc;

// Types as the binary protocol numbers them.
const BOOL: u8 = 2;
const DOUBLE: u8 = 4;
const BINARY: u8 = 11;
const STRUCT: u8 = 12;
const MAP: u8 = 13;
const SET: u8 = 14;
const LIST: u8 = 15;
const UUID: u8 = 16;
/// The same types by their numbers in the compact protocol; false is 2 there.
const COMPACT: [u8; 14] = [0, BOOL, BOOL, 3, 6, 8, 10, DOUBLE, BINARY, LIST, SET, MAP, STRUCT, UUID];

fn bad<T>(text: &str) -> Result<T> {
    Err(Error::new(ErrorKind::Syntax, text))
}

fn type_of(layout: &Layout, slot: &Slot, item: bool) -> u8 {
    match (slot.cardinality, slot.kind) {
        (Cardinality::Map, _) if !item => MAP,
        (Cardinality::Set, _) if !item => SET,
        (Cardinality::Repeated, _) if !item => LIST,
        (_, Kind::Bool) => BOOL,
        (_, Kind::Int(Int { signed, width, .. })) => match (width, signed) {
            (Width::W8, true) => 3,
            (Width::W16, true) | (Width::W8, false) => 6,
            (Width::W32, true) | (Width::W16, false) => 8,
            _ => 10,
        },
        (_, Kind::Enum(_)) => 8,
        (_, Kind::Float | Kind::Double) => DOUBLE,
        (_, Kind::String | Kind::Bytes) => BINARY,
        (_, Kind::Message(id)) => match layout.message(id) {
            of if of.shape == Shape::Wrapper => type_of(layout, &of.slots[0], false),
            _ => STRUCT,
        },
    }
}

struct Writer<'l> {
    layout: &'l Layout,
    compact: bool,
    out: Vec<u8>,
}

impl Writer<'_> {
    fn varint(&mut self, mut value: u64) {
        while value > 127 {
            self.out.push(value as u8 | 128);
            value >>= 7;
        }
        self.out.push(value as u8);
    }

    fn type_byte(&self, of: u8) -> u8 {
        if self.compact { COMPACT.iter().position(|&t| t == of).expect("a type") as u8 } else { of }
    }

    fn size(&mut self, size: usize) {
        if self.compact { self.varint(size as u64) } else { self.out.extend((size as u32).to_be_bytes()) }
    }

    fn int(&mut self, of: u8, value: i64) {
        match (of, self.compact) {
            (3, _) => self.out.push(value as u8),
            (_, true) => self.varint((value << 1 ^ value >> 63) as u64),
            (6, _) => self.out.extend((value as i16).to_be_bytes()),
            (8, _) => self.out.extend((value as i32).to_be_bytes()),
            _ => self.out.extend(value.to_be_bytes()),
        }
    }

    fn structure(&mut self, row: Row<'_>) {
        let mut fields: Vec<_> = row.fields().collect();
        fields.sort_by_key(|(slot, _)| slot.number);
        let mut last = 0;
        for (slot, value) in fields {
            let of = type_of(self.layout, slot, false);
            let id = slot.number as i16;
            let byte = if matches!(value, Value::Bool(false)) && self.compact { 2 } else { self.type_byte(of) };
            let step = i32::from(id) - last;
            match (self.compact, step) {
                (true, 1..16) => self.out.push((step as u8) << 4 | byte),
                (true, _) => {
                    self.out.push(byte);
                    self.int(6, id.into());
                }
                (false, _) => {
                    self.out.push(byte);
                    self.out.extend(id.to_be_bytes());
                }
            }
            last = id.into();
            if !(self.compact && of == BOOL) {
                self.value(slot, value);
            }
        }
        self.out.push(0);
    }

    fn value(&mut self, slot: &Slot, value: Value<'_>) {
        match value {
            Value::Bool(v) => self.out.push(if self.compact { 2 - u8::from(v) } else { v.into() }),
            Value::Int(v) => self.int(type_of(self.layout, slot, true), v),
            Value::Uint(v) => self.int(type_of(self.layout, slot, true), v as i64),
            Value::Enum(_, v) => self.int(8, v.into()),
            Value::Float(v) => self.double(v.into()),
            Value::Double(v) => self.double(v),
            Value::String(v) => self.text(v.as_bytes()),
            Value::Bytes(v) => self.text(v),
            Value::Message(row) if row.layout().shape == Shape::Wrapper => {
                let slot = &row.layout().slots[0];
                self.value(slot, row.get(slot).expect("a wrapper's list"));
            }
            Value::Message(row) => self.structure(row),
            Value::List(items) => {
                let types: Vec<u8> = match slot.kind {
                    Kind::Message(id) if slot.cardinality == Cardinality::Map => {
                        self.layout.message(id).slots.iter().map(|s| type_of(self.layout, s, false)).collect()
                    }
                    _ => vec![type_of(self.layout, slot, true)],
                };
                let bytes: Vec<u8> = types.iter().map(|&t| self.type_byte(t)).collect();
                match (&bytes[..], self.compact) {
                    (bytes, false) => {
                        self.out.extend_from_slice(bytes);
                        self.size(items.len());
                    }
                    (&[one], true) if items.len() < 15 => self.out.push((items.len() as u8) << 4 | one),
                    (&[one], true) => {
                        self.out.push(0xf0 | one);
                        self.size(items.len());
                    }
                    (bytes, true) => {
                        self.size(items.len());
                        self.out.extend((!items.is_empty()).then(|| bytes[0] << 4 | bytes[1]));
                    }
                }
                for item in items.iter() {
                    match (item, slot.cardinality) {
                        (Value::Message(entry), Cardinality::Map) => {
                            entry.fields().for_each(|(slot, value)| self.value(slot, value));
                        }
                        _ => self.value(slot, item),
                    }
                }
            }
        }
    }

    fn double(&mut self, value: f64) {
        if self.compact { self.out.extend(value.to_le_bytes()) } else { self.out.extend(value.to_be_bytes()) }
    }

    fn text(&mut self, text: &[u8]) {
        self.size(text.len());
        self.out.extend_from_slice(text);
    }
}

struct Reader<'a, 'b> {
    input: &'a [u8],
    at: usize,
    compact: bool,
    batch: &'b mut Batch<'a>,
    layout: Arc<Layout>,
}

impl Reader<'_, '_> {
    fn take(&mut self, bytes: u64) -> Result<&[u8]> {
        if bytes > (self.input.len() - self.at) as u64 {
            return bad("the end");
        }
        self.at += bytes as usize;
        Ok(&self.input[self.at - bytes as usize..self.at])
    }

    fn byte(&mut self) -> Result<u8> {
        Ok(self.take(1)?[0])
    }

    fn big(&mut self, bytes: u64) -> Result<i64> {
        let value = self.take(bytes)?.iter().fold(0_u64, |value, &byte| value << 8 | u64::from(byte));
        let unused = 64 - 8 * bytes;
        Ok((value << unused) as i64 >> unused)
    }

    fn varint(&mut self) -> Result<u64> {
        let mut value = 0;
        for count in 0..10 {
            let byte = self.byte()?;
            value |= u64::from(byte & 127) << (7 * count);
            if byte < 128 {
                return Ok(value);
            }
        }
        bad("a varint of more than ten bytes")
    }

    fn int(&mut self, of: u8) -> Result<i64> {
        let bits = [(3, 8), (6, 16), (8, 32), (10, 64)].iter().find(|(t, _)| *t == of).expect("a whole type").1;
        if !self.compact || of == 3 {
            return self.big(bits / 8);
        }
        let raw = self.varint()?;
        let value = if raw % 2 == 0 { (raw / 2) as i64 } else { !(raw / 2) as i64 };
        if value << (64 - bits) >> (64 - bits) == value { Ok(value) } else { bad("too wide") }
    }

    fn type_from(&self, byte: u8) -> Result<u8> {
        let known = [0, 2, 3, 4, 6, 8, 10, 11, 12, 13, 14, 15, 16];
        match self.compact {
            true => COMPACT.get(usize::from(byte)).copied().map_or_else(|| bad("no type"), Ok),
            false if known.contains(&byte) => Ok(byte),
            false => bad("no type"),
        }
    }

    fn size(&mut self) -> Result<u64> {
        if self.compact { self.varint() } else { u64::try_from(self.big(4)?).or_else(|_| bad("a negative size")) }
    }

    fn boolean(&mut self) -> Result<bool> {
        let byte = self.byte()?;
        Ok(if self.compact { byte == 1 } else { byte != 0 })
    }

    /// A field's type, its id, and the bool in its header.
    fn field(&mut self, last: i16) -> Result<(u8, i16, Option<bool>)> {
        let byte = self.byte()?;
        if byte == 0 {
            return Ok((0, 0, None));
        }
        if !self.compact {
            return Ok((self.type_from(byte)?, self.big(2)? as i16, None));
        }
        let of = self.type_from(byte & 15)?;
        let id = if byte >> 4 == 0 { self.int(6)? as i16 } else { last.wrapping_add((byte >> 4).into()) };
        if of == 0 { bad("a field of no type") } else { Ok((of, id, (of == BOOL).then_some(byte & 15 == 1))) }
    }

    fn list_head(&mut self) -> Result<(u8, u64)> {
        let byte = self.byte()?;
        match self.compact {
            true if byte >> 4 == 15 => Ok((self.type_from(byte & 15)?, self.size()?)),
            true => Ok((self.type_from(byte & 15)?, (byte >> 4).into())),
            false => Ok((self.type_from(byte)?, self.size()?)),
        }
    }

    fn map_head(&mut self) -> Result<([u8; 2], u64)> {
        let mut types = if self.compact { [0; 2] } else { [self.byte()?, self.byte()?] };
        let count = self.size()?;
        if count == 0 {
            return Ok(([0; 2], 0));
        }
        if self.compact {
            let byte = self.byte()?;
            types = [byte >> 4, byte & 15];
        }
        Ok(([self.type_from(types[0])?, self.type_from(types[1])?], count))
    }

    fn structure(&mut self, message: &MessageLayout, row: usize, depth: u32) -> Result<()> {
        self.batch.limits().check_depth(depth)?;
        let layout = self.layout.clone();
        let mut last = 0;
        loop {
            let (of, id, header) = self.field(last)?;
            last = id;
            if of == 0 {
                return self.batch.check_required(row, message);
            }
            match message.by_number(id.into()) {
                Some(slot) if type_of(&layout, slot, false) == of => {
                    slot.rivals.iter().for_each(|&rival| self.batch.unset(row, &message.slots[rival as usize]));
                    self.value(slot, row, header, depth)?;
                }
                _ => {
                    self.batch.skip();
                    if header.is_none() {
                        self.skip(of, depth + 1)?;
                    }
                }
            }
        }
    }

    fn value(&mut self, slot: &Slot, row: usize, header: Option<bool>, depth: u32) -> Result<()> {
        let word_at = row + slot.word as usize;
        self.batch.words_mut()[word_at] = 0;
        self.batch.mark(row, slot.index);
        let layout = self.layout.clone();
        match slot.kind {
            Kind::Message(id) if slot.cardinality == Cardinality::Map => self.map(id, word_at, depth),
            _ if slot.cardinality.is_many() => self.list(slot, word_at, depth),
            Kind::Message(id) => {
                let inner = self.batch.push_row(layout.message(id).stride)?;
                self.batch.words_mut()[word_at] = inner as u64;
                self.message(layout.message(id), inner, depth)
            }
            kind => {
                let word = if let Some(header) = header { header.into() } else { self.scalar(slot)? };
                let empty = match kind {
                    Kind::String | Kind::Bytes => Span::from_word(word).is_empty(),
                    _ => word == 0,
                };
                self.batch.unset(row, slot);
                if !(empty && slot.presence == Presence::Implicit) {
                    self.batch.set(row, slot, word);
                }
                Ok(())
            }
        }
    }

    fn message(&mut self, message: &MessageLayout, row: usize, depth: u32) -> Result<()> {
        if message.shape != Shape::Wrapper {
            return self.structure(message, row, depth + 1);
        }
        self.batch.limits().check_depth(depth + 1)?;
        self.value(&message.slots[0], row, None, depth + 1)
    }

    fn list(&mut self, slot: &Slot, list_at: usize, depth: u32) -> Result<()> {
        let layout = self.layout.clone();
        let (of, count) = self.list_head()?;
        if count > 0 && of != type_of(&layout, slot, true) {
            return bad("a list of another type");
        }
        for _ in 0..count {
            let item = self.batch.push_item(list_at, slot.item_words(&layout))?;
            if let Kind::Message(id) = slot.kind {
                self.message(layout.message(id), item, depth)?;
            } else {
                self.batch.words_mut()[item] = self.scalar(slot)?;
            }
        }
        Ok(())
    }

    fn map(&mut self, id: MessageId, list_at: usize, depth: u32) -> Result<()> {
        let layout = self.layout.clone();
        let entry = layout.message(id);
        let (types, count) = self.map_head()?;
        if count > 0 && (0..2).any(|at| types[at] != type_of(&layout, &entry.slots[at], false)) {
            return bad("a map of other types");
        }
        self.batch.limits().check_depth(depth + 1)?;
        for _ in 0..count {
            let row = self.batch.push_item(list_at, entry.stride)?;
            for slot in &entry.slots {
                self.value(slot, row, None, depth + 1)?;
            }
        }
        if List::from_word(self.batch.words()[list_at]).len() > 1 {
            self.batch.unite_keys(list_at, entry);
        }
        Ok(())
    }

    fn scalar(&mut self, slot: &Slot) -> Result<u64> {
        let of = type_of(&self.layout, slot, true);
        Ok(match slot.kind {
            Kind::Bool => self.boolean()?.into(),
            Kind::Int(int) => {
                let value = self.int(of)?;
                if !int.holds(value.into()) {
                    return bad("a number that does not fit");
                }
                value as u64
            }
            Kind::Enum(_) => self.int(8)? as u64,
            Kind::Double => self.double()?.to_bits(),
            Kind::Float => {
                let value = self.double()?;
                if f64::from(value as f32).to_bits() != value.to_bits() && !value.is_nan() {
                    return bad("no float");
                }
                (value as f32).to_bits().into()
            }
            _ => {
                let size = self.size()?;
                let text = self.take(size)?;
                if slot.kind == Kind::String && std::str::from_utf8(text).is_err() {
                    return bad("not UTF-8");
                }
                self.batch.span(self.at - size as usize, size as usize)?.word()
            }
        })
    }

    fn double(&mut self) -> Result<f64> {
        let compact = self.compact;
        let bytes = self.take(8)?.try_into().expect("eight bytes");
        Ok(if compact { f64::from_le_bytes(bytes) } else { f64::from_be_bytes(bytes) })
    }

    fn skip(&mut self, of: u8, depth: u32) -> Result<()> {
        self.batch.limits().check_depth(depth)?;
        match of {
            BOOL => drop(self.byte()?),
            3 | 6 | 8 | 10 => drop(self.int(of)?),
            DOUBLE => drop(self.take(8)?),
            UUID => drop(self.take(16)?),
            BINARY => {
                let size = self.size()?;
                self.take(size)?;
            }
            STRUCT => {
                let mut last = 0;
                loop {
                    let (of, id, header) = self.field(last)?;
                    last = id;
                    match (of, header) {
                        (0, _) => break,
                        (_, Some(_)) => {}
                        _ => self.skip(of, depth + 1)?,
                    }
                }
            }
            _ => {
                let (types, count) = if of == MAP {
                    let (types, count) = self.map_head()?;
                    (types.to_vec(), count)
                } else {
                    let (of, count) = self.list_head()?;
                    (vec![of], count)
                };
                if count > 0 && types.contains(&0) {
                    return bad("items of no type");
                }
                for _ in 0..count {
                    types.iter().try_for_each(|&of| self.skip(of, depth + 1))?;
                }
            }
        }
        Ok(())
    }
}

fn damaged(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bad = bytes.to_vec();
    for _ in 0..=rng.below(2) {
        let at = rng.below(bad.len() as u64) as usize;
        match rng.below(6) {
            0 => bad.insert(at, rng.next_u64() as u8),
            1 => bad.insert(at, rng.below(17) as u8),
            2 if bad.len() > 1 => drop(bad.remove(at)),
            3 => bad[at] ^= 1 << rng.below(8),
            4 => bad[at] = rng.below(17) as u8,
            _ => bad[at] = rng.next_u64() as u8,
        }
    }
    bad
}

#[test]
fn the_fast_codecs_agree_with_the_plain_one() {
    let limits = || Limits::default().depth(12).batch_bytes(4 << 20);
    for (name, compact) in [("thrift-binary", false), ("thrift-compact", true)] {
        let (mut read, mut refused) = (0, 0);
        for seed in 0..250 {
            let layout = Options::default().layout(&mut Rng::new(seed), 1 + (seed % 9) as usize);
            let batch = Options::default().batch(&layout, 1, seed).expect("random records fit");
            let build = find(name).expect("a format").engines[0].build;
            let Ok(mut warm) = build(&layout) else { continue };
            let mut bytes = Vec::new();
            if warm.encode_each(batch.get(0).unwrap(), &mut bytes).is_err() {
                continue;
            }
            let mut plain = Writer { layout: &layout, compact, out: Vec::new() };
            plain.structure(batch.get(0).unwrap());
            assert!(plain.out == bytes, "{name}, seed {seed}: written differently");
            let mut rng = Rng::new(seed);
            for round in 0..80 {
                let input = if round == 0 { bytes.clone() } else { damaged(&bytes, &mut rng) };
                let mut expected = Batch::with_limits(layout.clone(), limits());
                expected.reset(&input).unwrap();
                let row = expected.push_record().unwrap();
                let mut reader = Reader { input: &input, at: 0, compact, batch: &mut expected, layout: layout.clone() };
                let result = reader.structure(layout.root(), row, 1);
                let result = if reader.at < input.len() { result.and(bad("more behind the end")) } else { result };
                for codec in [&mut build(&layout).unwrap(), &mut warm] {
                    let mut found = Batch::with_limits(layout.clone(), limits());
                    let fast = codec.decode(&input, Framing::Each, &mut found);
                    assert_eq!(result.is_ok(), fast.is_ok(), "{name}, seed {seed}: {result:?}, {fast:?}\n{input:02x?}");
                    if fast.is_ok() {
                        compare(&expected, &found, Lowerings::NONE)
                            .unwrap_or_else(|d| panic!("{name}, seed {seed}: {d}"));
                        assert_eq!(expected.skipped(), found.skipped(), "{name}, seed {seed}");
                    }
                }
                if result.is_ok() { read += 1 } else { refused += 1 }
            }
        }
        println!("{name}: {read} damaged records read alike, {refused} refused alike");
        assert!(read > 1_000 && refused > 1_000, "{read} read, {refused} refused");
    }
}
