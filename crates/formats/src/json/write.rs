//! Writing rows as objects and arrays.

use super::Style;
use super::scan::plain_prefix;
use super::table::{Field, Tables};
use crate::plan::{Many, Of, Place};
use crate::writer::Writer;
use bantam_model::{Batch, List, Span};
use base64::Engine as _;

pub(super) struct Encoder<'c, 'b> {
    pub(super) tables: &'c Tables,
    pub(super) style: Style,
    pub(super) batch: &'b Batch<'b>,
    pub(super) words: &'b [u64],
}

impl Encoder<'_, '_> {
    /// All records as an array.
    pub(super) fn records(&self, out: &mut Writer<'_>) {
        self.array(self.batch.rows(), 0, out, |row, out| self.object(self.tables.root, row.offset(), 1, out));
    }

    fn array<T>(
        &self,
        items: impl ExactSizeIterator<Item = T>,
        indent: u32,
        out: &mut Writer<'_>,
        mut item: impl FnMut(T, &mut Writer<'_>),
    ) {
        out.byte(b'[');
        let empty = items.len() == 0;
        for (at, one) in items.enumerate() {
            if self.style == Style::Pretty {
                if at > 0 {
                    out.byte(b',');
                }
                line(indent + 1, out);
            } else if at > 0 {
                out.text(self.style.comma());
            }
            item(one, out);
        }
        if self.style == Style::Pretty && !empty {
            line(indent, out);
        }
        out.byte(b']');
    }

    pub(super) fn object(&self, id: u32, row: usize, indent: u32, out: &mut Writer<'_>) {
        let table = &self.tables.messages[id as usize];
        let words = &self.words[row..row + table.stride as usize];
        let comma = self.style.comma().len();
        let mut skip = comma;
        out.byte(b'{');
        for field in &table.fields {
            let place = &field.place;
            if words[place.index as usize / 64] >> (place.index % 64) & 1 == 0 {
                continue;
            }
            if self.style == Style::Pretty {
                if skip == 0 {
                    out.byte(b',');
                }
                line(indent + 1, out);
                out.copy(&field.written, comma, field.written_len - comma);
            } else {
                out.copy(&field.written, skip, field.written_len - skip);
            }
            skip = 0;
            self.value(place, words[place.word as usize], indent + 1, out);
        }
        if self.style == Style::Pretty && skip == 0 {
            line(indent, out);
        }
        out.byte(b'}');
    }

    #[inline(always)]
    fn value(&self, place: &Place, word: u64, indent: u32, out: &mut Writer<'_>) {
        if place.is_plain() { self.scalar(place.of, word, out) } else { self.compound(place, word, indent, out) }
    }

    fn compound(&self, place: &Place, word: u64, indent: u32, out: &mut Writer<'_>) {
        let list = List::from_word(word);
        let items = (0..list.len()).map(|item| list.offset() + item * place.item_words as usize);
        match place.many {
            Many::One => self.message(place, word as usize, indent, out),
            Many::Map if self.tables.messages[place.message as usize].keyed => self.map(place, items, indent, out),
            _ => self.array(items, indent, out, |item, out| match place.of {
                Of::Message(_) | Of::Wrapper(_) => self.message(place, item, indent + 1, out),
                of => self.scalar(of, self.words[item], out),
            }),
        }
    }

    fn message(&self, place: &Place, row: usize, indent: u32, out: &mut Writer<'_>) {
        match place.of {
            Of::Wrapper(id) => {
                let inner = &self.tables.messages[id as usize].fields[0].place;
                self.compound(inner, self.words[row + inner.word as usize], indent, out);
            }
            _ => self.object(place.message, row, indent, out),
        }
    }

    fn map(&self, place: &Place, rows: impl Iterator<Item = usize>, indent: u32, out: &mut Writer<'_>) {
        let fields: &[Field] = &self.tables.messages[place.message as usize].fields;
        let (key, value) = (&fields[0].place, &fields[1].place);
        out.byte(b'{');
        let mut first = true;
        for row in rows {
            if self.style == Style::Pretty {
                if !first {
                    out.byte(b',');
                }
                line(indent + 1, out);
            } else if !first {
                out.text(self.style.comma());
            }
            first = false;
            let word = self.words[row + key.word as usize];
            let quoted = matches!(key.of, Of::Text) || matches!(key.of, Of::Enum(id) if self.names(id, word));
            if quoted {
                self.scalar(key.of, word, out);
            } else {
                out.byte(b'"');
                self.scalar(key.of, word, out);
                out.byte(b'"');
            }
            out.text(self.style.colon());
            self.value(value, self.words[row + value.word as usize], indent + 1, out);
        }
        if self.style == Style::Pretty && !first {
            line(indent, out);
        }
        out.byte(b'}');
    }

    /// Whether the enum has a name for the number, and so writes it in quotes.
    fn names(&self, id: u32, word: u64) -> bool {
        self.tables.enums[id as usize].names.contains_key(&(word as u32 as i32))
    }

    #[inline(always)]
    fn scalar(&self, of: Of, word: u64, out: &mut Writer<'_>) {
        match of {
            Of::Int(int) if int.signed => out.signed(word as i64),
            Of::Int(_) => out.decimal(word),
            Of::Text => self.text(Span::from_word(word), out),
            _ => self.other(of, word, out),
        }
    }

    fn other(&self, of: Of, word: u64, out: &mut Writer<'_>) {
        match of {
            Of::Bool => out.text(if word != 0 { b"true" } else { b"false" }),
            Of::Double => match f64::from_bits(word) {
                v if v.is_finite() => out.text(zmij::Buffer::new().format_finite(v).as_bytes()),
                v => out.text(non_finite(v)),
            },
            Of::Float => match f32::from_bits(word as u32) {
                v if v.is_finite() => out.text(zmij::Buffer::new().format_finite(v).as_bytes()),
                v => out.text(non_finite(v.into())),
            },
            Of::Enum(id) => match self.tables.enums[id as usize].names.get(&(word as u32 as i32)) {
                Some(name) => out.text(name),
                None => out.signed(word as i64),
            },
            Of::Bytes => {
                out.byte(b'"');
                let text = base64::engine::general_purpose::STANDARD.encode(self.batch.bytes_of(Span::from_word(word)));
                out.text(text.as_bytes());
                out.byte(b'"');
            }
            _ => {}
        }
    }

    #[inline(always)]
    fn text(&self, span: Span, out: &mut Writer<'_>) {
        let source = if span.is_own() { self.batch.text() } else { self.batch.input() };
        let (from, len) = (span.offset(), span.len());
        if plain_prefix(source, from, len) == len {
            out.byte(b'"');
            out.copy(source, from, len);
            out.byte(b'"');
        } else {
            let mut text = Vec::with_capacity(len + 16);
            quote(&source[from..from + len], &mut text);
            out.text(&text);
        }
    }
}

/// Infinities and NaN have no numbers in JSON: the names that Protocol Buffers' JSON gives them.
fn non_finite(value: f64) -> &'static [u8] {
    if value.is_nan() {
        b"\"NaN\""
    } else if value > 0.0 {
        b"\"Infinity\""
    } else {
        b"\"-Infinity\""
    }
}

fn line(indent: u32, out: &mut Writer<'_>) {
    out.byte(b'\n');
    for _ in 0..indent {
        out.text(b"  ");
    }
}

/// Appends text as a string of JSON, with the short escapes where there are any.
pub(super) fn quote(text: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    let mut at = 0;
    while at < text.len() {
        let run = plain_prefix(text, at, text.len() - at);
        out.extend_from_slice(&text[at..at + run]);
        at += run;
        let Some(&byte) = text.get(at) else { break };
        let short = match byte {
            b'"' | b'\\' => byte,
            8 => b'b',
            12 => b'f',
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            _ => 0,
        };
        if short == 0 {
            const HEX: &[u8; 16] = b"0123456789abcdef";
            out.extend_from_slice(b"\\u00");
            out.extend([HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]]);
        } else {
            out.extend([b'\\', short]);
        }
        at += 1;
    }
    out.push(b'"');
}
