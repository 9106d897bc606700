//! What the reader checks beyond the grammar of events.

use crate::xml::name;
use bantam_model::lowering::fits_xml;
use bantam_model::{Error, ErrorKind, Result};
use quick_xml::events::attributes::{AttrError, Attribute};
use quick_xml::events::{BytesDecl, BytesRef, BytesStart, Event};

/// Where a part lies in the whole, if it does.
pub(super) fn place(whole: &str, part: &str) -> Option<usize> {
    let at = (part.as_ptr() as usize).checked_sub(whole.as_ptr() as usize)?;
    (at + part.len() <= whole.len()).then_some(at)
}

/// An error for the first character that no document may hold: `Char`, production 2.
#[cold]
pub(super) fn stray_character(document: &str, start: usize) -> Error {
    let stray = document.char_indices().find(|(_, c)| !fits_xml(c.encode_utf8(&mut [0; 4])));
    let (at, c) = stray.unwrap_or((0, '\0'));
    Error::new(ErrorKind::Text, format!("U+{:04X} is no character of XML", c as u32)).at_byte(start + at)
}

/// An error unless the declaration names UTF-8, or no encoding.
pub(super) fn declaration(declaration: &BytesDecl<'_>) -> Result<()> {
    declaration.version().map_err(|e| Error::new(ErrorKind::Syntax, e.to_string()))?;
    match declaration.encoding() {
        None => Ok(()),
        // US-ASCII is a part of UTF-8, and the document was found to be UTF-8.
        Some(Ok(name)) if ["utf-8", "utf8", "us-ascii"].iter().any(|n| name.eq_ignore_ascii_case(n)) => Ok(()),
        Some(Ok(name)) => {
            Err(Error::new(ErrorKind::Unsupported, format!("the encoding is {name}; only UTF-8 is read")))
        }
        Some(Err(error)) => Err(bad_attribute(&error.to_string())),
    }
}

/// An error for all but blanks, comments and processing instructions.
pub(super) fn outside(event: &Event<'_>) -> Result<()> {
    match event {
        Event::Text(text) if is_blank(text) => Ok(()),
        Event::Text(_) | Event::CData(_) | Event::GeneralRef(_) => {
            Err(Error::new(ErrorKind::Syntax, "there is text outside the root element"))
        }
        Event::Start(tag) | Event::Empty(tag) => {
            Err(Error::new(ErrorKind::Syntax, format!("<{}> is a second root element", tag.name().as_ref())))
        }
        other => misplaced(other),
    }
}

/// An error for declarations, which stand before the root element.
pub(super) fn misplaced(event: &Event<'_>) -> Result<()> {
    match event {
        Event::Decl(_) => Err(Error::new(ErrorKind::Syntax, "an XML declaration stands at the start of a document")),
        Event::DocType(_) => {
            Err(Error::new(ErrorKind::Syntax, "one document type declaration may stand before the root element"))
        }
        _ => Ok(()),
    }
}

/// Whether it is white space: `S`, production 3.
pub(super) fn is_blank(text: &str) -> bool {
    text.bytes().all(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r'))
}

/// An error unless the tag has a legal name.
pub(super) fn tag_name(tag: &BytesStart<'_>) -> Result<()> {
    let name = tag.name();
    let name: &str = name.as_ref();
    if name::is_name(name) {
        return Ok(());
    }
    Err(Error::new(ErrorKind::Syntax, format!("{} is no name of an element", crate::text::shown(name))))
}

/// Appends text with its line ends normalised: section 2.11.
pub(super) fn push_lines(out: &mut String, text: &str) {
    let mut rest = text;
    while let Some(at) = rest.find('\r') {
        out.push_str(&rest[..at]);
        out.push('\n');
        rest = &rest[at + 1..];
        rest = rest.strip_prefix('\n').unwrap_or(rest);
    }
    out.push_str(rest);
}

/// The character of a reference: by number, or one of the five that need no declaration.
pub(super) fn resolve(reference: &BytesRef<'_>) -> Result<char> {
    let name: &str = reference;
    let found = match name {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "apos" => Some('\''),
        "quot" => Some('"'),
        _ if reference.is_char_ref() => reference.resolve_char_ref().ok().flatten(),
        _ => {
            let text = format!("the entity `&{name};` is unknown; entities of a document type are not expanded");
            return Err(Error::new(ErrorKind::Unsupported, text));
        }
    };
    // The rule `Legal Character` of production 66.
    found
        .filter(|c| fits_xml(c.encode_utf8(&mut [0; 4])))
        .ok_or_else(|| Error::new(ErrorKind::Syntax, format!("`&{name};` is no character of XML")))
}

/// Whether a tag has more than its name.
pub(super) fn has_attributes(tag: &BytesStart<'_>) -> bool {
    !is_blank(tag.attributes_raw())
}

/// An error unless all attributes are well-formed.
pub(super) fn attributes(tag: &BytesStart<'_>) -> Result<()> {
    if has_attributes(tag) {
        for found in tag.attributes() {
            attribute(found)?;
        }
    }
    Ok(())
}

/// A well-formed attribute: a name, only once in its tag, and a value without `<` or unknown references.
pub(super) fn attribute(found: std::result::Result<Attribute<'_>, AttrError>) -> Result<Attribute<'_>> {
    let found = found.map_err(|e| bad_attribute(&e.to_string()))?;
    let name: &str = found.key.as_ref();
    if !name::is_name(name) {
        return Err(bad_attribute(&format!("{} is no name", crate::text::shown(name))));
    }
    if found.value.contains('<') {
        return Err(bad_attribute(&format!("`<` in the value of `{name}` has to be written `&lt;`")));
    }
    if found.value.contains('&') {
        references(&found.value)?;
    }
    Ok(found)
}

fn references(value: &str) -> Result<()> {
    for part in value.split('&').skip(1) {
        let name = part.split_once(';').ok_or_else(|| bad_attribute("`&` without `;`"))?.0;
        resolve(&BytesRef::new(name))?;
    }
    Ok(())
}

pub(super) fn bad_attribute(text: &str) -> Error {
    Error::new(ErrorKind::Syntax, format!("attribute: {text}"))
}

/// Whether an attribute is about namespaces, types or languages, and no data.
pub(super) fn is_about_xml(found: &Attribute<'_>) -> bool {
    let name: &str = found.key.as_ref();
    name == "xmlns" || ["xmlns:", "xsi:", "xml:"].iter().any(|prefix| name.starts_with(prefix))
}

/// Whether the element stands for a null: `xsi:nil="true"` of XML Schema, part 1, section 2.6.2, by any prefix.
pub(super) fn is_nil(tag: &BytesStart<'_>) -> Result<bool> {
    for found in tag.attributes() {
        let found = attribute(found)?;
        let name: &str = found.key.as_ref();
        if name.ends_with(":nil") {
            return Ok(matches!(&*found.value, "true" | "1"));
        }
    }
    Ok(false)
}
