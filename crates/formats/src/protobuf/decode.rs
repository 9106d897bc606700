//! Reading: one loop a message, each tag predicted from the one before it.
//!
//! A record's fields come in the same order again and again. So each entry remembers which entry followed it
//! last time; one masked compare of eight bytes checks the guess, and only a miss reads the tag and looks it up.
//! What was learned changes nothing but the time: tests compare it with the plain reader in `reference.rs`.

use super::table::{Check, Entry, Op, Table, Tables};
use super::wire;
use crate::plan::check_utf8;
use crate::varint::{load8, truncated, unzigzag, varint, varint_in};
use crate::writer::plain_varint;
use bantam_model::{Batch, Error, ErrorKind, Limits, List, MessageId, Result, Span};

pub(super) struct Decoder<'c, 'a, 'b> {
    pub(super) tables: &'c Tables,
    /// For each entry, the entry that followed it last time.
    pub(super) next: &'c mut [u16],
    pub(super) input: &'a [u8],
    pub(super) batch: &'b mut Batch<'a>,
    pub(super) max_string: usize,
}

/// A part of the input: a message's bytes.
#[derive(Clone, Copy)]
pub(super) struct Part {
    pub(super) at: usize,
    pub(super) end: usize,
    pub(super) depth: u32,
    /// The number of the group whose end tag closes it; 0 for none.
    pub(super) group: u32,
}

