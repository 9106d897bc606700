//! From one element to the next: predicted, or looked up.

use super::learn::{MOST_ATTRIBUTES, NONE, Use, behind, inside};
use super::read::Reader;
use super::scan::{ends_plain_text, ends_plain_value, first, is_blank, is_blank_byte};
use super::token::{Tag, Token};
use super::{check, name};
use bantam_model::{Error, ErrorKind, MessageId, Result};

/// A start tag, and what is known of its element.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Child {
    pub(super) tag: Tag,
    /// Where it was met, and its node there.
    pub(super) context: u32,
    pub(super) node: u32,
    pub(super) key: u32,
    pub(super) slot: u32,
    /// Attributes that were recognised, in the reader's `listed`.
    pub(super) listed: u8,
}

/// An element that has not ended.
#[derive(Debug, Clone, Copy)]
pub(super) struct Open {
    /// Its tag's `<`, and the end of its name.
    at: u32,
    name_end: u32,
    key: u32,
    /// In the context of what is passed over.
    node: u32,
}

/// What a prediction came to.
#[derive(Debug, Clone, Copy)]
enum Next {
    Child,
    End,
    Unknown,
}

/// An attribute's value that was recognised.
#[derive(Debug, Clone, Copy)]
pub(super) struct Listed {
    pub(super) of: Use,
    pub(super) from: usize,
    pub(super) to: usize,
}

impl Child {
    /// One of which nothing is known.
    pub(super) fn unknown(tag: Tag) -> Self {
        Self { tag, context: 0, node: NONE, key: 0, slot: NONE, listed: 0 }
    }

    pub(super) fn open(&self) -> Open {
        Open { at: self.tag.at, name_end: self.tag.name_end, key: self.key, node: self.node }
    }
}

impl<'d> Reader<'_, '_, 'd> {
    /// The next element of one that has not ended, put into `child`; false where that one ends. `counted` says whether
    /// text between elements counts as something left out.
    #[inline(always)]
    pub(super) fn step(
        &mut self,
        context: usize,
        place: u32,
        of: &Open,
        counted: bool,
        child: &mut Child,
    ) -> Result<bool> {
        match self.predict(context, place, of.key, child) {
            Next::Child => Ok(true),
            Next::End => Ok(false),
            Next::Unknown => self.look_up(context, place, of, counted, child),
        }
    }

    #[inline(always)]
    fn predict(&mut self, context: usize, place: u32, key: u32, child: &mut Child) -> Next {
        let bytes = self.scan.bytes();
        let from = self.scan.next;
        for step in self.learned.steps(context, place) {
            if !step.pattern.is_at(bytes, from) {
                continue;
            }
            let (at, end) = (from + step.blanks as usize, from + step.pattern.len as usize);
            if step.node == NONE {
                if step.key != key {
                    continue;
                }
                (self.scan.at, self.scan.next) = (at, end);
                return Next::End;
            }
            *child = Child {
                tag: Tag { at: at as u32, name_end: end as u32, end: end as u32, empty: false },
                context: context as u32,
                node: step.node,
                key: step.key,
                slot: step.slot,
                listed: 0,
            };
            let end = match bytes.get(end) {
                Some(b'>') => end + 1,
                Some(b'/') if bytes.get(end + 1) == Some(&b'>') => {
                    child.tag.empty = true;
                    end + 2
                }
                Some(&byte) if is_blank_byte(byte) => match self.predict_attributes(child) {
                    Some(end) => end,
                    None => return Next::Unknown,
                },
                // The name goes on.
                _ => continue,
            };
            (self.scan.at, self.scan.next) = (at, end);
            return Next::Child;
        }
        Next::Unknown
    }

    /// The rest of a tag, if it has some of the attributes that it had the last time, in their order; gives its end.
    fn predict_attributes(&mut self, child: &mut Child) -> Option<usize> {
        let bytes = self.scan.bytes();
        let of = self.learned.node(child)?;
        let mut listed = 0;
        let mut end = child.tag.end as usize;
        for step in &of.attributes {
            if !step.pattern.is_at(bytes, end) {
                continue;
            }
            let from = end + step.pattern.len as usize;
            let to = first(bytes, from, ends_plain_value);
            if bytes.get(to) != Some(&step.quote) {
                return None;
            }
            // There are no more steps than places.
            self.listed[listed % MOST_ATTRIBUTES] = Listed { of: step.of, from, to };
            listed += 1;
            end = to + 1;
        }
        child.tag.empty = match bytes.get(end) {
            Some(b'>') => false,
            Some(b'/') if bytes.get(end + 1) == Some(&b'>') => true,
            _ => return None,
        };
        (child.tag.end, child.listed) = (end as u32, listed as u8);
        Some(end + 1 + usize::from(child.tag.empty))
    }

