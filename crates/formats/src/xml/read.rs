//! Elements → rows.

use super::learn::{Learned, START, Use, behind};
use super::scan::fits;
use super::step::{Child, Listed, Open};
use super::token::{Scanner, Token};
use super::{Names, Xml, check};
use crate::codec::Framing;
use crate::plan::Place;
use crate::text;
use bantam_model::{Batch, Error, ErrorKind, Kind, Layout, List, MessageId, MessageLayout, Result, Shape, Slot, Span};
use std::ops::Range;

pub(super) struct Reader<'a, 'c, 'd> {
    pub(super) scan: Scanner<'d>,
    /// Whether the document is a part of the batch's input, so that text may be a range of that.
    in_input: bool,
    pub(super) batch: &'c mut Batch<'a>,
    pub(super) layout: &'c Layout,
    pub(super) names: &'c Names,
    places: &'c [Box<[Place]>],
    pub(super) learned: &'c mut Learned,
    /// Text that does not lie in the document as it is.
    pub(super) scratch: &'c mut String,
    /// The elements that are open in what is passed over.
    pub(super) open: &'c mut Vec<Open>,
    /// The values of the attributes that were recognised in the last tag.
    pub(super) listed: [Listed; super::learn::MOST_ATTRIBUTES],
}

/// Character data: a range of the document, or the scratch.
#[derive(Debug, Clone, Copy)]
pub(super) enum Found {
    Input(usize, usize),
    Scratch,
}

impl<'a, 'c, 'd> Reader<'a, 'c, 'd> {
    /// For a document in UTF-8. `start` says where it lies in the batch's input, if it does.
    pub(super) fn new(
        xml: &'c mut Xml,
        bytes: &'d [u8],
        start: Option<usize>,
        batch: &'c mut Batch<'a>,
    ) -> Result<Self> {
        let at = start.unwrap_or(0);
        let document = std::str::from_utf8(bytes).map_err(|e| {
            let text = "the document is not UTF-8, and declares no other encoding";
            Error::new(ErrorKind::Text, text).at_byte(at + e.valid_up_to())
        })?;
        if !fits(document) {
            return Err(check::stray_character(document, at));
        }
        Ok(Self {
            scan: Scanner { document, start: at, at: 0, next: 0 },
            in_input: start.is_some(),
            batch,
            layout: &xml.layout,
            names: &xml.names,
            places: &xml.places,
            learned: &mut xml.learned,
            scratch: &mut xml.scratch,
            open: &mut xml.open,
            listed: [Listed { of: Use::Nothing, from: 0, to: 0 }; super::learn::MOST_ATTRIBUTES],
        })
    }

    /// Where the last token starts, in the batch's input or in the document.
    pub(super) fn position(&self) -> usize {
        self.scan.position()
    }

    /// Reads a document in a framing that the format has.
    pub(super) fn document(&mut self, framing: Framing) -> Result<()> {
        if framing == Framing::Each { self.each() } else { self.list() }
    }

    /// Reads a document that is one record.
    fn each(&mut self) -> Result<()> {
        let (root, name) = self.root()?;
        if *check::local(name) != *self.names.record {
            let text = format!("the root element is <{name}>, expected <{}>", self.names.record);
            return Err(Error::new(ErrorKind::Mismatch, text));
        }
        self.record(&root)?;
        self.end()
    }

    /// Reads a document whose root holds the records.
    fn list(&mut self) -> Result<()> {
        let (root, name) = self.root()?;
        let names = self.names;
        if *check::local(name) == *names.record && &*names.record != "records" {
            let text = format!("the root element <{}> is one record; read it with the framing `each`", names.record);
            return Err(Error::new(ErrorKind::Mismatch, text));
        }
        self.check_attributes(&root)?;
        if !root.tag.empty {
            let (context, of) = (self.learned.records(), root.open());
            let mut place = START;
            let mut child = Child::default();
            while self.step(context, place, &of, true, &mut child)? {
                place = behind(child.node);
                if child.slot == 0 { self.record(&child)? } else { self.skip(&child)? }
            }
        }
        self.end()
    }

