//! Elements → rows over the events of `quick-xml`: the plain reader that the fast one is held against.

mod attribute;
mod check;

use super::{Names, XML, name};
use crate::codec::Framing;
use crate::text;
use bantam_model::lowering::fits_xml;
use bantam_model::{
    Batch, Error, ErrorKind, Kind, Layout, List, MessageId, MessageLayout, Presence, Result, Shape, Slot,
};
use quick_xml::errors::{Error as XmlError, IllFormedError};
use quick_xml::events::{BytesStart, Event};

/// Reads a document with a fresh reader.
pub(super) fn decode<'a>(layout: &Layout, input: &'a [u8], framing: Framing, batch: &mut Batch<'a>) -> Result<()> {
    XML.check(framing)?;
    batch.reset(input)?;
    let names = Names::new(layout);
    let mut learned: Vec<_> = layout.messages().iter().map(|m| (0..=m.slots.len() as u32).collect()).collect();
    let mut scratch = String::new();
    let mut reader =
        Reader::new(layout, &names, &mut learned, &mut scratch, input, batch).map_err(|e| e.with_lines(input))?;
    reader.document(framing).map_err(|e| e.at_byte(reader.position()).with_lines(input))
}

struct Reader<'a, 'c> {
    events: quick_xml::Reader<&'a [u8]>,
    /// The document, and where in the batch's input it starts.
    document: &'a str,
    start: usize,
    batch: &'c mut Batch<'a>,
    layout: &'c Layout,
    names: &'c Names,
    learned: &'c mut [Box<[u32]>],
    /// Text that does not lie in the input as it is.
    scratch: &'c mut String,
    /// Where the last event starts, in the document.
    at: usize,
    /// Whether there is any carriage return, or any `]`: if not, no text has to be looked at for them.
    has_return: bool,
    has_bracket: bool,
}

/// Character data: as it lies in the input, or in the scratch.
#[derive(Clone, Copy)]
enum Text<'a> {
    Input(&'a str),
    Scratch,
}

impl<'a, 'c> Reader<'a, 'c> {
    fn new(
        layout: &'c Layout,
        names: &'c Names,
        learned: &'c mut [Box<[u32]>],
        scratch: &'c mut String,
        input: &'a [u8],
        batch: &'c mut Batch<'a>,
    ) -> Result<Self> {
        let (input, start) = match input.strip_prefix(b"\xef\xbb\xbf") {
            Some(rest) => (rest, 3),
            None => (input, 0),
        };
        let document = std::str::from_utf8(input).map_err(|e| {
            let text = "the document is not UTF-8, and declares no other encoding";
            Error::new(ErrorKind::Text, text).at_byte(start + e.valid_up_to())
        })?;
        if !fits_xml(document) {
            return Err(check::stray_character(document, start));
        }
        let mut events = quick_xml::Reader::from_str(document);
        let config = events.config_mut();
        config.expand_empty_elements = true;
        config.check_comments = true;
        Ok(Self {
            events,
            document,
            start,
            batch,
            layout,
            names,
            learned,
            scratch,
            at: 0,
            has_return: memchr::memchr(b'\r', input).is_some(),
            has_bracket: memchr::memchr(b']', input).is_some(),
        })
    }

    /// Where the last event starts, in the batch's input.
    fn position(&self) -> usize {
        self.start + self.at
    }

    /// Reads a document in a framing that the format has.
    fn document(&mut self, framing: Framing) -> Result<()> {
        if framing == Framing::Each { self.each() } else { self.list() }
    }

    /// Reads a document that is one record.
    fn each(&mut self) -> Result<()> {
        let root = self.root()?;
        if root.local_name().as_ref() != &*self.names.record {
            let text = format!("the root element is <{}>, expected <{}>", root.name().as_ref(), self.names.record);
            return Err(Error::new(ErrorKind::Mismatch, text));
        }
        self.record(&root)?;
        self.end()
    }