impl Decoder<'_, '_, '_> {
    /// Reads `input[at..end]` as one record.
    #[inline]
    pub(super) fn record(&mut self, at: usize, end: usize) -> Result<()> {
        let row = self.batch.push_record()?;
        let root = self.tables.root;
        let part = Part { at, end, depth: 1, group: 0 };
        match self.whole(root, row, part) {
            Ok(_) => Ok(()),
            Err(error) => Err(error.in_record(self.batch.len() - 1)),
        }
    }

    /// Reads a message that nothing is merged into later, and checks that it is complete.
    #[inline]
    fn whole(&mut self, id: u32, row: usize, part: Part) -> Result<usize> {
        let at = self.message(id, row, part)?;
        let table = &self.tables.messages[id as usize];
        if table.is_entry {
            self.complete_entry(id, row).map_err(|e| e.at_byte(part.at))?;
        } else {
            table.whole.check(self.batch, id, row, part.at)?;
        }
        Ok(at)
    }

    /// Reads a message's fields into a row; gives the place behind it.
    fn message(&mut self, id: u32, row: usize, part: Part) -> Result<usize> {
        let tables = self.tables;
        let input = self.input;
        let table = &tables.messages[id as usize];
        let Part { mut at, end, .. } = part;
        let mut last = table.start();
        loop {
            // The row's words are held while plain fields come, and let go for what may add rows.
            let words = &mut self.batch.words_mut()[row..row + table.stride as usize];
            let next = &mut self.next[table.first_prediction..table.first_prediction + table.entries.len()];
            let mut has = words[0];
            let mut tag_at = at;
            let mut tag_len;
            let found = loop {
                if at >= end {
                    break None;
                }
                tag_at = at;
                let chunk = load8(input, at);
                let mut entry = &table.entries[next[last] as usize];
                tag_len = entry.tag_len;
                if chunk & entry.tag_mask == entry.tag_bytes {
                    last = next[last] as usize;
                } else {
                    let (tag, len) = read_tag(input, at, end)?;
                    tag_len = len;
                    let Some(hit) = table.find(tag) else { break Some((None, tag, len)) };
                    next[last] = hit as u16;
                    last = hit;
                    entry = &table.entries[hit];
                }
                let Some((value, after)) = plain(entry.op, input, Tagged { chunk, at, tag_len, end }, self.max_string)?
                else {
                    break Some((Some(entry), entry.tag, tag_len));
                };
                at = after;
                if at > end {
                    return Err(truncated("a value", end));
                }
                has |= entry.has;
                words[entry.word as usize] = value;
                if entry.implicit && is_empty(entry.op, value) {
                    has &= !entry.has;
                    words[entry.word as usize] = 0;
                }
            };
            words[0] = has;
            let Some((entry, tag, tag_len)) = found else { break };
            let value = Part { at: tag_at + tag_len as usize, ..part };
            at = match entry {
                Some(entry) => self.nested(table, entry, row, tag_at, value)?,
                None if tag & 7 == wire::EGROUP => {
                    if part.group != 0 && tag >> 3 == part.group {
                        self.unite_maps(table, row);
                        return Ok(value.at);
                    }
                    let text = format!("an end of group {} that was not open", tag >> 3);
                    return Err(Error::new(ErrorKind::Syntax, text).at_byte(tag_at));
                }
                None => self.unknown(table, row, tag, tag_at, value)?,
            };
        }
        if part.group != 0 {
            return Err(truncated("a group", end));
        }
        self.unite_maps(table, row);
        Ok(at)
    }

    #[inline]
    fn unite_maps(&mut self, table: &Table, row: usize) {
        for &(word, entry) in &table.maps {
            let at = row + word as usize;
            if List::from_word(self.batch.words()[at]).len() > 1 {
                let layout = self.batch.layout().clone();
                self.batch.unite_keys(at, layout.message(MessageId(entry)));
            }
        }
    }

    /// A field that is more than one word of its own row.
    fn nested(&mut self, table: &Table, entry: &Entry, row: usize, tag_at: usize, part: Part) -> Result<usize> {
        let part = Part { at: part.at.min(part.end), ..part };
        let done = match entry.op {
            Op::Message | Op::Group => self.single(table, entry, row, part),
            Op::ItemMessage | Op::ItemGroup => {
                let stride = self.tables.messages[entry.message as usize].stride;
                let item = self.batch.push_item(row + entry.word as usize, stride)?;
                let inner = self.inner(entry, part)?;
                let at = List::from_word(self.batch.words()[row + entry.word as usize]).len() - 1;
                self.whole(entry.message, item, inner).map_err(|e| e.in_item(at)).and_then(|after| {
                    if self.tables.messages[entry.message as usize].is_entry && !self.is_named(entry.message, item) {
                        self.take_back(row + entry.word as usize, stride);
                        return self.keep(table, row, tag_at, after);
                    }
                    self.batch.mark(row, entry.index);
                    Ok(after)
                })
            }
            Op::Item => self.item(table, entry, row, tag_at, part),
            Op::Packed => self.packed(table, entry, row, part),
            _ => self.careful(table, entry, row, tag_at, part),
        };
        done.map_err(|e| e.in_field(&self.batch.layout().message(table.id).slots[entry.index as usize].name))
    }

    /// The part that a message's value is: by its length, or up to its group's end.
    fn inner(&self, entry: &Entry, part: Part) -> Result<Part> {
        let depth = part.depth + 1;
        self.batch.limits().check_depth(depth).map_err(|e| e.at_byte(part.at))?;
        if matches!(entry.op, Op::Group | Op::ItemGroup) {
            return Ok(Part { depth, group: entry.tag >> 3, ..part });
        }
        let (start, end) = self.length(part)?;
        Ok(Part { at: start, end, depth, group: 0 })
    }

    /// A length and what it spans: start and end.
    fn length(&self, part: Part) -> Result<(usize, usize)> {
        let (len, start) = varint(self.input, part.at, part.end)?;
        if len > (part.end - start) as u64 {
            return Err(too_long(len, part.end - start, start));
        }
        Ok((start, start + len as usize))
    }

    /// A single message: a second one is merged into the first.
    fn single(&mut self, table: &Table, entry: &Entry, row: usize, part: Part) -> Result<usize> {
        let inner = self.inner(entry, part)?;
        self.drop_rivals(table, entry, row);
        let at = row + entry.word as usize;
        if !self.batch.has(row, entry.index) {
            let made = self.batch.push_row(self.tables.messages[entry.message as usize].stride)?;
            self.batch.words_mut()[at] = made as u64;
            self.batch.mark(row, entry.index);
        }
        let child = self.batch.words()[at] as usize;
        self.message(entry.message, child, inner)
    }

    fn drop_rivals(&mut self, table: &Table, entry: &Entry, row: usize) {
        let layout = self.batch.layout().clone();
        let message = layout.message(table.id);
        for &rival in &message.slots[entry.index as usize].rivals {
            self.batch.unset(row, &message.slots[rival as usize]);
        }
    }

    /// One scalar by its own kind: its word and the place behind it.
    fn scalar(&self, op: Op, part: Part) -> Result<(u64, usize)> {
        let Part { at, end, .. } = part;
        let fixed = |bytes: usize| if end - at < bytes { Err(truncated("a value", end)) } else { Ok(at + bytes) };
        Ok(match op {
            Op::Fixed32 => (load8(self.input, at) as u32 as u64, fixed(4)?),
            Op::SignedFixed32 => (load8(self.input, at) as u32 as i32 as i64 as u64, fixed(4)?),
            Op::Fixed64 => (load8(self.input, at), fixed(8)?),
            Op::Text | Op::Bytes => {
                let (len, start) = varint(self.input, at, end)?;
                let text = slice(self.input, start, len, end, self.max_string)?;
                if op == Op::Text {
                    check_text(text, start)?;
                }
                (Span::of_input(start as u32, text.len() as u32).word(), start + text.len())
            }
            _ => {
                let (value, after) = varint(self.input, at, end)?;
                (as_word(op, value), after)
            }
        })
    }

    /// Whether a value passes its check; a closed enum's unknown value does not, a too wide number is an error.
    fn passes(&self, check: Check, word: u64, at: usize) -> Result<bool> {
        match check {
            Check::Nothing => Ok(true),
            Check::Closed(id) => Ok(self.batch.layout().schema().enumeration(id).name_of(word as u32 as i32).is_some()),
            Check::Narrow(int) if int.holds(as_number(int.signed, word)) => Ok(true),
            Check::Narrow(int) => {
                let text = format!("{} does not fit {}", as_number(int.signed, word), int.name());
                Err(Error::new(ErrorKind::Range, text).at_byte(at))
            }
        }
    }

    fn careful(&mut self, table: &Table, entry: &Entry, row: usize, tag_at: usize, part: Part) -> Result<usize> {
        let (word, after) = self.scalar(entry.scalar, part)?;
        // An entry is kept or left out as a whole, by the last of its values.
        if !self.passes(entry.check, word, part.at)? && !table.is_entry {
            return self.keep(table, row, tag_at, after);
        }
        self.drop_rivals(table, entry, row);
        let layout = self.batch.layout().clone();
        let slot = &layout.message(table.id).slots[entry.index as usize];
        if entry.implicit && is_empty(entry.scalar, word) {
            self.batch.unset(row, slot);
        } else {
            self.batch.set(row, slot, word);
        }
        Ok(after)
    }

    fn item(&mut self, table: &Table, entry: &Entry, row: usize, tag_at: usize, part: Part) -> Result<usize> {
        let (word, after) = self.scalar(entry.scalar, part)?;
        if !self.passes(entry.check, word, part.at)? {
            return self.keep(table, row, tag_at, after);
        }
        let item = self.batch.push_item(row + entry.word as usize, 1)?;
        self.batch.words_mut()[item] = word;
        self.batch.mark(row, entry.index);
        Ok(after)
    }

    fn packed(&mut self, table: &Table, entry: &Entry, row: usize, part: Part) -> Result<usize> {
        let (mut at, end) = self.length(part)?;
        while at < end {
            let (word, after) = self.scalar(entry.scalar, Part { at, end, ..part })?;
            if self.passes(entry.check, word, at)? {
                let item = self.batch.push_item(row + entry.word as usize, 1)?;
                self.batch.words_mut()[item] = word;
                self.batch.mark(row, entry.index);
            } else {
                self.keep_item(table, entry, row, word)?;
            }
            at = after;
        }
        Ok(end)
    }

    /// An unknown item of a packed list, kept as a field of its own.
    fn keep_item(&mut self, table: &Table, entry: &Entry, row: usize, word: u64) -> Result<()> {
        let Some(unknown) = table.unknown else {
            self.batch.skip();
            return Ok(());
        };
        let tag = entry.tag & !7 | wire::VARINT;
        let span = self.batch.store_with(|out| {
            plain_varint(out, tag.into());
            plain_varint(out, word);
            Ok(())
        })?;
        let item = self.batch.push_item(row + unknown as usize, 1)?;
        self.batch.words_mut()[item] = span.word();
        Ok(())
    }

    fn unknown(&mut self, table: &Table, row: usize, tag: u32, tag_at: usize, part: Part) -> Result<usize> {
        let after = skip(self.input, tag, part, self.batch.limits())?;
        self.keep(table, row, tag_at, after)
    }

    /// Keeps `input[from..to]`, a whole field with its tag, or counts it.
    fn keep(&mut self, table: &Table, row: usize, from: usize, to: usize) -> Result<usize> {
        match table.unknown {
            Some(word) => {
                let span = self.batch.span(from, to - from)?;
                let item = self.batch.push_item(row + word as usize, 1)?;
                self.batch.words_mut()[item] = span.word();
            }
            None => self.batch.skip(),
        }
        Ok(to)
    }
}

