//! Writing rows as structs, lists, sets and maps.

use super::protocol::Protocol;
use super::table::{Field, Tables, Type};
use crate::plan::{Many, Of};
use crate::writer::Writer;
use bantam_model::{Batch, Error, ErrorKind, List, Result, Span};
use std::marker::PhantomData;

pub(super) struct Encoder<'c, 'b, P> {
    pub(super) tables: &'c Tables,
    pub(super) batch: &'b Batch<'b>,
    pub(super) words: &'b [u64],
    pub(super) protocol: PhantomData<P>,
}

impl<P: Protocol> Encoder<'_, '_, P> {
    pub(super) fn structure(&self, id: u32, row: usize, out: &mut Writer<'_>) -> Result<()> {
        let table = &self.tables.messages[id as usize];
        let words = &self.words[row..row + table.stride as usize];
        let mut last = 0;
        for field in &table.fields {
            if words[field.place.index as usize / 64] >> (field.place.index % 64) & 1 == 0 {
                continue;
            }
            let word = words[field.place.word as usize];
            if P::BOOL_IN_HEADER && field.wire == Type::Bool {
                P::write_field(out, field.wire, field.id, last, Some(word != 0));
            } else {
                P::write_field(out, field.wire, field.id, last, None);
                self.value(field, word, out).map_err(|e| field.place.named(e, self.batch, id))?;
            }
            last = field.id;
        }
        out.word(0, 1);
        Ok(())
    }

    #[inline(always)]
    fn value(&self, field: &Field, word: u64, out: &mut Writer<'_>) -> Result<()> {
        if field.place.many == Many::One {
            self.one(field, word, out)
        } else {
            self.many(field, List::from_word(word), out)
        }
    }

    #[inline(always)]
    fn one(&self, field: &Field, word: u64, out: &mut Writer<'_>) -> Result<()> {
        match field.place.of {
            Of::Int(int) => {
                if !int.signed && word > i64::MAX as u64 {
                    return Err(too_large(word));
                }
                P::write_int(out, field.item_wire, word as i64);
            }
            Of::Enum(_) => P::write_int(out, Type::I32, word as i64),
            Of::Bool => P::write_bool(out, word != 0),
            Of::Double => P::write_double(out, word),
            Of::Float => P::write_double(out, f64::from(f32::from_bits(word as u32)).to_bits()),
            Of::Text | Of::Bytes => {
                let span = Span::from_word(word);
                P::write_length(out, span.len());
                let source = if span.is_own() { self.batch.text() } else { self.batch.input() };
                out.copy(source, span.offset(), span.len());
            }
            Of::Message(_) | Of::Wrapper(_) => return self.message(field.place.of, word as usize, out),
        }
        Ok(())
    }

    fn message(&self, of: Of, row: usize, out: &mut Writer<'_>) -> Result<()> {
        match of {
            Of::Wrapper(id) => {
                let inner = &self.tables.messages[id as usize].fields[0];
                self.many(inner, List::from_word(self.words[row + inner.place.word as usize]), out)
            }
            Of::Message(id) => self.structure(id, row, out),
            _ => Ok(()),
        }
    }

    fn many(&self, field: &Field, list: List, out: &mut Writer<'_>) -> Result<()> {
        let items = (0..list.len()).map(|item| list.offset() + item * field.place.item_words as usize);
        if field.place.many == Many::Map {
            let table = &self.tables.messages[field.place.message as usize];
            let [key, value] = &table.fields[..] else { return Ok(()) };
            P::write_map(out, key.wire, value.wire, list.len());
            for (at, row) in items.enumerate() {
                for part in [key, value] {
                    self.value(part, self.words[row + part.place.word as usize], out).map_err(|e| e.in_item(at))?;
                }
            }
            return Ok(());
        }
        P::write_list(out, field.item_wire, list.len());
        for (at, item) in items.enumerate() {
            match field.place.of {
                Of::Message(_) | Of::Wrapper(_) => self.message(field.place.of, item, out),
                _ => self.one(field, self.words[item], out),
            }
            .map_err(|e| e.in_item(at))?;
        }
        Ok(())
    }
}

#[cold]
fn too_large(value: u64) -> Error {
    let text = format!("{value} does not fit Thrift's I64, its widest number");
    Error::new(ErrorKind::Range, text)
}
