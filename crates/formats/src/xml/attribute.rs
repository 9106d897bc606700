//! Attributes: fields of a message, or marks of a scalar.

use super::learn::{AttributeStep, NONE, Use};
use super::read::{Found, Reader};
use super::scan::{Pattern, is_blank, is_blank_byte};
use super::step::Child;
use super::{check, name};
use bantam_model::{Error, ErrorKind, Kind, MessageLayout, Result, Slot};
use std::collections::HashSet;

/// An attribute as it is written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Attribute<'d> {
    pub(super) key: &'d str,
    /// The value between its quotes, and where it starts in the tag's content.
    pub(super) value: &'d str,
    pub(super) at: usize,
}

/// The attributes of a tag, each well-formed: a name, only once in its tag, and a value without `<` or unknown
/// references. After an error there is nothing more.
pub(super) struct Attributes<'d> {
    /// What a tag has between its brackets; positions in errors count from its start.
    content: &'d str,
    at: usize,
    strict: bool,
    few: [&'d str; FEW],
    count: usize,
    /// What does not fit into `few`.
    many: HashSet<&'d str>,
}

/// Names that are compared one by one.
const FEW: usize = 8;

impl<'d> Attributes<'d> {
    /// Of a tag, behind its name.
    pub(super) fn new(content: &'d str, name_len: usize) -> Self {
        Self { content, at: name_len, strict: true, few: [""; FEW], count: 0, many: HashSet::new() }
    }

    /// Without a look at names, values and doubles.
    pub(super) fn unchecked(content: &'d str, name_len: usize) -> Self {
        Self { strict: false, ..Self::new(content, name_len) }
    }

    /// Where the first byte at or behind `from` lies that is white space, or is not.
    fn until(&self, from: usize, stops: impl Fn(u8) -> bool) -> usize {
        let rest = &self.content.as_bytes()[from..];
        from + rest.iter().position(|&b| stops(b)).unwrap_or(rest.len())
    }

    /// `Attribute`, production 41.
    fn read(&mut self, from: usize) -> Result<Attribute<'d>> {
        let bytes = self.content.as_bytes();
        let wrong = |at: usize, text: &str| Err(malformed(&format!("position {at}: {text}")));
        if from == self.at {
            return wrong(from, "there must be white space before an attribute");
        }
        let key_end = self.until(from + 1, |b| b == b'=' || is_blank_byte(b));
        let equals = self.until(key_end, |b| !is_blank_byte(b));
        if bytes.get(equals) != Some(&b'=') {
            return wrong(equals, "attribute key must be directly followed by `=` or space");
        }
        let key = &self.content[from..key_end];
        if let (true, Some(earlier)) = (self.strict, self.earlier(key)) {
            return wrong(from, &format!("duplicated attribute, previous declaration at position {earlier}"));
        }
        let open = self.until(equals + 1, |b| !is_blank_byte(b));
        let quote = match bytes.get(open) {
            Some(&quote @ (b'"' | b'\'')) => quote,
            Some(_) => return wrong(open, "attribute value must be enclosed in `\"` or `'`"),
            None => return wrong(open, "`=` must be followed by an attribute value"),
        };
        let at = open + 1;
        let end = self.until(at, |b| b == quote);
        if end == bytes.len() {
            return wrong(end, &format!("missing closing quote `{}` in attribute value", quote as char));
        }
        self.at = end + 1;
        let value = &self.content[at..end];
        if self.strict {
            well_formed(key, value)?;
        }
        Ok(Attribute { key, value, at })
    }

    /// Where an attribute of this name came before; else the name is remembered.
    fn earlier(&mut self, key: &'d str) -> Option<usize> {
        let known = self.few[..self.count].iter().find(|k| **k == key).copied().or(self.many.get(key).copied());
        if let Some(known) = known {
            return Some(known.as_ptr() as usize - self.content.as_ptr() as usize);
        }
        if self.count < FEW {
            self.few[self.count] = key;
            self.count += 1;
        } else {
            self.many.insert(key);
        }
        None
    }
}

impl<'d> Iterator for Attributes<'d> {
    type Item = Result<Attribute<'d>>;

    fn next(&mut self) -> Option<Self::Item> {
        let from = self.until(self.at, |b| !is_blank_byte(b));
        if from >= self.content.len() {
            return None;
        }
        let found = self.read(from);
        if found.is_err() {
            self.at = self.content.len();
        }
        Some(found)
    }
}

fn well_formed(key: &str, value: &str) -> Result<()> {
    if !name::is_name(key) {
        return Err(malformed(&format!("{} is no name", crate::text::shown(key))));
    }
    if value.contains('<') {
        return Err(malformed(&format!("`<` in the value of `{key}` has to be written `&lt;`")));
    }
    for part in value.split('&').skip(1) {
        let name = part.split_once(';').ok_or_else(|| malformed("`&` without `;`"))?.0;
        check::resolve(name)?;
    }
    Ok(())
}

fn malformed(text: &str) -> Error {
    Error::new(ErrorKind::Syntax, format!("attribute: {text}"))
}

/// Appends a well-formed value as section 3.3.3 normalises it.
fn push_normalised(out: &mut String, value: &str) -> Result<()> {
    let mut rest = value;
    while let Some(at) = rest.find(['&', '\t', '\n', '\r']) {
        out.push_str(&rest[..at]);
        let special = rest.as_bytes()[at];
        rest = &rest[at + 1..];
        match special {
            b'&' => {
                let (name, more) = rest.split_once(';').ok_or_else(|| malformed("`&` without `;`"))?;
                out.push(check::resolve(name)?);
                rest = more;
            }
            b'\r' => {
                out.push(' ');
                rest = rest.strip_prefix('\n').unwrap_or(rest);
            }
            _ => out.push(' '),
        }
    }
    out.push_str(rest);
    Ok(())
}