    /// Reads a document whose root holds the records.
    fn list(&mut self) -> Result<()> {
        let root = self.root()?;
        let names = self.names;
        if root.local_name().as_ref() == &*names.record && &*names.record != "records" {
            let text = format!("the root element <{}> is one record; read it with the framing `each`", names.record);
            return Err(Error::new(ErrorKind::Mismatch, text));
        }
        check::attributes(&root)?;
        loop {
            match self.next()? {
                Event::Start(tag) if tag.local_name().as_ref() == &*names.record => self.record(&tag)?,
                Event::Start(tag) => self.skip(&tag)?,
                Event::End(_) => return self.end(),
                other => self.between(&other, &root)?,
            }
        }
    }

    fn record(&mut self, tag: &BytesStart<'a>) -> Result<()> {
        let row = self.batch.push_record()?;
        let record = self.batch.len() - 1;
        let root = self.layout.root();
        self.message(row, root, tag, 1).map_err(|e| e.in_record(record))?;
        self.batch.check_required(row, root).map_err(|e| e.in_record(record))
    }

    /// The start tag of the root element.
    fn root(&mut self) -> Result<BytesStart<'a>> {
        let mut typed = false;
        loop {
            match self.next()? {
                Event::Start(tag) => {
                    check::tag_name(&tag)?;
                    return Ok(tag);
                }
                Event::Decl(declaration) if self.at == 0 => check::declaration(&declaration)?,
                Event::DocType(_) if !std::mem::replace(&mut typed, true) => {}
                Event::Eof => return Err(Error::new(ErrorKind::Truncated, "the document has no element")),
                other => check::outside(&other)?,
            }
        }
    }

    /// What may come after the root element.
    fn end(&mut self) -> Result<()> {
        loop {
            match self.next()? {
                Event::Eof => return Ok(()),
                other => check::outside(&other)?,
            }
        }
    }

    fn next(&mut self) -> Result<Event<'a>> {
        self.at = self.events.buffer_position() as usize;
        match self.events.read_event() {
            Ok(event) => Ok(event),
            Err(error) => Err(self.broken(&error)),
        }
    }

    #[cold]
    fn broken(&self, error: &XmlError) -> Error {
        let kind = match error {
            XmlError::Syntax(_) | XmlError::IllFormed(IllFormedError::MissingEndTag(_)) => ErrorKind::Truncated,
            _ => ErrorKind::Syntax,
        };
        let at = self.start + self.events.error_position() as usize;
        let text = match error {
            XmlError::Syntax(error) => error.to_string(),
            XmlError::IllFormed(error) => error.to_string(),
            error => error.to_string(),
        };
        Error::new(kind, text).at_byte(at)
    }

    /// Reads what an element holds into a row.
    fn message(&mut self, row: usize, of: &'c MessageLayout, tag: &BytesStart<'a>, depth: u32) -> Result<()> {
        self.batch.limits().check_depth(depth)?;
        if of.shape == Shape::Wrapper {
            self.batch.mark(row, 0);
        }
        if check::has_attributes(tag) {
            self.attributes(row, of, tag)?;
        }
        // 0, or one more than the slot of the last element.
        let mut last = 0;
        loop {
            match self.next()? {
                Event::Start(tag) => match self.find(of, tag.local_name().as_ref(), &mut last) {
                    Some(slot) => self.field(row, of, slot, &tag, depth).map_err(|e| e.in_field(&slot.name))?,
                    None => self.skip(&tag)?,
                },
                Event::End(_) => break,
                other => self.between(&other, tag)?,
            }
        }
        for &slot in &self.names.maps[of.id.0 as usize] {
            let list_at = row + of.slots[slot as usize].word as usize;
            if let (true, Kind::Message(entry)) = (self.batch.has(row, slot), of.slots[slot as usize].kind) {
                self.batch.unite_keys(list_at, self.layout.message(entry));
            }
        }
        Ok(())
    }

    /// The field of an element. Predicted: the same list again, then what came next the last time.
    fn find(&mut self, of: &'c MessageLayout, name: &str, last: &mut usize) -> Option<&'c Slot> {
        let names = &self.names.messages[of.id.0 as usize];
        let learned = &mut self.learned[of.id.0 as usize][*last];
        let again = last.checked_sub(1).filter(|&slot| of.slots[slot].cardinality.is_many());
        let slot = match again {
            Some(slot) if *names[slot] == *name => slot,
            _ if names.get(*learned as usize).is_some_and(|n| **n == *name) => *learned as usize,
            _ => {
                let slot = of.by_name(name::unescape(name).as_bytes())?.index;
                *learned = slot;
                slot as usize
            }
        };
        *last = slot + 1;
        Some(&of.slots[slot])
    }

    fn field(
        &mut self,
        row: usize,
        of: &'c MessageLayout,
        slot: &'c Slot,
        tag: &BytesStart<'a>,
        depth: u32,
    ) -> Result<()> {
        if check::has_attributes(tag) && check::is_nil(tag)? {
            check::attributes(tag)?;
            if slot.cardinality.is_many() {
                self.batch.skip();
            }
            return self.leave();
        }
        let list_at = row + slot.word as usize;
        match (slot.kind, slot.cardinality.is_many()) {
            (Kind::Message(id), true) => {
                let item = List::from_word(self.batch.words()[list_at]).len();
                self.batch.mark(row, slot.index);
                self.item(list_at, id, tag, depth).map_err(|e| e.in_item(item))
            }
            (Kind::Message(id), false) => {
                let message = self.layout.message(id);
                let inner = self.batch.push_row(message.stride)?;
                self.message(inner, message, tag, depth + 1)?;
                self.set(row, of, slot, inner as u64, false);
                Ok(())
            }
            (kind, many) => {
                let base64 = check::has_attributes(tag) && self.is_base64(tag)?;
                let at = self.start + self.events.buffer_position() as usize;
                let found = self.text(tag)?;
                let (word, zero) = self.word(kind, found, base64).map_err(|e| e.at_byte(at))?;
                if many {
                    let item = self.batch.push_item(list_at, 1)?;
                    self.batch.words_mut()[item] = word;
                    self.batch.mark(row, slot.index);
                } else {
                    self.set(row, of, slot, word, zero);
                }
                Ok(())
            }
        }
    }

    fn item(&mut self, list_at: usize, id: MessageId, tag: &BytesStart<'a>, depth: u32) -> Result<()> {
        let of = self.layout.message(id);
        let item = self.batch.push_item(list_at, of.stride)?;
        self.message(item, of, tag, depth + 1)?;
        self.batch.check_required(item, of)
    }

    /// Sets a single field, instead of what it or another field of its oneof had before.
    fn set(&mut self, row: usize, of: &MessageLayout, slot: &Slot, word: u64, zero: bool) {
        if self.batch.has(row, slot.index) {
            self.batch.skip();
        }
        if zero && slot.presence == Presence::Implicit {
            self.batch.unset(row, slot);
            return;
        }
        for &rival in &slot.rivals {
            self.batch.unset(row, &of.slots[rival as usize]);
        }
        self.batch.set(row, slot, word);
    }

    /// A scalar's word, and whether it is a zero that counts as absent where presence is implicit.
    fn word(&mut self, kind: Kind, found: Text<'a>, base64: bool) -> Result<(u64, bool)> {
        let text: &str = match found {
            Text::Input(text) => text,
            Text::Scratch => self.scratch,
        };
        let span = match (kind, found) {
            (Kind::Bytes, _) => self.batch.store_with(|out| text::read_base64(out, text))?,
            (Kind::String, _) if base64 => self.batch.store_with(|out| {
                let at = out.len();
                text::read_base64(out, text)?;
                let utf8 = std::str::from_utf8(&out[at..]);
                utf8.map(drop).map_err(|_| Error::new(ErrorKind::Text, "the text in base64 is not UTF-8"))
            })?,
            (Kind::String, Text::Input(text)) => match check::place(self.document, text) {
                Some(at) => self.batch.span(self.start + at, text.len())?,
                None => self.batch.store(text.as_bytes())?,
            },
            (Kind::String, Text::Scratch) => self.batch.store(text.as_bytes())?,
            _ => {
                let text = text.trim_matches([' ', '\t', '\n', '\r']);
                let word = text::parse_scalar(self.layout.schema(), kind, text)?;
                return Ok((word, word == 0));
            }
        };
        Ok((span.word(), span.is_empty()))
    }

    /// Reads the character data up to the end tag.
    fn text(&mut self, of: &BytesStart<'a>) -> Result<Text<'a>> {
        let mut found = Text::Input("");
        self.scratch.clear();
        loop {
            match self.next()? {
                Event::End(_) => return Ok(found),
                Event::Text(text) => {
                    self.check_brackets(&text)?;
                    self.add(&mut found, text.into_inner());
                }
                Event::CData(text) => self.add(&mut found, text.into_inner()),
                Event::GeneralRef(reference) => {
                    let character = check::resolve(&reference)?;
                    self.move_to_scratch(&mut found);
                    self.scratch.push(character);
                }
                Event::Start(tag) => self.skip(&tag)?,
                other => self.between(&other, of)?,
            }
        }
    }

    fn add(&mut self, found: &mut Text<'a>, text: std::borrow::Cow<'a, str>) {
        let returns = self.has_return && text.contains('\r');
        match (&found, text) {
            (Text::Input(""), std::borrow::Cow::Borrowed(text)) if !returns => *found = Text::Input(text),
            (_, text) => {
                self.move_to_scratch(found);
                if returns {
                    check::push_lines(self.scratch, &text);
                } else {
                    self.scratch.push_str(&text);
                }
            }
        }
    }

    fn move_to_scratch(&mut self, found: &mut Text<'a>) {
        if let Text::Input(text) = found {
            self.scratch.push_str(text);
            *found = Text::Scratch;
        }
    }

    /// What may lie between the elements of a message without being one.
    fn between(&mut self, event: &Event<'a>, of: &BytesStart<'a>) -> Result<()> {
        match event {
            Event::Text(text) => {
                self.check_brackets(text)?;
                if !check::is_blank(text) {
                    self.batch.skip();
                }
            }
            Event::CData(_) => self.batch.skip(),
            Event::GeneralRef(reference) => {
                check::resolve(reference)?;
                self.batch.skip();
            }
            Event::Eof => {
                let text = format!("the document ends inside <{}>", of.name().as_ref());
                return Err(Error::new(ErrorKind::Truncated, text));
            }
            other => check::misplaced(other)?,
        }
        Ok(())
    }

    /// Passes over an element that the schema does not name.
    fn skip(&mut self, tag: &BytesStart<'a>) -> Result<()> {
        check::tag_name(tag)?;
        self.batch.skip();
        check::attributes(tag)?;
        self.leave()
    }

    /// Passes over the rest of an element.
    fn leave(&mut self) -> Result<()> {
        let mut open = 1_usize;
        loop {
            match self.next()? {
                Event::Start(tag) => {
                    check::tag_name(&tag)?;
                    check::attributes(&tag)?;
                    open += 1;
                }
                Event::End(_) => {
                    open -= 1;
                    if open == 0 {
                        return Ok(());
                    }
                }
                Event::Text(text) => self.check_brackets(&text)?,
                Event::GeneralRef(reference) => drop(check::resolve(&reference)?),
                Event::CData(_) => {}
                Event::Eof => return Err(Error::new(ErrorKind::Truncated, "the document ends inside an element")),
                other => check::misplaced(&other)?,
            }
        }
    }

    /// `CharData`, production 14: no `]]>`.
    fn check_brackets(&self, text: &str) -> Result<()> {
        if self.has_bracket && text.contains("]]>") {
            return Err(Error::new(ErrorKind::Syntax, "`]]>` in text has to be written `]]&gt;`"));
        }
        Ok(())
    }
}