    fn record(&mut self, child: &Child) -> Result<()> {
        let row = self.batch.push_record()?;
        let record = self.batch.len() - 1;
        let root = self.layout.root();
        self.message(row, root, child, 1).map_err(|e| e.in_record(record))?;
        self.batch.check_required(row, root).map_err(|e| e.in_record(record))
    }

    /// The start tag of the root element, and its name.
    fn root(&mut self) -> Result<(Child, &'d str)> {
        let mut typed = false;
        loop {
            match self.scan.token()? {
                Token::Start(tag) => {
                    let name = self.scan.name(&tag);
                    check::tag_name(name)?;
                    return Ok((Child::unknown(tag), name));
                }
                Token::Declaration(content) if self.scan.at == 0 => check::declaration(content)?,
                Token::DocType if !std::mem::replace(&mut typed, true) => {}
                Token::Over => return Err(Error::new(ErrorKind::Truncated, "the document has no element")),
                other => check::outside(&self.scan, &other)?,
            }
        }
    }

    /// What may come after the root element.
    fn end(&mut self) -> Result<()> {
        loop {
            match self.scan.token()? {
                Token::Over => return Ok(()),
                other => check::outside(&self.scan, &other)?,
            }
        }
    }

    /// Reads what an element holds into a row.
    fn message(&mut self, row: usize, of: &'c MessageLayout, child: &Child, depth: u32) -> Result<()> {
        self.batch.limits().check_depth(depth)?;
        if of.shape == Shape::Wrapper {
            self.batch.mark(row, 0);
        }
        if child.tag.end > child.tag.name_end {
            self.attributes(row, of, child)?;
        }
        if child.tag.empty {
            self.scan.at = self.scan.next;
        } else {
            self.children(row, of, child, depth)?;
        }
        for &slot in &self.names.maps[of.id.0 as usize] {
            let list_at = row + of.slots[slot as usize].word as usize;
            if let (true, Kind::Message(entry)) = (self.batch.has(row, slot), of.slots[slot as usize].kind) {
                self.batch.unite_keys(list_at, self.layout.message(entry));
            }
        }
        Ok(())
    }

