//! Lines → rows.

use crate::text;
use bantam_model::{Batch, Error, ErrorKind, Kind, Layout, MessageLayout, Presence, Result, Slot, Span};
use csv::ByteRecord;
use std::ops::Range;

/// Adds the records in a part of the input to the batch.
pub(super) fn records<'a>(layout: &Layout, input: &'a [u8], part: Range<usize>, batch: &mut Batch<'a>) -> Result<()> {
    // A mark of the byte order is no part of the first name, and would shift every place.
    let start = if input[part.clone()].starts_with(b"\xef\xbb\xbf") { part.start + 3 } else { part.start };
    let lines = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(&input[start..part.end]);
    let (record, cells) = (ByteRecord::new(), Vec::new());
    let mut reader = Reader { layout, of: layout.root(), input: &input[..part.end], start, lines, record, cells };
    reader.read(batch).map_err(|e| e.with_lines(input))
}

struct Reader<'a, 'l> {
    layout: &'l Layout,
    of: &'l MessageLayout,
    /// The input up to the end of the part.
    input: &'a [u8],
    /// Where in the input the lines start.
    start: usize,
    lines: csv::Reader<&'a [u8]>,
    record: ByteRecord,
    cells: Vec<Cell>,
}

/// Where a cell of the record lies in the input.
#[derive(Clone, Copy)]
struct Cell {
    at: usize,
    /// Whether its text lies there as it is; not where quotes within it are doubled.
    whole: bool,
}

impl<'a, 'l> Reader<'a, 'l> {
    fn read(&mut self, batch: &mut Batch<'a>) -> Result<()> {
        if !self.next_line()? {
            return Err(Error::new(ErrorKind::Truncated, "there is no line of column names").at_byte(self.start));
        }
        let columns = self.columns()?;
        let first = batch.len();
        while self.next_line()? {
            let record = batch.len() - first;
            self.record(&columns, batch).map_err(|e| e.in_record(record))?;
        }
        Ok(())
    }

    fn next_line(&mut self) -> Result<bool> {
        let found = self.lines.read_byte_record(&mut self.record);
        let found = found.map_err(|e| Error::new(ErrorKind::Syntax, e.to_string()).at_byte(self.place()))?;
        if found {
            self.find_cells()?;
        }
        Ok(found)
    }

    /// Where the record starts, or just before it.
    fn place(&self) -> usize {
        self.start + self.record.position().map_or(0, |p| p.byte() as usize)
    }

    /// Follows the record's cells through the input.
    fn find_cells(&mut self) -> Result<()> {
        self.cells.clear();
        let mut at = self.place();
        // The line feed of the line before, and blank lines.
        while matches!(self.input.get(at), Some(b'\r' | b'\n')) {
            at += 1;
        }
        for cell in &self.record {
            let quote = usize::from(self.input.get(at) == Some(&b'"'));
            let from = at + quote;
            let end = from + cell.len();
            let ended = match self.input.get(end..) {
                Some([b'"', b',' | b'\r' | b'\n', ..] | [b'"']) => true,
                _ => quote == 0,
            };
            let whole = ended && self.input.get(from..end) == Some(cell);
            self.cells.push(Cell { at, whole });
            at = if whole { end + quote } else { self.after(at)? } + 1;
        }
        Ok(())
    }

    /// The comma or line end that ends a cell which starts here in quotes.
    fn after(&self, start: usize) -> Result<usize> {
        let rest = self.input.get(start + 1..).unwrap_or_default();
        let mut quotes = memchr::memchr_iter(b'"', rest).peekable();
        while let Some(quote) = quotes.next() {
            // A doubled quote stands for one.
            if quotes.next_if_eq(&(quote + 1)).is_none() {
                let ends = |b: &u8| matches!(b, b',' | b'\r' | b'\n');
                let unquoted = &rest[quote + 1..];
                let len = unquoted.iter().position(ends).unwrap_or(unquoted.len());
                return Ok(start + 1 + quote + 1 + len);
            }
        }
        Err(Error::new(ErrorKind::Truncated, "the file ends inside a cell in quotes").at_byte(start))
    }

    /// The slot of each column, if there is one.
    fn columns(&self) -> Result<Vec<Option<&'l Slot>>> {
        let mut columns: Vec<Option<&Slot>> = Vec::with_capacity(self.record.len());
        for (name, cell) in self.record.iter().zip(&self.cells) {
            let slot = self.of.by_name(name);
            if let Some(slot) = slot
                && columns.iter().flatten().any(|other| other.index == slot.index)
            {
                return Err(Error::new(ErrorKind::Syntax, "two columns have this name")
                    .in_field(&slot.name)
                    .at_byte(cell.at));
            }
            columns.push(slot);
        }
        let missing = self.of.slots.iter().find(|slot| {
            slot.presence == Presence::Required && !columns.iter().flatten().any(|other| other.index == slot.index)
        });
        match missing {
            None => Ok(columns),
            Some(slot) => Err(Error::new(ErrorKind::Missing, "there is no column for this required field")
                .in_field(&slot.name)
                .at_byte(self.start)),
        }
    }

    fn record(&mut self, columns: &[Option<&'l Slot>], batch: &mut Batch<'a>) -> Result<()> {
        let row = batch.push_record()?;
        if self.record.len() != columns.len() {
            let text = format!("expected {} cells, found {}", columns.len(), self.record.len());
            return Err(Error::new(ErrorKind::Syntax, text).at_byte(self.cells.first().map_or(self.start, |c| c.at)));
        }
        for ((text, cell), slot) in self.record.iter().zip(&self.cells).zip(columns) {
            match slot {
                Some(slot) => {
                    self.cell(row, slot, text, *cell, batch).map_err(|e| e.in_field(&slot.name).at_byte(cell.at))?;
                }
                None if text.is_empty() => {}
                None => batch.skip(),
            }
        }
        Ok(())
    }

    fn cell(&self, row: usize, slot: &Slot, text: &[u8], cell: Cell, batch: &mut Batch<'a>) -> Result<()> {
        let is_text = matches!(slot.kind, Kind::String | Kind::Bytes);
        if text.is_empty() {
            return match (slot.presence, is_text) {
                (Presence::Required, true) => {
                    batch.set(row, slot, Span::of_own(0, 0).word());
                    Ok(())
                }
                (Presence::Required, false) => {
                    Err(Error::new(ErrorKind::Missing, "the cell of a required field is empty"))
                }
                _ => Ok(()),
            };
        }
        let text = std::str::from_utf8(text).map_err(|_| Error::new(ErrorKind::Text, "the text is not UTF-8"))?;
        let word = match slot.kind {
            Kind::String if cell.whole => {
                let quote = usize::from(self.input[cell.at] == b'"');
                batch.span(cell.at + quote, text.len())?.word()
            }
            Kind::String => batch.store(text.as_bytes())?.word(),
            Kind::Bytes => batch.store_with(|out| text::read_base64(out, text))?.word(),
            kind => text::parse_scalar(self.layout.schema(), kind, text.trim_matches([' ', '\t']))?,
        };
        if slot.presence == Presence::Implicit && word == 0 {
            return Ok(());
        }
        for &rival in &slot.rivals {
            if batch.has(row, rival) {
                let rival = &self.of.slots[rival as usize].name;
                let text = format!("`{rival}` is set too, and only one of them can be");
                return Err(Error::new(ErrorKind::Mismatch, text));
            }
        }
        batch.set(row, slot, word);
        Ok(())
    }
}
