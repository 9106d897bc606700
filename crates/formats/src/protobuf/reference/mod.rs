//! The same format once more, as plainly as it can be said: the judge of the fast reader and writer.
//!
//! Byte at a time, straight over the layout: no tables, no prediction, no blocks. Only the tests have it.

mod write;

pub(super) use write::write;

use bantam_model::{
    Batch, Encoding, Error, ErrorKind, Int, Kind, Layout, List, MessageId, MessageLayout, Presence, Result, Shape,
    Slot, Span, Width,
};
use std::sync::Arc;
use write::put_varint;

const VARINT: u32 = 0;
const I64: u32 = 1;
const LEN: u32 = 2;
const SGROUP: u32 = 3;
const EGROUP: u32 = 4;
const I32: u32 = 5;

/// Reads one record: all of `input`, to which the batch was reset.
pub(super) fn read<'a>(input: &'a [u8], batch: &mut Batch<'a>) -> Result<()> {
    let row = batch.push_record()?;
    let layout = batch.layout().clone();
    let mut plain = Plain { input, batch, layout: layout.clone() };
    plain.message(layout.root(), row, &mut 0, Part { end: input.len(), depth: 1, group: None })?;
    plain.batch.check_required(row, layout.root())
}

struct Plain<'a, 'b> {
    input: &'a [u8],
    batch: &'b mut Batch<'a>,
    layout: Arc<Layout>,
}

#[derive(Clone, Copy)]
struct Part {
    end: usize,
    depth: u32,
    group: Option<u32>,
}

fn bad<T>(text: &str) -> Result<T> {
    Err(Error::new(ErrorKind::Syntax, text))
}

impl Plain<'_, '_> {
    fn message(&mut self, message: &MessageLayout, row: usize, at: &mut usize, part: Part) -> Result<()> {
        self.batch.limits().check_depth(part.depth)?;
        while *at < part.end {
            let from = *at;
            let (number, wire) = self.tag(at, part.end)?;
            if wire == EGROUP {
                return if part.group == Some(number) { Ok(()) } else { bad("an end of another group") };
            }
            let value = *at;
            let known = match message.by_number(number as i32) {
                Some(slot) => self.field(message, slot, row, wire, at, part)?,
                None => false,
            };
            if !known {
                *at = value;
                self.skip(number, wire, at, part)?;
                self.keep(message, row, from..*at)?;
            }
        }
        if part.group.is_some() { bad("a group without its end") } else { Ok(()) }
    }

    /// Reads a field if the schema has one of this number and wire type, and its value is known.
    fn field(
        &mut self,
        message: &MessageLayout,
        slot: &Slot,
        row: usize,
        wire: u32,
        at: &mut usize,
        part: Part,
    ) -> Result<bool> {
        if let Kind::Message(id) = slot.kind {
            return self.inner(message, slot, id, row, wire, at, part);
        }
        let many = slot.cardinality.is_many();
        if wire == wire_of(slot.kind) {
            // An entry is kept or left out as a whole, by the last of its values.
            let named = message.shape != Shape::Entry;
            let Some(word) = self.scalar(slot.kind, named, at, part.end)? else { return Ok(false) };
            if many {
                self.push(slot, row, word)?;
            } else {
                self.set(message, slot, row, word);
            }
            return Ok(true);
        }
        if !(many && wire == LEN && !matches!(slot.kind, Kind::String | Kind::Bytes)) {
            return Ok(false);
        }
        let end = self.length(at, part.end)?;
        while *at < end {
            let from = *at;
            if let Some(word) = self.scalar(slot.kind, true, at, end)? {
                self.push(slot, row, word)?;
            } else {
                // An unknown enum value in a packed list becomes an unknown field of its own.
                let number = self.varint(&mut { from }, end)? as i32;
                let mut bytes = Vec::new();
                put_varint(&mut bytes, (slot.number as u64) << 3);
                put_varint(&mut bytes, i64::from(number) as u64);
                self.keep_bytes(message, row, |batch| batch.store(&bytes))?;
            }
        }
        Ok(true)
    }

