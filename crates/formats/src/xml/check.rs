//! What the reader checks beyond the grammar of tokens.

use super::attribute::Attributes;
use super::name;
use super::scan::is_blank;
use super::token::{Scanner, Token};
use bantam_model::lowering::fits_xml;
use bantam_model::{Error, ErrorKind, Result};

/// An error for the first character that no document may hold: `Char`, production 2.
#[cold]
pub(super) fn stray_character(document: &str, start: usize) -> Error {
    let stray = document.char_indices().find(|(_, c)| !is_character(*c));
    let (at, c) = stray.unwrap_or((0, '\0'));
    Error::new(ErrorKind::Text, format!("U+{:04X} is no character of XML", c as u32)).at_byte(start + at)
}

fn is_character(c: char) -> bool {
    fits_xml(c.encode_utf8(&mut [0; 4]))
}

/// An error unless the declaration names a version first, and whole attributes up to the encoding. The encoding's name
/// was seen to before.
pub(super) fn declaration(content: &str) -> Result<()> {
    let mut attributes = Attributes::unchecked(content, "xml".len());
    match attributes.next() {
        Some(Ok(first)) if first.key == "version" => {}
        Some(Ok(first)) => {
            let text =
                format!("an XML declaration must start with `version` attribute, but in starts with `{}`", first.key);
            return Err(Error::new(ErrorKind::Syntax, text));
        }
        Some(Err(error)) => return Err(error),
        None => {
            let text = "an XML declaration does not contain `version` attribute";
            return Err(Error::new(ErrorKind::Syntax, text));
        }
    }
    for found in attributes {
        if found?.key == "encoding" {
            break;
        }
    }
    Ok(())
}

/// An error for all but blanks, comments and processing instructions.
pub(super) fn outside(scan: &Scanner<'_>, token: &Token<'_>) -> Result<()> {
    match token {
        Token::Text(text) if is_blank(&scan.document[text.clone()]) => Ok(()),
        Token::Text(_) | Token::Data(_) | Token::Reference(_) => {
            Err(scan.syntax("there is text outside the root element"))
        }
        Token::Start(tag) => {
            let name = scan.name(tag);
            Err(scan.syntax(format!("<{name}> is a second root element")))
        }
        Token::End(name) => Err(scan.syntax(format!("close tag `</{name}>` does not match any open tag"))),
        other => misplaced(other),
    }
}

/// An error for declarations, which stand before the root element.
pub(super) fn misplaced(token: &Token<'_>) -> Result<()> {
    match token {
        Token::Declaration(_) => {
            Err(Error::new(ErrorKind::Syntax, "an XML declaration stands at the start of a document"))
        }
        Token::DocType => {
            Err(Error::new(ErrorKind::Syntax, "one document type declaration may stand before the root element"))
        }
        _ => Ok(()),
    }
}

/// An error unless an element may have this name.
pub(super) fn tag_name(name: &str) -> Result<()> {
    if name::is_name(name) {
        return Ok(());
    }
    Err(Error::new(ErrorKind::Syntax, format!("{} is no name of an element", crate::text::shown(name))))
}

/// A name without its prefix.
pub(super) fn local(name: &str) -> &str {
    name.split_once(':').map_or(name, |(_, local)| local)
}

/// `CharData`, production 14: no `]]>`.
pub(super) fn brackets(text: &str) -> Result<()> {
    if memchr::memmem::find(text.as_bytes(), b"]]>").is_some() {
        return Err(Error::new(ErrorKind::Syntax, "`]]>` in text has to be written `]]&gt;`"));
    }
    Ok(())
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

/// The character of a reference, without `&` and `;`: by number, or one of the five that need no declaration.
pub(super) fn resolve(name: &str) -> Result<char> {
    let found = match name {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "apos" => Some('\''),
        "quot" => Some('"'),
        _ => {
            let Some(number) = name.strip_prefix('#') else {
                let text = format!("the entity `&{name};` is unknown; entities of a document type are not expanded");
                return Err(Error::new(ErrorKind::Unsupported, text));
            };
            numbered(number)
        }
    };
    // The rule `Legal Character` of production 66.
    found
        .filter(|&c| is_character(c))
        .ok_or_else(|| Error::new(ErrorKind::Syntax, format!("`&{name};` is no character of XML")))
}

fn numbered(number: &str) -> Option<char> {
    let (digits, radix) = number.strip_prefix('x').map_or((number, 10), |digits| (digits, 16));
    let code = u32::from_str_radix(digits, radix).ok().filter(|_| !digits.starts_with('+'))?;
    char::from_u32(code)
}
