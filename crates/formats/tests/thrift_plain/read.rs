//! The plain reader of both protocols.

use super::{BINARY, BOOL, COMPACT, DOUBLE, MAP, STRUCT, UUID, bad, type_of};
use bantam_model::{
    Batch, Cardinality, Kind, Layout, List, MessageId, MessageLayout, Presence, Result, Shape, Slot, Span,
};
use std::sync::Arc;

pub struct Reader<'a, 'b> {
    pub input: &'a [u8],
    pub at: usize,
    pub compact: bool,
    pub batch: &'b mut Batch<'a>,
    pub layout: Arc<Layout>,
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

    pub fn structure(&mut self, message: &MessageLayout, row: usize, depth: u32) -> Result<()> {
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