    #[expect(clippy::too_many_arguments)]
    fn inner(
        &mut self,
        message: &MessageLayout,
        slot: &Slot,
        id: MessageId,
        row: usize,
        wire: u32,
        at: &mut usize,
        part: Part,
    ) -> Result<bool> {
        let group = self.layout.schema().message(message.id).fields[slot.index as usize].group;
        if wire != if group { SGROUP } else { LEN } {
            return Ok(false);
        }
        let depth = part.depth + 1;
        let part = if group {
            Part { depth, group: Some(slot.number as u32), ..part }
        } else {
            Part { end: self.length(at, part.end)?, depth, group: None }
        };
        let layout = self.layout.clone();
        let of = layout.message(id);
        let word_at = row + slot.word as usize;
        if !slot.cardinality.is_many() {
            if !self.batch.has(row, slot.index) {
                let made = self.batch.push_row(of.stride)?;
                self.set(message, slot, row, made as u64);
            }
            let child = self.batch.words()[word_at] as usize;
            self.message(of, child, at, part)?;
            return Ok(true);
        }
        let item = self.batch.push_item(word_at, of.stride)?;
        self.message(of, item, at, part)?;
        if of.shape == Shape::Entry {
            let known = self.complete(of, item)?;
            self.batch.check_required(item, of)?;
            if !known {
                self.pop(word_at, of);
                return Ok(false);
            }
            self.unite(word_at, of);
        } else {
            self.batch.check_required(item, of)?;
        }
        self.batch.mark(row, slot.index);
        Ok(true)
    }

    /// Gives an entry what it leaves out; says whether its enums have names for their numbers.
    fn complete(&mut self, entry: &MessageLayout, row: usize) -> Result<bool> {
        let mut known = true;
        for slot in &entry.slots {
            let there = self.batch.has(row, slot.index);
            let word = match slot.kind {
                Kind::Enum(id) => {
                    let of = self.layout.schema().enumeration(id);
                    let number = self.batch.words()[row + slot.word as usize] as i32;
                    known &= of.open || !there || of.name_of(number).is_some();
                    let first = of.values.first().map_or(0, |v| v.number);
                    i64::from(if of.open { 0 } else { first }) as u64
                }
                Kind::Message(id) if !there => self.batch.push_row(self.layout.message(id).stride)? as u64,
                _ => 0,
            };
            if !there {
                self.batch.set(row, slot, word);
            }
        }
        Ok(known)
    }

    fn pop(&mut self, word_at: usize, of: &MessageLayout) {
        let list = List::from_word(self.batch.words()[word_at]);
        let last = list.offset() + (list.len() - 1) * of.stride as usize;
        self.batch.words_mut()[last..last + of.stride as usize].fill(0);
        self.batch.words_mut()[word_at] = List::new(list.offset() as u32, list.len() as u32 - 1).word();
    }

    /// Moves a map's last entry to the place of one of the same key, if there is one.
    fn unite(&mut self, word_at: usize, entry: &MessageLayout) {
        let list = List::from_word(self.batch.words()[word_at]);
        let (key, stride) = (&entry.slots[0], entry.stride as usize);
        let row = |item: usize| list.offset() + item * stride;
        let last = list.len() - 1;
        let key_of = |plain: &Self, item: usize| {
            let word = plain.batch.words()[row(item) + key.word as usize];
            match key.kind {
                Kind::String | Kind::Bytes => plain.batch.bytes_of(Span::from_word(word)).to_vec(),
                _ => word.to_le_bytes().to_vec(),
            }
        };
        if matches!(key.kind, Kind::Message(_)) {
            return;
        }
        let found = (0..last).find(|&item| key_of(self, item) == key_of(self, last));
        if let Some(item) = found {
            self.batch.words_mut().copy_within(row(last)..row(last) + stride, row(item));
            self.pop(word_at, entry);
        }
    }

    fn push(&mut self, slot: &Slot, row: usize, word: u64) -> Result<()> {
        let item = self.batch.push_item(row + slot.word as usize, 1)?;
        self.batch.words_mut()[item] = word;
        self.batch.mark(row, slot.index);
        Ok(())
    }

    fn set(&mut self, message: &MessageLayout, slot: &Slot, row: usize, word: u64) {
        for &rival in &slot.rivals {
            self.batch.unset(row, &message.slots[rival as usize]);
        }
        let empty = match slot.kind {
            Kind::String | Kind::Bytes => Span::from_word(word).is_empty(),
            _ => word == 0,
        };
        if slot.presence == Presence::Implicit && empty {
            self.batch.unset(row, slot);
        } else {
            self.batch.set(row, slot, word);
        }
    }

    /// One value; nothing if it is a closed enum's, must have a name, and has none.
    fn scalar(&mut self, kind: Kind, named: bool, at: &mut usize, end: usize) -> Result<Option<u64>> {
        let word = match kind {
            Kind::Bool => u64::from(self.varint(at, end)? != 0),
            Kind::Float => self.fixed(4, at, end)?,
            Kind::Double => self.fixed(8, at, end)?,
            Kind::String | Kind::Bytes => {
                let stop = self.length(at, end)?;
                let text = &self.input[*at..stop];
                if kind == Kind::String && std::str::from_utf8(text).is_err() {
                    return bad("not UTF-8");
                }
                let span = self.batch.span(*at, stop - *at)?;
                *at = stop;
                span.word()
            }
            Kind::Int(int) => {
                let word = self.int(int, at, end)?;
                let value = if int.signed { i128::from(word as i64) } else { i128::from(word) };
                if !int.holds(value) {
                    return bad("a number that does not fit");
                }
                word
            }
            Kind::Enum(id) => {
                let number = self.varint(at, end)? as i32;
                let of = self.layout.schema().enumeration(id);
                if named && !of.open && of.name_of(number).is_none() {
                    return Ok(None);
                }
                i64::from(number) as u64
            }
            Kind::Message(_) => return bad("a message is no scalar"),
        };
        Ok(Some(word))
    }