    /// The same by tokens, remembering what came.
    #[inline(never)]
    fn look_up(&mut self, context: usize, place: u32, of: &Open, counted: bool, child: &mut Child) -> Result<bool> {
        let since = self.scan.next;
        loop {
            match self.scan.token()? {
                Token::Start(tag) => {
                    *child = self.known(context, place, since, tag)?;
                    return Ok(true);
                }
                Token::End(name) => {
                    self.check_end(of, name)?;
                    let bytes = &self.scan.bytes()[since..self.scan.next];
                    self.learned.ended(context, place, of.key, bytes, self.scan.at - since);
                    return Ok(false);
                }
                other => self.between(&other, of, counted)?,
            }
        }
    }

    /// A start tag with what is known of its element.
    fn known(&mut self, context: usize, place: u32, since: usize, tag: Tag) -> Result<Child> {
        let name = self.scan.name(&tag);
        let node = if let Some(node) = self.learned.find(context, place, name.as_bytes()) {
            node
        } else {
            check::tag_name(name)?;
            let slot = self.slot(context, name);
            self.learned.add(context, name.as_bytes(), slot)
        };
        let bytes = &self.scan.bytes()[since..tag.name_end as usize];
        self.learned.came(context, place, node, bytes, tag.at as usize - since);
        let mut child = Child { context: context as u32, node, ..Child::unknown(tag) };
        match self.learned.node(&child) {
            Some(node) => (child.key, child.slot) = (node.key, node.slot),
            None => child.slot = self.slot(context, name),
        }
        Ok(child)
    }

    /// The slot that an element's name stands for in a context, or none.
    fn slot(&self, context: usize, name: &str) -> u32 {
        let local = check::local(name);
        if context == self.learned.records() {
            return if *local == *self.names.record { 0 } else { NONE };
        }
        if context == self.learned.passed() {
            return NONE;
        }
        let of = self.layout.message(MessageId(context as u32));
        of.by_name(name::unescape(local).as_bytes()).map_or(NONE, |slot| slot.index)
    }

    /// An error unless an end tag is of this element.
    pub(super) fn check_end(&self, of: &Open, name: &str) -> Result<()> {
        let expected = self.name(of);
        if name == expected {
            return Ok(());
        }
        Err(self.scan.syntax(format!("expected `</{expected}>`, but `</{name}>` was found")))
    }

    fn name(&self, of: &Open) -> &'d str {
        &self.scan.document[of.at as usize + 1..of.name_end as usize]
    }

    /// What may lie between elements without being one.
    pub(super) fn between(&mut self, token: &Token<'d>, of: &Open, counted: bool) -> Result<()> {
        let left_out = match token {
            Token::Text(text) => {
                let text = &self.scan.document[text.clone()];
                check::brackets(text)?;
                !is_blank(text)
            }
            Token::Data(_) => true,
            Token::Reference(reference) => {
                check::resolve(reference)?;
                true
            }
            Token::Over if counted => {
                let text = format!("the document ends inside <{}>", self.name(of));
                return Err(Error::new(ErrorKind::Truncated, text));
            }
            Token::Over => return Err(Error::new(ErrorKind::Truncated, "the document ends inside an element")),
            other => {
                check::misplaced(other)?;
                false
            }
        };
        if left_out && counted {
            self.batch.skip();
        }
        Ok(())
    }

    /// The text of an element that holds nothing else, up to its end tag, if that text stays as it is.
    #[inline(always)]
    pub(super) fn leaf(&mut self, child: &Child) -> Option<(usize, usize)> {
        let bytes = self.scan.bytes();
        let close = &self.learned.node(child)?.close;
        let from = self.scan.next;
        let to = first(bytes, from, ends_plain_text);
        close.is_at(bytes, to).then(|| {
            (self.scan.at, self.scan.next) = (to, to + close.len as usize);
            (from, to)
        })
    }

    /// Passes over an element that the schema does not name.
    pub(super) fn skip(&mut self, child: &Child) -> Result<()> {
        self.batch.skip();
        self.check_attributes(child)?;
        self.leave(child)
    }

    /// Passes over the rest of an element. What is open is remembered by place, so depth costs no stack, and no
    /// more memory than the input.
    pub(super) fn leave(&mut self, child: &Child) -> Result<()> {
        if child.tag.empty {
            self.scan.at = self.scan.next;
            return Ok(());
        }
        if self.leaf(child).is_some() {
            return Ok(());
        }
        let context = self.learned.passed();
        let node = self.learned.node(child).map_or(NONE, |node| node.passed);
        let key = self.learned.contexts[context].nodes.get(node as usize).map_or(0, |node| node.key);
        self.open.clear();
        self.open.push(Open { key, node, ..child.open() });
        let mut place = inside(node);
        let mut child = Child::default();
        while let Some(&of) = self.open.last() {
            if !self.step(context, place, &of, false, &mut child)? {
                self.open.pop();
                place = behind(of.node);
                continue;
            }
            self.check_attributes(&child)?;
            if child.tag.empty || self.leaf(&child).is_some() {
                place = behind(child.node);
            } else {
                self.open.push(child.open());
                place = inside(child.node);
            }
        }
        Ok(())
    }
}
