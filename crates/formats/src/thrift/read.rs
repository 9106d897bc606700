//! Reading structs, lists, sets and maps into rows.
//!
//! A field of another type than the schema's is skipped and counted, as generated code skips it. Counts are
//! not believed: a list grows as its items come.

use super::protocol::{Cursor, Protocol};
use super::table::{Field, Tables, Type};
use crate::plan::{Many, Of, check_utf8};
use bantam_model::{Batch, Error, ErrorKind, Int, List, MessageId, Result, Span, Width};
use std::marker::PhantomData;

pub(super) struct Reader<'c, 'a, 'b, P> {
    pub(super) tables: &'c Tables,
    /// For each field, the field that followed it last time; before them, a message's first.
    pub(super) next: &'c mut [u16],
    pub(super) from: Cursor<'a>,
    pub(super) batch: &'b mut Batch<'a>,
    pub(super) max_string: usize,
    pub(super) protocol: PhantomData<P>,
}

impl<P: Protocol> Reader<'_, '_, '_, P> {
    /// Reads the record at the cursor.
    #[inline]
    pub(super) fn record(&mut self) -> Result<()> {
        let row = self.batch.push_record()?;
        let root = self.tables.root;
        self.whole(root, row, 1).map_err(|e| e.in_record(self.batch.len() - 1))
    }

    /// Reads a list of structs as records.
    pub(super) fn records(&mut self) -> Result<()> {
        let (of, count) = P::read_list(&mut self.from)?;
        if of != Type::Struct {
            let text = format!("a list of {of:?} where records, a list of Struct, are due");
            return Err(Error::new(ErrorKind::Mismatch, text).at_byte(self.from.at));
        }
        for _ in 0..count {
            self.record()?;
        }
        Ok(())
    }

    #[inline]
    fn whole(&mut self, id: u32, row: usize, depth: u32) -> Result<()> {
        let start = self.from.at;
        self.structure(id, row, depth)?;
        self.tables.messages[id as usize].whole.check(self.batch, id, row, start)
    }

    fn structure(&mut self, id: u32, row: usize, depth: u32) -> Result<()> {
        self.batch.limits().check_depth(depth).map_err(|e| e.at_byte(self.from.at))?;
        let tables = self.tables;
        let table = &tables.messages[id as usize];
        let first = table.first_prediction;
        let mut last_id = 0;
        let mut last = first;
        loop {
            let guess = self.next[last] as usize;
            if let Some(field) = table.fields.get(guess)
                && P::skip_header(&mut self.from, field.wire, field.id, last_id)
            {
                last_id = field.id;
                last = first + 1 + guess;
                self.field(id, field, row, None, depth)?;
                continue;
            }
            let (of, field_id, value) = P::read_field(&mut self.from, last_id)?;
            if of == Type::Stop {
                return Ok(());
            }
            last_id = field_id;
            let Some(at) = table.find(field_id) else {
                self.skip_field(of, value, depth)?;
                continue;
            };
            self.next[last] = at as u16;
            last = first + 1 + at;
            let field = &table.fields[at];
            if field.wire == of {
                self.field(id, field, row, value, depth)?;
            } else {
                self.skip_field(of, value, depth)?;
            }
        }
    }

    #[inline(always)]
    fn field(&mut self, id: u32, field: &Field, row: usize, value: Option<bool>, depth: u32) -> Result<()> {
        if field.place.in_oneof {
            field.place.drop_rivals(self.batch, id, row);
        }
        let word_at = row + field.place.word as usize;
        if field.place.is_plain() {
            let word = match value {
                Some(value) => value.into(),
                None => self.scalar(field).map_err(|e| field.place.named(e, self.batch, id))?,
            };
            field.place.store(self.batch, row, word);
            return Ok(());
        }
        self.compound(field, word_at, depth).map_err(|e| field.place.named(e, self.batch, id))?;
        self.batch.mark(row, field.place.index);
        Ok(())
    }

    /// A struct, list, set or map into the word at `word_at`; a second one replaces the first.
    fn compound(&mut self, field: &Field, word_at: usize, depth: u32) -> Result<()> {
        self.batch.words_mut()[word_at] = 0;
        match (field.place.many, field.place.of) {
            (Many::One, of) => {
                let (Of::Message(id) | Of::Wrapper(id)) = of else { return Ok(()) };
                let row = self.batch.push_row(self.tables.messages[id as usize].stride)?;
                self.batch.words_mut()[word_at] = row as u64;
                self.message(of, row, depth)
            }
            (Many::List | Many::Set, _) => self.list(field, word_at, depth),
            (Many::Map, _) => self.map(field, word_at, depth),
        }
    }

    /// A struct or a nested list into a row.
    fn message(&mut self, of: Of, row: usize, depth: u32) -> Result<()> {
        match of {
            Of::Message(id) => self.whole(id, row, depth + 1),
            Of::Wrapper(id) => {
                self.batch.limits().check_depth(depth + 1).map_err(|e| e.at_byte(self.from.at))?;
                let inner = &self.tables.messages[id as usize].fields[0];
                self.batch.mark(row, inner.place.index);
                self.compound(inner, row + inner.place.word as usize, depth + 1)
            }
            _ => Ok(()),
        }
    }

    fn list(&mut self, field: &Field, list_at: usize, depth: u32) -> Result<()> {
        let at = self.from.at;
        let (of, count) = P::read_list(&mut self.from)?;
        if count > 0 && of != field.item_wire {
            let text = format!("a list of {of:?} where a list of {:?} is due", field.item_wire);
            return Err(Error::new(ErrorKind::Mismatch, text).at_byte(at));
        }
        for number in 0..count {
            let item = self.batch.push_item(list_at, field.place.item_words)?;
            self.item(field, item, depth).map_err(|e| e.in_item(number as usize))?;
        }
        Ok(())
    }

    #[inline]
    fn item(&mut self, field: &Field, item: usize, depth: u32) -> Result<()> {
        if let Of::Message(_) | Of::Wrapper(_) = field.place.of {
            return self.message(field.place.of, item, depth);
        }
        self.batch.words_mut()[item] = self.scalar(field)?;
        Ok(())
    }

    fn map(&mut self, field: &Field, list_at: usize, depth: u32) -> Result<()> {
        let at = self.from.at;
        let (key_type, value_type, count) = P::read_map(&mut self.from)?;
        let tables = self.tables;
        let [key, value] = &tables.messages[field.place.message as usize].fields[..] else { return Ok(()) };
        if count > 0 && (key_type, value_type) != (key.wire, value.wire) {
            let due = (key.wire, value.wire);
            let text = format!("a map of {key_type:?} to {value_type:?} where {:?} to {:?} is due", due.0, due.1);
            return Err(Error::new(ErrorKind::Mismatch, text).at_byte(at));
        }
        self.batch.limits().check_depth(depth + 1).map_err(|e| e.at_byte(at))?;
        for number in 0..count {
            let row = self.batch.push_item(list_at, field.place.item_words)?;
            for part in [key, value] {
                let bool_value = if part.wire == Type::Bool { Some(P::read_bool(&mut self.from)?) } else { None };
                self.field(field.place.message, part, row, bool_value, depth + 1)
                    .map_err(|e| e.in_item(number as usize))?;
            }
        }
        if List::from_word(self.batch.words()[list_at]).len() > 1 {
            let layout = self.batch.layout().clone();
            self.batch.unite_keys(list_at, layout.message(MessageId(field.place.message)));
        }
        Ok(())
    }

    /// A value of one word.
    #[inline(always)]
    fn scalar(&mut self, field: &Field) -> Result<u64> {
        let at = self.from.at;
        Ok(match field.place.of {
            Of::Int(int) => {
                let value = P::read_int(&mut self.from, field.item_wire)?;
                // Signed kinds have a type of just their width.
                if int.signed { value as u64 } else { unsigned(int, value, at)? }
            }
            Of::Enum(_) => P::read_int(&mut self.from, Type::I32)? as u64,
            Of::Bool => P::read_bool(&mut self.from)?.into(),
            Of::Double => P::read_double(&mut self.from)?,
            Of::Float => narrow(P::read_double(&mut self.from)?, at)?,
            Of::Text | Of::Bytes => {
                let len = P::read_length(&mut self.from)?;
                let bytes = self.from.slice(len)?;
                if bytes.len() > self.max_string {
                    self.batch.limits().check_string(bytes.len()).map_err(|e| e.at_byte(at))?;
                }
                let start = self.from.at - bytes.len();
                if field.place.of == Of::Text && !bytes.is_ascii() {
                    check_utf8(bytes, start, "a field of any bytes is declared as `binary`")?;
                }
                Span::of_input(start as u32, bytes.len() as u32).word()
            }
            Of::Message(_) | Of::Wrapper(_) => 0,
        })
    }

    #[cold]
    pub(super) fn skip_field(&mut self, of: Type, value: Option<bool>, depth: u32) -> Result<()> {
        self.batch.skip();
        if value.is_some() { Ok(()) } else { self.skip(of, depth + 1) }
    }

    /// Items of no type would take no bytes, and a count of them no end.
    fn check_items(&self, of: Type, count: u64) -> Result<()> {
        if of == Type::Stop && count > 0 {
            return Err(Error::new(ErrorKind::Syntax, "a list of items without a type").at_byte(self.from.at));
        }
        Ok(())
    }

    fn skip(&mut self, of: Type, depth: u32) -> Result<()> {
        self.batch.limits().check_depth(depth).map_err(|e| e.at_byte(self.from.at))?;
        match of {
            Type::Stop => {}
            Type::Bool => drop(P::read_bool(&mut self.from)?),
            Type::Byte | Type::I16 | Type::I32 | Type::I64 => drop(P::read_int(&mut self.from, of)?),
            Type::Double => drop(P::read_double(&mut self.from)?),
            Type::Uuid => drop(self.from.slice(16)?),
            Type::Binary => {
                let len = P::read_length(&mut self.from)?;
                self.from.slice(len)?;
            }
            Type::Struct => {
                let mut last = 0;
                loop {
                    let (of, id, value) = P::read_field(&mut self.from, last)?;
                    match (of, value) {
                        (Type::Stop, _) => break,
                        (_, Some(_)) => {}
                        _ => self.skip(of, depth + 1)?,
                    }
                    last = id;
                }
            }
            Type::List | Type::Set => {
                let (of, count) = P::read_list(&mut self.from)?;
                self.check_items(of, count)?;
                for _ in 0..count {
                    self.skip(of, depth + 1)?;
                }
            }
            Type::Map => {
                let (key, value, count) = P::read_map(&mut self.from)?;
                self.check_items(key, count)?;
                self.check_items(value, count)?;
                for _ in 0..count {
                    self.skip(key, depth + 1)?;
                    self.skip(value, depth + 1)?;
                }
            }
        }
        Ok(())
    }
}

#[inline(always)]
fn unsigned(int: Int, value: i64, at: usize) -> Result<u64> {
    let most = match int.width {
        Width::W64 => i64::MAX,
        _ => int.max() as i64,
    };
    if (0..=most).contains(&value) { Ok(value as u64) } else { Err(out_of_range(int, value, at)) }
}

#[cold]
fn out_of_range(int: Int, value: i64, at: usize) -> Error {
    Error::new(ErrorKind::Range, format!("{value} does not fit {}", int.name())).at_byte(at)
}

/// A double that a float must hold.
fn narrow(bits: u64, at: usize) -> Result<u64> {
    let value = f64::from_bits(bits);
    let float = value as f32;
    if f64::from(float).to_bits() == bits || value.is_nan() {
        return Ok(float.to_bits().into());
    }
    Err(Error::new(ErrorKind::Range, format!("{value} is no float of 32 bits")).at_byte(at))
}