    fn int(&mut self, int: Int, at: &mut usize, end: usize) -> Result<u64> {
        let wide = int.width == Width::W64;
        let raw = match int.encoding {
            Encoding::Fixed => self.fixed(if wide { 8 } else { 4 }, at, end)?,
            Encoding::Varint => self.varint(at, end)?,
            Encoding::Zigzag => {
                let raw = self.varint(at, end)?;
                let raw = if wide { raw } else { raw & 0xffff_ffff };
                return Ok(if raw % 2 == 0 { raw / 2 } else { !(raw / 2) });
            }
        };
        Ok(match (wide, int.signed) {
            (true, _) => raw,
            (false, true) => i64::from(raw as i32) as u64,
            (false, false) => u64::from(raw as u32),
        })
    }

    fn fixed(&self, bytes: usize, at: &mut usize, end: usize) -> Result<u64> {
        if end - *at < bytes {
            return bad("the end inside a number");
        }
        let word = self.input[*at..*at + bytes].iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        *at += bytes;
        Ok(word)
    }

    fn varint(&self, at: &mut usize, end: usize) -> Result<u64> {
        let mut value = 0;
        for count in 0..10 {
            if *at >= end {
                return bad("the end inside a varint");
            }
            let byte = self.input[*at];
            *at += 1;
            value |= u64::from(byte & 0x7f) << (7 * count);
            if byte < 0x80 {
                return Ok(value);
            }
        }
        bad("a varint of more than ten bytes")
    }

    fn tag(&self, at: &mut usize, end: usize) -> Result<(u32, u32)> {
        let from = *at;
        let tag = self.varint(at, end)?;
        if *at - from > 5 || tag > u64::from(u32::MAX) || tag < 8 || tag % 8 > 5 {
            return bad("no tag");
        }
        Ok(((tag / 8) as u32, (tag % 8) as u32))
    }

    /// A length; gives the end of what it spans.
    fn length(&self, at: &mut usize, end: usize) -> Result<usize> {
        let len = self.varint(at, end)?;
        if len > (end - *at) as u64 { bad("a length beyond the end") } else { Ok(*at + len as usize) }
    }

    fn skip(&self, number: u32, wire: u32, at: &mut usize, part: Part) -> Result<()> {
        match wire {
            VARINT => drop(self.varint(at, part.end)?),
            I64 => drop(self.fixed(8, at, part.end)?),
            I32 => drop(self.fixed(4, at, part.end)?),
            LEN => *at = self.length(at, part.end)?,
            SGROUP => {
                let part = Part { depth: part.depth + 1, ..part };
                self.batch.limits().check_depth(part.depth)?;
                loop {
                    let (inner, wire) = self.tag(at, part.end)?;
                    if wire == EGROUP {
                        return if inner == number { Ok(()) } else { bad("an end of another group") };
                    }
                    self.skip(inner, wire, at, part)?;
                }
            }
            _ => return bad("an end of a group"),
        }
        Ok(())
    }

    fn keep(&mut self, message: &MessageLayout, row: usize, bytes: std::ops::Range<usize>) -> Result<()> {
        self.keep_bytes(message, row, |batch| batch.span(bytes.start, bytes.len()))
    }

    fn keep_bytes(
        &mut self,
        message: &MessageLayout,
        row: usize,
        span: impl FnOnce(&mut Batch<'_>) -> Result<Span>,
    ) -> Result<()> {
        let Some(word) = message.unknown else {
            self.batch.skip();
            return Ok(());
        };
        let span = span(self.batch)?;
        let item = self.batch.push_item(row + word as usize, 1)?;
        self.batch.words_mut()[item] = span.word();
        Ok(())
    }
}

fn wire_of(kind: Kind) -> u32 {
    match kind {
        Kind::Float | Kind::Int(Int { encoding: Encoding::Fixed, width: Width::W8 | Width::W16 | Width::W32, .. }) => {
            I32
        }
        Kind::Double | Kind::Int(Int { encoding: Encoding::Fixed, .. }) => I64,
        Kind::String | Kind::Bytes | Kind::Message(_) => LEN,
        _ => VARINT,
    }
}