/// Whether an attribute is about namespaces, types or languages, and no data.
fn is_about_xml(key: &str) -> bool {
    key == "xmlns" || ["xmlns:", "xsi:", "xml:"].iter().any(|prefix| key.starts_with(prefix))
}

impl<'c, 'd> Reader<'_, 'c, 'd> {
    /// An error unless all attributes are well-formed.
    pub(super) fn check_attributes(&mut self, child: &Child) -> Result<()> {
        if self.has_unread(child) {
            for found in self.attributes_of(child) {
                found?;
            }
            self.learn_attributes(child, None);
        }
        Ok(())
    }

    /// Whether the element stands for a null: `xsi:nil="true"` of XML Schema, part 1, section 2.6.2, by any prefix.
    pub(super) fn is_nil(&self, child: &Child) -> Result<bool> {
        for found in self.attributes_of(child) {
            let found = found?;
            if found.key.ends_with(":nil") {
                return Ok(matches!(found.value, "true" | "1"));
            }
        }
        Ok(false)
    }

    /// Takes attributes that are named as a scalar field for that field.
    pub(super) fn attributes(&mut self, row: usize, of: &'c MessageLayout, child: &Child) -> Result<()> {
        for at in 0..child.listed as usize {
            let value = self.listed[at];
            match value.of {
                Use::Nothing => {}
                Use::Unknown => self.batch.skip(),
                Use::Field(slot) => {
                    let slot = &of.slots[slot as usize];
                    self.attribute(row, of, slot, Found::Input(value.from, value.to))
                        .map_err(|e| e.in_field(&slot.name))?;
                }
            }
        }
        if !self.has_unread(child) {
            return Ok(());
        }
        for attribute in self.attributes_of(child) {
            let attribute = attribute?;
            match use_of(attribute.key, Some(of)) {
                Use::Nothing => {}
                Use::Unknown => self.batch.skip(),
                Use::Field(slot) => {
                    let slot = &of.slots[slot as usize];
                    let found = self.normalised(child, &attribute)?;
                    self.attribute(row, of, slot, found).map_err(|e| e.in_field(&slot.name))?;
                }
            }
        }
        self.learn_attributes(child, Some(of));
        Ok(())
    }

    fn normalised(&mut self, child: &Child, attribute: &Attribute<'_>) -> Result<Found> {
        let value = attribute.value;
        if value.contains(['&', '\t', '\n', '\r']) {
            self.scratch.clear();
            push_normalised(self.scratch, value)?;
            return Ok(Found::Scratch);
        }
        let from = child.tag.at as usize + 1 + attribute.at;
        Ok(Found::Input(from, from + value.len()))
    }

    fn attribute(&mut self, row: usize, of: &MessageLayout, slot: &Slot, found: Found) -> Result<()> {
        let word = self.word(slot.kind, found, false)?;
        self.store(row, of, slot, word);
        Ok(())
    }

    /// Whether text is in base64; other attributes of a scalar are counted.
    pub(super) fn is_base64(&mut self, child: &Child) -> Result<bool> {
        for at in 0..child.listed as usize {
            if !matches!(self.listed[at].of, Use::Nothing) {
                self.batch.skip();
            }
        }
        if !self.has_unread(child) {
            return Ok(false);
        }
        let mut base64 = false;
        for attribute in self.attributes_of(child) {
            let attribute = attribute?;
            if attribute.key == "encoding" && attribute.value == "base64" {
                base64 = true;
            } else if !is_about_xml(attribute.key) {
                self.batch.skip();
            }
        }
        self.learn_attributes(child, None);
        Ok(base64)
    }

    /// Whether a tag has attributes that were not read with it.
    #[inline(always)]
    pub(super) fn has_unread(&self, child: &Child) -> bool {
        let tag = &child.tag;
        child.listed == 0
            && tag.end > tag.name_end
            && !is_blank(&self.scan.document[tag.name_end as usize..tag.end as usize])
    }

    fn attributes_of(&self, child: &Child) -> Attributes<'d> {
        let tag = &child.tag;
        Attributes::new(self.scan.content(tag), tag.name_len())
    }

    /// Remembers a tag's attributes, which were found to be well-formed. Marks of null and base64 are left to the
    /// careful way.
    #[inline(never)]
    fn learn_attributes(&mut self, child: &Child, of: Option<&MessageLayout>) {
        if child.node == NONE || !self.learned.wants_attributes(child) {
            return;
        }
        let tag = &child.tag;
        let content = self.scan.content(tag);
        let mut from = tag.name_len();
        let mut steps = Vec::new();
        for found in Attributes::unchecked(content, from) {
            let Ok(found) = found else { return };
            let pattern = Pattern::new(&[&content.as_bytes()[from..found.at]]);
            if pattern.len == 0 || found.key.ends_with(":nil") || found.key == "encoding" {
                return;
            }
            let quote = content.as_bytes()[found.at - 1];
            steps.push(AttributeStep { pattern, quote, of: use_of(found.key, of) });
            from = found.at + found.value.len() + 1;
        }
        self.learned.set_attributes(child, steps);
    }
}

/// What an attribute is for, in a message or elsewhere.
fn use_of(key: &str, of: Option<&MessageLayout>) -> Use {
    if is_about_xml(key) {
        return Use::Nothing;
    }
    let slot = of.and_then(|of| of.by_name(name::unescape(check::local(key)).as_bytes()));
    match slot.filter(|s| !s.cardinality.is_many() && !matches!(s.kind, Kind::Message(_))) {
        Some(slot) => Use::Field(slot.index),
        None => Use::Unknown,
    }
}
