//! Attributes: fields of a message, or marks of a scalar.

use super::{Reader, Text, check, name};
use bantam_model::{Kind, MessageLayout, Result, Slot};
use quick_xml::XmlVersion;
use quick_xml::events::BytesStart;
use quick_xml::events::attributes::Attribute;

impl<'a, 'c> Reader<'a, 'c> {
    /// Takes attributes that are named as a scalar field for that field.
    pub(super) fn attributes(&mut self, row: usize, of: &'c MessageLayout, tag: &BytesStart<'a>) -> Result<()> {
        for attribute in tag.attributes() {
            let attribute = check::attribute(attribute)?;
            if check::is_about_xml(&attribute) {
                continue;
            }
            let name = name::unescape(attribute.key.local_name().into_inner()).into_owned();
            let slot = of.by_name(name.as_bytes());
            match slot.filter(|s| !s.cardinality.is_many() && !matches!(s.kind, Kind::Message(_))) {
                Some(slot) => self.attribute(row, of, slot, &attribute).map_err(|e| e.in_field(&slot.name))?,
                None => self.batch.skip(),
            }
        }
        Ok(())
    }

    fn attribute(&mut self, row: usize, of: &MessageLayout, slot: &Slot, attribute: &Attribute<'_>) -> Result<()> {
        let value =
            attribute.normalized_value(XmlVersion::Implicit1_0).map_err(|e| check::bad_attribute(&e.to_string()))?;
        let found = if let Some(at) = check::place(self.document, &value) {
            Text::Input(&self.document[at..at + value.len()])
        } else {
            self.scratch.clear();
            self.scratch.push_str(&value);
            Text::Scratch
        };
        let (word, zero) = self.word(slot.kind, found, false)?;
        self.set(row, of, slot, word, zero);
        Ok(())
    }

    /// Whether text is in base64; other attributes of a scalar are counted.
    pub(super) fn is_base64(&mut self, tag: &BytesStart<'a>) -> Result<bool> {
        let mut base64 = false;
        for attribute in tag.attributes() {
            let attribute = check::attribute(attribute)?;
            if attribute.key.as_ref() == "encoding" && attribute.value == "base64" {
                base64 = true;
            } else if !check::is_about_xml(&attribute) {
                self.batch.skip();
            }
        }
        Ok(base64)
    }
}