/// Whether a value counts as absent where zero is absence. Empty text has a place in the input but no length,
/// which is the word's upper half.
#[inline]
fn is_empty(op: Op, word: u64) -> bool {
    if matches!(op, Op::Text | Op::Bytes) { word >> 32 == 0 } else { word == 0 }
}

/// A value with its tag: the input's eight bytes from the tag on, and where they are.
#[derive(Clone, Copy)]
struct Tagged {
    chunk: u64,
    at: usize,
    tag_len: u32,
    end: usize,
}

/// The word of a value that is one word of its own row, and the place behind it, which may lie beyond the end;
/// nothing for other values.
#[inline(always)]
fn plain(op: Op, input: &[u8], tagged: Tagged, max_string: usize) -> Result<Option<(u64, usize)>> {
    let Tagged { chunk, at, tag_len, end } = tagged;
    let at = at + tag_len as usize;
    let (body, have) = (chunk >> (8 * tag_len), 8 - tag_len);
    let varint_here = || match varint_in(body, have) {
        Some((value, len)) => Ok((value, at + len as usize)),
        None if at < end => varint(input, at, end),
        None => Err(truncated("a varint", end)),
    };
    Ok(Some(match op {
        Op::Varint | Op::Low32 | Op::Signed32 | Op::Zigzag32 | Op::Zigzag64 | Op::Bool => {
            let (value, after) = varint_here()?;
            (as_word(op, value), after)
        }
        Op::Fixed32 => (u64::from(if have >= 4 { body as u32 } else { load8(input, at) as u32 }), at + 4),
        Op::SignedFixed32 => (load8(input, at) as u32 as i32 as i64 as u64, at + 4),
        Op::Fixed64 => (load8(input, at), at + 8),
        Op::Text | Op::Bytes => {
            let (len, start) = varint_here()?;
            let text = slice(input, start, len, end, max_string)?;
            if op == Op::Text {
                check_text(text, start)?;
            }
            (Span::of_input(start as u32, text.len() as u32).word(), start + text.len())
        }
        _ => return Ok(None),
    }))
}

