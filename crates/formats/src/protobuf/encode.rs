//! Writing: one pass, no sizes computed beforehand.
//!
//! A message inside another one is written behind room for its length; the room is guessed from the last one
//! of the same field, and only a wrong guess moves bytes. Field order is that of the numbers, as the official
//! libraries write.

use super::table::{Op, Step, Table, Tables};
use crate::varint::zigzag;
use crate::writer::Writer;
use bantam_model::{Batch, List, Span};

pub(super) struct Encoder<'c, 'b> {
    pub(super) tables: &'c Tables,
    /// For each prediction's place, the width of the last length written there.
    pub(super) widths: &'c mut [u8],
    pub(super) words: &'b [u64],
    pub(super) input: &'b [u8],
    pub(super) text: &'b [u8],
}

impl<'c, 'b> Encoder<'c, 'b> {
    pub(super) fn new(tables: &'c Tables, widths: &'c mut [u8], batch: &'b Batch<'_>) -> Self {
        Self { tables, widths, words: batch.words(), input: batch.input(), text: batch.text() }
    }

    /// A record with the list's tag (or none) and its length before it.
    #[inline]
    pub(super) fn framed(&mut self, row: usize, tag: Option<u64>, width: &mut u8, out: &mut Writer<'_>) {
        if let Some(tag) = tag {
            out.word(tag, 1);
        }
        out.length_room(*width);
        let start = out.position();
        self.message(self.tables.root, row, out);
        out.fill_length(start, width);
    }

    pub(super) fn message(&mut self, id: u32, row: usize, out: &mut Writer<'_>) {
        let table = &self.tables.messages[id as usize];
        let words = &self.words[row..row + table.stride as usize];
        for (at, step) in table.steps.iter().enumerate() {
            if words[step.index as usize / 64] >> (step.index % 64) & 1 == 0 {
                continue;
            }
            let word = words[step.word as usize];
            match step.op {
                Op::Varint | Op::Low32 | Op::Signed32 | Op::Bool => {
                    out.varint_field(step.tag_bytes, step.tag_len, word);
                }
                Op::Zigzag32 | Op::Zigzag64 => {
                    out.varint_field(step.tag_bytes, step.tag_len, zigzag(word as i64));
                }
                Op::Fixed32 | Op::SignedFixed32 if step.tag_len <= 4 => {
                    let value = u64::from(word as u32) << (8 * step.tag_len);
                    out.word(step.tag_bytes | value, step.tag_len + 4);
                }
                Op::Text | Op::Bytes => self.text(step, word, out),
                _ => self.nested(table, at, word, out),
            }
        }
        if let Some(at) = table.unknown {
            self.unknown(List::from_word(words[at as usize]), out);
        }
    }

    #[inline(always)]
    fn text(&self, step: &Step, word: u64, out: &mut Writer<'_>) {
        let span = Span::from_word(word);
        let source = if span.is_own() { self.text } else { self.input };
        out.text_field(step.tag_bytes, step.tag_len, source, span.offset(), span.len());
    }

    fn nested(&mut self, table: &Table, at: usize, word: u64, out: &mut Writer<'_>) {
        let step = &table.steps[at];
        let width_at = table.first_prediction + at;
        let list = List::from_word(word);
        let items = (0..list.len()).map(|item| list.offset() + item * step.item_words as usize);
        match step.op {
            Op::Message => self.child(step, word as usize, width_at, out),
            Op::ItemMessage => items.for_each(|row| self.child(step, row, width_at, out)),
            Op::Group => self.group(step, word as usize, out),
            Op::ItemGroup => items.for_each(|row| self.group(step, row, out)),
            Op::Item => items.for_each(|item| {
                let word = self.words[item];
                if matches!(step.scalar, Op::Text | Op::Bytes) {
                    self.text(step, word, out);
                } else {
                    out.word(step.tag_bytes, step.tag_len);
                    scalar(step.scalar, word, out);
                }
            }),
            Op::Packed if list.is_empty() => {}
            Op::Packed => {
                out.word(step.tag_bytes, step.tag_len);
                let mut width = self.widths[width_at];
                out.length_room(width);
                let start = out.position();
                items.for_each(|item| scalar(step.scalar, self.words[item], out));
                out.fill_length(start, &mut width);
                self.widths[width_at] = width;
            }
            op => {
                out.word(step.tag_bytes, step.tag_len);
                scalar(op, word, out);
            }
        }
    }

    fn child(&mut self, step: &Step, row: usize, width_at: usize, out: &mut Writer<'_>) {
        out.word(step.tag_bytes, step.tag_len);
        let mut width = self.widths[width_at];
        out.length_room(width);
        let start = out.position();
        self.message(step.message, row, out);
        out.fill_length(start, &mut width);
        self.widths[width_at] = width;
    }

    fn group(&mut self, step: &Step, row: usize, out: &mut Writer<'_>) {
        out.word(step.tag_bytes, step.tag_len);
        self.message(step.message, row, out);
        out.word(step.end_tag, step.tag_len);
    }

    fn unknown(&self, list: List, out: &mut Writer<'_>) {
        for item in 0..list.len() {
            let span = Span::from_word(self.words[list.offset() + item]);
            let source = if span.is_own() { self.text } else { self.input };
            out.copy(source, span.offset(), span.len());
        }
    }
}

fn scalar(op: Op, word: u64, out: &mut Writer<'_>) {
    match op {
        Op::Fixed32 | Op::SignedFixed32 => out.word(u64::from(word as u32), 4),
        Op::Fixed64 => out.word(word, 8),
        Op::Zigzag32 | Op::Zigzag64 => out.varint(zigzag(word as i64)),
        _ => out.varint(word),
    }
}