    fn children(&mut self, row: usize, of: &'c MessageLayout, child: &Child, depth: u32) -> Result<()> {
        let (context, open) = (of.id.0 as usize, child.open());
        let mut place = START;
        let mut inner = Child::default();
        while self.step(context, place, &open, true, &mut inner)? {
            place = behind(inner.node);
            match of.slots.get(inner.slot as usize) {
                Some(slot) => self.field(row, of, slot, &inner, depth).map_err(|e| e.in_field(&slot.name))?,
                None => self.skip(&inner)?,
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn field(&mut self, row: usize, of: &'c MessageLayout, slot: &'c Slot, child: &Child, depth: u32) -> Result<()> {
        if self.has_unread(child) && self.is_nil(child)? {
            self.check_attributes(child)?;
            // A list has no nulls, so an item that is one is left out.
            if slot.cardinality.is_many() {
                self.batch.skip();
            }
            return self.leave(child);
        }
        let list_at = row + slot.word as usize;
        match (slot.kind, slot.cardinality.is_many()) {
            (Kind::Message(id), true) => {
                let item = List::from_word(self.batch.words()[list_at]).len();
                self.batch.mark(row, slot.index);
                self.item(list_at, id, child, depth).map_err(|e| e.in_item(item))
            }
            (Kind::Message(id), false) => {
                let message = self.layout.message(id);
                let inner = self.batch.push_row(message.stride)?;
                self.message(inner, message, child, depth + 1)?;
                self.store(row, of, slot, inner as u64);
                Ok(())
            }
            (kind, many) => {
                let base64 = child.tag.end > child.tag.name_end && self.is_base64(child)?;
                let at = self.scan.start + self.scan.next;
                let found = self.text(child)?;
                let word = self.word(kind, found, base64).map_err(|e| e.at_byte(at))?;
                if many {
                    let item = self.batch.push_item(list_at, 1)?;
                    self.batch.words_mut()[item] = word;
                    self.batch.mark(row, slot.index);
                } else {
                    self.store(row, of, slot, word);
                }
                Ok(())
            }
        }
    }

    fn item(&mut self, list_at: usize, id: MessageId, child: &Child, depth: u32) -> Result<()> {
        let of = self.layout.message(id);
        let item = self.batch.push_item(list_at, of.stride)?;
        self.message(item, of, child, depth + 1)?;
        self.batch.check_required(item, of)
    }

    /// Sets a single field, instead of what it or another field of its oneof had before.
    #[inline(always)]
    pub(super) fn store(&mut self, row: usize, of: &MessageLayout, slot: &Slot, word: u64) {
        // What it had before is lost, so it is counted.
        if self.batch.has(row, slot.index) {
            self.batch.skip();
        }
        let place = &self.places[of.id.0 as usize][slot.index as usize];
        if place.in_oneof {
            place.drop_rivals(self.batch, of.id.0, row);
        }
        place.store(self.batch, row, word);
    }

    /// A scalar's word.
    #[inline(always)]
    pub(super) fn word(&mut self, kind: Kind, found: Found, base64: bool) -> Result<u64> {
        if let (Kind::String, false, Found::Input(from, to), true) = (kind, base64, found, self.in_input) {
            return Ok(self.batch.span(self.scan.start + from, to - from)?.word());
        }
        self.other_word(kind, found, base64)
    }

    fn other_word(&mut self, kind: Kind, found: Found, base64: bool) -> Result<u64> {
        let text = match found {
            Found::Input(from, to) => &self.scan.document[from..to],
            Found::Scratch => self.scratch,
        };
        match kind {
            Kind::Bytes => self.batch.store_with(|out| text::read_base64(out, text)).map(Span::word),
            Kind::String if base64 => {
                let span = self.batch.store_with(|out| {
                    let at = out.len();
                    text::read_base64(out, text)?;
                    let utf8 = std::str::from_utf8(&out[at..]);
                    utf8.map(drop).map_err(|_| Error::new(ErrorKind::Text, "the text in base64 is not UTF-8"))
                });
                span.map(Span::word)
            }
            Kind::String => self.batch.store(text.as_bytes()).map(Span::word),
            _ => text::parse_scalar(self.layout.schema(), kind, text.trim_matches([' ', '\t', '\n', '\r'])),
        }
    }

    /// Reads the character data up to the end tag.
    #[inline(always)]
    fn text(&mut self, child: &Child) -> Result<Found> {
        if child.tag.empty {
            self.scan.at = self.scan.next;
            return Ok(Found::Input(self.scan.next, self.scan.next));
        }
        match self.leaf(child) {
            Some((from, to)) => Ok(Found::Input(from, to)),
            None => self.mixed_text(&child.open()),
        }
    }

    /// The same where text is in pieces, or has to be changed.
    #[inline(never)]
    fn mixed_text(&mut self, of: &Open) -> Result<Found> {
        let mut found = Found::Input(self.scan.next, self.scan.next);
        self.scratch.clear();
        loop {
            match self.scan.token()? {
                Token::End(name) => return self.check_end(of, name).map(|()| found),
                Token::Text(text) => {
                    check::brackets(&self.scan.document[text.clone()])?;
                    self.add(&mut found, text);
                }
                Token::Data(text) => self.add(&mut found, text),
                Token::Reference(reference) => {
                    let character = check::resolve(reference)?;
                    self.move_to_scratch(&mut found);
                    self.scratch.push(character);
                }
                Token::Start(tag) => {
                    check::tag_name(self.scan.name(&tag))?;
                    self.skip(&Child::unknown(tag))?;
                }
                other => self.between(&other, of, true)?,
            }
        }
    }

    fn add(&mut self, found: &mut Found, text: Range<usize>) {
        let piece = &self.scan.document[text.clone()];
        let returns = piece.contains('\r');
        match found {
            Found::Input(from, to) if from == to && !returns => *found = Found::Input(text.start, text.end),
            _ => {
                self.move_to_scratch(found);
                if returns {
                    check::push_lines(self.scratch, piece);
                } else {
                    self.scratch.push_str(piece);
                }
            }
        }
    }

    fn move_to_scratch(&mut self, found: &mut Found) {
        if let Found::Input(from, to) = *found {
            self.scratch.push_str(&self.scan.document[from..to]);
            *found = Found::Scratch;
        }
    }
}