/// A varint's word for an op of that wire type.
#[inline(always)]
pub(super) fn as_word(op: Op, value: u64) -> u64 {
    match op {
        Op::Low32 => value as u32 as u64,
        Op::Signed32 => value as u32 as i32 as i64 as u64,
        Op::Zigzag32 => unzigzag(value as u32 as u64) as u64,
        Op::Zigzag64 => unzigzag(value) as u64,
        Op::Bool => u64::from(value != 0),
        _ => value,
    }
}

fn as_number(signed: bool, word: u64) -> i128 {
    if signed { word as i64 as i128 } else { word as i128 }
}

/// A tag and its length in bytes: at most five, as the number has 29 bits.
#[inline]
pub(super) fn read_tag(input: &[u8], at: usize, end: usize) -> Result<(u32, u32)> {
    let (tag, after) = varint(input, at, end)?;
    let len = after - at;
    if len > 5 || tag > u64::from(u32::MAX) || tag >> 3 == 0 || tag & 7 > 5 {
        return Err(Error::new(ErrorKind::Syntax, format!("{tag} is no field's tag")).at_byte(at));
    }
    Ok((tag as u32, len as u32))
}

/// The bytes of a length-delimited value.
#[inline(always)]
fn slice(input: &[u8], start: usize, len: u64, end: usize, max: usize) -> Result<&[u8]> {
    if start > end || len > (end - start) as u64 {
        return Err(if start > end { truncated("a length", end) } else { too_long(len, end - start, start) });
    }
    if len as usize > max {
        let text = format!("{len} bytes are beyond the limit `string_bytes` of {max}");
        return Err(Error::new(ErrorKind::Limit, text).at_byte(start));
    }
    Ok(&input[start..start + len as usize])
}

#[cold]
fn too_long(len: u64, left: usize, at: usize) -> Error {
    Error::new(ErrorKind::Truncated, format!("a length of {len} where {left} bytes are left")).at_byte(at)
}

/// Checks that a `string` is UTF-8.
#[inline(always)]
fn check_text(text: &[u8], at: usize) -> Result<()> {
    if text.is_ascii() { Ok(()) } else { check_utf8(text, at, "a field of any bytes is declared as `bytes`") }
}

/// Skips an unknown field's value; gives the place behind it. Groups nest to the limit.
pub(super) fn skip(input: &[u8], tag: u32, part: Part, limits: &Limits) -> Result<usize> {
    let Part { at, end, depth, .. } = part;
    let past =
        |bytes: usize| if end.saturating_sub(at) < bytes { Err(truncated("a value", end)) } else { Ok(at + bytes) };
    match tag & 7 {
        wire::VARINT => Ok(varint(input, at.min(end), end)?.1),
        wire::I32 => past(4),
        wire::I64 => past(8),
        wire::LEN => {
            let (len, start) = varint(input, at.min(end), end)?;
            Ok(start + slice(input, start, len, end, usize::MAX)?.len())
        }
        wire::SGROUP => {
            limits.check_depth(depth + 1).map_err(|e| e.at_byte(at))?;
            let mut at = at;
            loop {
                if at >= end {
                    return Err(truncated("a group", end));
                }
                let (inner, len) = read_tag(input, at, end)?;
                at += len as usize;
                if inner == tag + 1 {
                    return Ok(at);
                }
                at = skip(input, inner, Part { at, end, depth: depth + 1, group: 0 }, limits)?;
            }
        }
        _ => Err(Error::new(ErrorKind::Syntax, "an end of a group that was not open").at_byte(at)),
    }
}
