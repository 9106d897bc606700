//! Reading objects and arrays into rows, each key predicted from the one before it.
//!
//! RFC 8259. Keys that the schema does not have are skipped and counted; of double keys the last one counts;
//! `null` is absence. Numbers may be written with a point, an exponent or in quotes, as long as they are what
//! the field holds.

use super::scan::number;
use super::table::{Field, Table, Tables};
use crate::plan::{Many, Of, Place};
use bantam_model::{Batch, Error, ErrorKind, List, MessageId, Result};

pub(super) struct Reader<'c, 'a, 'b> {
    pub(super) tables: &'c Tables,
    /// For each field, the field that followed it last time; before them, a message's first.
    pub(super) next: &'c mut [u16],
    pub(super) input: &'a [u8],
    pub(super) at: usize,
    pub(super) batch: &'b mut Batch<'a>,
    pub(super) max_string: usize,
    pub(super) max_depth: u32,
}

impl Reader<'_, '_, '_> {
    /// The next byte that is no white space; 0 at the end.
    #[inline(always)]
    pub(super) fn token(&mut self) -> u8 {
        loop {
            match self.input.get(self.at) {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.at += 1,
                Some(&byte) => return byte,
                None => return 0,
            }
        }
    }

    /// Reads one record.
    #[inline]
    pub(super) fn record(&mut self) -> Result<()> {
        let row = self.batch.push_record()?;
        let root = self.tables.root;
        self.whole(root, row, 1).map_err(|e| e.in_record(self.batch.len() - 1))
    }

    /// Reads an array of records, or a single one.
    pub(super) fn records(&mut self) -> Result<()> {
        if self.token() != b'[' {
            return self.record();
        }
        self.each(Reader::record)
    }

    /// Checks that nothing is left.
    pub(super) fn at_end(&mut self) -> Result<()> {
        match self.token() {
            0 if self.at >= self.input.len() => Ok(()),
            _ => Err(self.due("the end of the input")),
        }
    }

    /// An error: what stands here is not what is due.
    #[cold]
    pub(super) fn due(&self, what: &str) -> Error {
        let rest = &self.input[self.at.min(self.input.len())..];
        let found = match rest.first() {
            None => {
                return Error::new(ErrorKind::Truncated, format!("the input ends where {what} is due"))
                    .at_byte(self.at);
            }
            Some(b'{') => "an object".to_owned(),
            Some(b'[') => "an array".to_owned(),
            Some(b'"') => "a string".to_owned(),
            Some(b'-' | b'0'..=b'9') => "a number".to_owned(),
            Some(b't' | b'f') => "a bool".to_owned(),
            Some(b'n') => "null".to_owned(),
            Some(&byte) => format!("`{}`", char::from(byte).escape_default()),
        };
        let kind = if found.starts_with('`') { ErrorKind::Syntax } else { ErrorKind::Mismatch };
        Error::new(kind, format!("{found} where {what} is due")).at_byte(self.at)
    }

    #[inline(always)]
    pub(super) fn expect(&mut self, byte: u8, what: &str) -> Result<()> {
        if self.token() != byte {
            return Err(self.due(what));
        }
        self.at += 1;
        Ok(())
    }

    /// Reads an array's items, from its bracket on.
    #[inline]
    fn each(&mut self, mut item: impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        self.expect(b'[', "an array")?;
        if self.token() == b']' {
            self.at += 1;
            return Ok(());
        }
        loop {
            item(self)?;
            match self.token() {
                b',' => self.at += 1,
                b']' => {
                    self.at += 1;
                    return Ok(());
                }
                _ => return Err(self.due("`,` or `]`")),
            }
        }
    }

    fn check_depth(&self, depth: u32) -> Result<()> {
        if depth > self.max_depth {
            return self.batch.limits().check_depth(depth).map_err(|e| e.at_byte(self.at));
        }
        Ok(())
    }

    #[inline]
    fn whole(&mut self, id: u32, row: usize, depth: u32) -> Result<()> {
        let start = self.at;
        self.object(id, row, depth)?;
        self.tables.messages[id as usize].whole.check(self.batch, id, row, start)
    }

    fn object(&mut self, id: u32, row: usize, depth: u32) -> Result<()> {
        self.check_depth(depth)?;
        self.expect(b'{', "an object")?;
        if self.token() == b'}' {
            self.at += 1;
            return Ok(());
        }
        let tables = self.tables;
        let table = &tables.messages[id as usize];
        let mut last = table.first_prediction;
        loop {
            let guess = self.next[last] as usize;
            let found = match table.fields.get(guess) {
                Some(field) if field.is_at(self.input, self.at) => {
                    self.at += field.key.len();
                    Some(guess)
                }
                _ => {
                    let found = self.key(id)?;
                    if let Some(found) = found {
                        self.next[last] = found as u16;
                    }
                    found
                }
            };
            if let Some(found) = found {
                last = table.first_prediction + 1 + found;
                self.field(id, &table.fields[found], row, depth)?;
            } else {
                // Null is absence: there was nothing to leave out.
                if self.token() != b'n' {
                    self.batch.skip();
                }
                self.skip(depth + 1)?;
            }
            match self.token() {
                b',' => {
                    self.at += 1;
                    self.token();
                }
                b'}' => {
                    self.at += 1;
                    return Ok(());
                }
                _ => return Err(self.due("`,` or `}`")),
            }
        }
    }

    /// A key that was not predicted, and its colon: the field, or nothing if the message does not have it.
    #[inline(never)]
    fn key(&mut self, id: u32) -> Result<Option<usize>> {
        let name = self.string("a key")?;
        let layout = self.batch.layout().message(MessageId(id));
        let slot = if name.escaped {
            layout.by_name(&self.unescaped(name)?)
        } else {
            layout.by_name(&self.input[name.start..name.end])
        };
        let found = slot.map(|s| s.index as usize);
        self.expect(b':', "`:`")?;
        Ok(found)
    }

    #[inline(always)]
    fn field(&mut self, id: u32, field: &Field, row: usize, depth: u32) -> Result<()> {
        let place = &field.place;
        let token = self.token();
        if token == b'n' {
            self.literal("null")?;
            let layout = self.batch.layout().clone();
            self.batch.unset(row, &layout.message(MessageId(id)).slots[place.index as usize]);
            return Ok(());
        }
        if place.in_oneof {
            place.drop_rivals(self.batch, id, row);
        }
        if place.is_plain() {
            let word = self.scalar(place.of, token).map_err(|e| place.named(e, self.batch, id))?;
            place.store(self.batch, row, word);
            return Ok(());
        }
        let word_at = row + place.word as usize;
        self.compound(place, word_at, depth).map_err(|e| place.named(e, self.batch, id))?;
        self.batch.mark(row, place.index);
        Ok(())
    }

    /// A message, list, set or map into the word at `word_at`; a second one replaces the first.
    fn compound(&mut self, place: &Place, word_at: usize, depth: u32) -> Result<()> {
        self.batch.words_mut()[word_at] = 0;
        match place.many {
            Many::One => {
                let row = self.batch.push_row(self.tables.messages[place.message as usize].stride)?;
                self.batch.words_mut()[word_at] = row as u64;
                self.message(place, row, depth)
            }
            Many::Map if self.tables.messages[place.message as usize].keyed => self.map(place, word_at, depth),
            _ => self.list(place, word_at, depth),
        }
    }

    /// A message, or a nested list, into a row.
    fn message(&mut self, place: &Place, row: usize, depth: u32) -> Result<()> {
        let tables = self.tables;
        if let Of::Wrapper(id) = place.of {
            let inner = &tables.messages[id as usize].fields[0].place;
            self.batch.mark(row, inner.index);
            return self.compound(inner, row + inner.word as usize, depth + 1);
        }
        self.token();
        self.whole(place.message, row, depth + 1)
    }

    fn list(&mut self, place: &Place, list_at: usize, depth: u32) -> Result<()> {
        self.check_depth(depth + 1)?;
        let plain = !matches!(place.of, Of::Message(_) | Of::Wrapper(_));
        self.each(|reader| {
            let item = reader.batch.push_item(list_at, place.item_words)?;
            let done = if plain {
                let token = reader.token();
                reader.scalar(place.of, token).map(|word| reader.batch.words_mut()[item] = word)
            } else {
                reader.message(place, item, depth + 1)
            };
            done.map_err(|e| e.in_item(List::from_word(reader.batch.words()[list_at]).len() - 1))
        })?;
        if place.many == Many::Map {
            self.unite(place, list_at);
        }
        Ok(())
    }

    /// An object whose keys are a map's.
    fn map(&mut self, place: &Place, list_at: usize, depth: u32) -> Result<()> {
        self.check_depth(depth + 1)?;
        self.expect(b'{', "an object")?;
        if self.token() == b'}' {
            self.at += 1;
            return Ok(());
        }
        let tables = self.tables;
        let entry: &Table = &tables.messages[place.message as usize];
        let (key, value) = (&entry.fields[0].place, &entry.fields[1]);
        loop {
            let row = self.batch.push_item(list_at, place.item_words)?;
            self.token();
            let word = self.map_key(key.of)?;
            key.store(self.batch, row, word);
            self.expect(b':', "`:`")?;
            let at = List::from_word(self.batch.words()[list_at]).len() - 1;
            self.field(place.message, value, row, depth + 1).map_err(|e| e.in_item(at))?;
            if !self.batch.has(row, value.place.index) {
                return Err(Error::new(ErrorKind::Mismatch, "null as a value of a map").at_byte(self.at).in_item(at));
            }
            match self.token() {
                b',' => self.at += 1,
                b'}' => {
                    self.at += 1;
                    self.unite(place, list_at);
                    return Ok(());
                }
                _ => return Err(self.due("`,` or `}`")),
            }
        }
    }

    fn unite(&mut self, place: &Place, list_at: usize) {
        if List::from_word(self.batch.words()[list_at]).len() > 1 {
            let layout = self.batch.layout().clone();
            self.batch.unite_keys(list_at, layout.message(MessageId(place.message)));
        }
    }

    /// Skips a value, checking that it is well-formed.
    fn skip(&mut self, depth: u32) -> Result<()> {
        self.check_depth(depth)?;
        match self.token() {
            b'"' => {
                let text = self.string("a string")?;
                if text.escaped { self.unescaped(text).map(drop) } else { Ok(()) }
            }
            b'-' | b'0'..=b'9' => {
                self.at = number(self.input, self.at)?.end;
                Ok(())
            }
            b't' => self.literal("true"),
            b'f' => self.literal("false"),
            b'n' => self.literal("null"),
            b'[' => self.each(|reader| reader.skip(depth + 1)),
            b'{' => {
                self.at += 1;
                if self.token() == b'}' {
                    self.at += 1;
                    return Ok(());
                }
                loop {
                    self.token();
                    let key = self.string("a key")?;
                    if key.escaped {
                        self.unescaped(key)?;
                    }
                    self.expect(b':', "`:`")?;
                    self.skip(depth + 1)?;
                    match self.token() {
                        b',' => self.at += 1,
                        b'}' => break,
                        _ => return Err(self.due("`,` or `}`")),
                    }
                }
                self.at += 1;
                Ok(())
            }
            _ => Err(self.due("a value")),
        }
    }
}
