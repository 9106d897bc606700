//! Documents in other encodings than UTF-8, by XML 1.0 (fifth edition), section 4.3.3 and appendix F.

use super::attribute::Attributes;
use bantam_model::{Error, ErrorKind, Result};
use std::borrow::Cow;

/// How a document's bytes are its characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    /// UTF-8, and US-ASCII as a part of it.
    Utf8,
    Utf16 {
        little: bool,
    },
    Latin1,
    Windows1252,
}

impl Encoding {
    /// By a name of <https://www.iana.org/assignments/character-sets>, in any case.
    fn named(name: &str) -> Option<Self> {
        const NAMES: &[(Encoding, &[&str])] = &[
            (Encoding::Utf8, &["utf-8", "utf8", "us-ascii", "ascii"]),
            (Encoding::Latin1, &["iso-8859-1", "iso_8859-1", "iso8859-1", "latin1", "l1"]),
            (Encoding::Windows1252, &["windows-1252", "cp1252"]),
        ];
        let is_it = |names: &[&str]| names.iter().any(|n| n.eq_ignore_ascii_case(name));
        NAMES.iter().find(|(_, names)| is_it(names)).map(|&(encoding, _)| encoding)
    }
}

/// The document as UTF-8, without a byte order mark. It stays where it is if it is UTF-8 or US-ASCII already.
///
/// UTF-16 is known by its byte order mark, or by `<?` at its start; ISO-8859-1 and Windows-1252 by the XML declaration.
/// In what comes back, the declaration names UTF-8. Whether a document that stays where it is really is UTF-8, and a
/// document of XML, is left to the reader.
///
/// ```
/// let latin = b"<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe9</a>";
/// let text = bantam_formats::xml::to_utf8(latin).unwrap();
/// assert_eq!(text, "<?xml version='1.0' encoding='UTF-8'?><a>é</a>".as_bytes());
/// ```
///
/// # Errors
/// [`ErrorKind::Unsupported`] if the declaration names another encoding, or UTF-16 where the bytes are not;
/// [`ErrorKind::Text`] at bytes that are no character of the encoding, [`ErrorKind::Truncated`] if the last character is not
/// whole. Their positions count in the text that came before, as UTF-8.
pub fn to_utf8(bytes: &[u8]) -> Result<Cow<'_, [u8]>> {
    let (encoding, bytes) = by_start(bytes);
    if let Encoding::Utf16 { little } = encoding {
        return from_utf16(bytes, little).and_then(declared_anew).map(Cow::Owned);
    }
    match declared(bytes) {
        None => Ok(Cow::Borrowed(bytes)),
        Some(name) => match Encoding::named(name) {
            Some(Encoding::Utf8) => Ok(Cow::Borrowed(bytes)),
            Some(encoding) => from_bytes(bytes, encoding).and_then(declared_anew).map(Cow::Owned),
            None => Err(unsupported(name)),
        },
    }
}

/// What the first bytes tell, and the document without its byte order mark.
fn by_start(bytes: &[u8]) -> (Encoding, &[u8]) {
    match bytes {
        [0xef, 0xbb, 0xbf, rest @ ..] => (Encoding::Utf8, rest),
        [0xff, 0xfe, rest @ ..] => (Encoding::Utf16 { little: true }, rest),
        [0xfe, 0xff, rest @ ..] => (Encoding::Utf16 { little: false }, rest),
        [b'<', 0, b'?', 0, ..] => (Encoding::Utf16 { little: true }, bytes),
        [0, b'<', 0, b'?', ..] => (Encoding::Utf16 { little: false }, bytes),
        _ => (Encoding::Utf8, bytes),
    }
}

/// The encoding that the XML declaration names. A declaration that is none is left to the reader.
fn declared(bytes: &[u8]) -> Option<&str> {
    let rest = bytes.strip_prefix(b"<?xml")?;
    let content = &rest[..memchr::memmem::find(rest, b"?>")?];
    let content = std::str::from_utf8(content).ok()?;
    if !content.starts_with([' ', '\t', '\n', '\r']) {
        return None;
    }
    Attributes::unchecked(content, 0)
        .map_while(Result::ok)
        .find(|found| found.key == "encoding")
        .map(|found| found.value)
}

/// Lets the declaration of a document that has become UTF-8 say so.
fn declared_anew(mut document: Vec<u8>) -> Result<Vec<u8>> {
    let Some(name) = declared(&document) else { return Ok(document) };
    let known = Encoding::named(name).is_some_and(|encoding| encoding != Encoding::Utf8);
    if !known && !["utf-16", "utf-16le", "utf-16be", "iso-10646-ucs-2"].iter().any(|n| n.eq_ignore_ascii_case(name)) {
        return Err(unsupported(name));
    }
    let at = name.as_ptr() as usize - document.as_ptr() as usize;
    let end = at + name.len();
    document.splice(at..end, *b"UTF-8");
    Ok(document)
}

fn unsupported(name: &str) -> Error {
    let text = format!(
        "the encoding is declared as {}, which is not that of the bytes, or is none of those that are read: UTF-8, \
         UTF-16, US-ASCII, ISO-8859-1 and Windows-1252",
        crate::text::shown(name)
    );
    Error::new(ErrorKind::Unsupported, text)
}

fn from_utf16(bytes: &[u8], little: bool) -> Result<Vec<u8>> {
    let (pairs, odd) = bytes.as_chunks::<2>();
    let units = pairs.iter().map(|&pair| if little { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) });
    let mut out = String::with_capacity(bytes.len() / 2);
    for character in char::decode_utf16(units) {
        match character {
            Ok(character) => out.push(character),
            Err(half) => {
                let text = format!("U+{:04X} is half a character of UTF-16", half.unpaired_surrogate());
                return Err(wrong(ErrorKind::Text, text, out.as_bytes()));
            }
        }
    }
    if !odd.is_empty() {
        let text = "the document ends inside a character of UTF-16";
        return Err(wrong(ErrorKind::Truncated, text.into(), out.as_bytes()));
    }
    Ok(out.into_bytes())
}

/// From an encoding with one byte a character.
fn from_bytes(bytes: &[u8], encoding: Encoding) -> Result<Vec<u8>> {
    let mut out = String::with_capacity(bytes.len() + bytes.len() / 8);
    for &byte in bytes {
        match (byte, encoding) {
            (0x80..=0x9f, Encoding::Windows1252) => match WINDOWS[usize::from(byte - 0x80)] {
                '\0' => {
                    let text = format!("the byte {byte:02X} is no character of Windows-1252");
                    return Err(wrong(ErrorKind::Text, text, out.as_bytes()));
                }
                character => out.push(character),
            },
            _ => out.push(char::from(byte)),
        }
    }
    Ok(out.into_bytes())
}

/// Windows-1252 from 80 to 9F; elsewhere it is as ISO-8859-1. The five that it does not have are U+0000 here.
const WINDOWS: [char; 32] = [
    '€', '\0', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\0', 'Ž', '\0', '\0', '‘', '’', '“', '”', '•',
    '–', '—', '˜', '™', 'š', '›', 'œ', '\0', 'ž', 'Ÿ',
];

#[cold]
fn wrong(kind: ErrorKind, text: String, before: &[u8]) -> Error {
    Error::new(kind, text).at_byte(before.len()).with_lines(before)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf16(text: &str, little: bool) -> Vec<u8> {
        text.encode_utf16().flat_map(|unit| if little { unit.to_le_bytes() } else { unit.to_be_bytes() }).collect()
    }

    #[test]
    fn utf8_stays_where_it_is() {
        for (bytes, text) in [
            (&b""[..], &b""[..]),
            (b"<a/>", b"<a/>"),
            (b"\xef\xbb\xbf<a/>", b"<a/>"),
            (b"<a>\xff</a>", b"<a>\xff</a>"),
            (b"<?xml version='1.0'?><a/>", b"<?xml version='1.0'?><a/>"),
            (b"<?xml version='1.0' encoding='utf-8'?><a/>", b"<?xml version='1.0' encoding='utf-8'?><a/>"),
            (b"<?xml version='1.0' encoding='US-ASCII'?><a/>", b"<?xml version='1.0' encoding='US-ASCII'?><a/>"),
            (b"<?xml version='1.0' encoding=?><a/>", b"<?xml version='1.0' encoding=?><a/>"),
            (b"<?xml-model encoding='x'?><a/>", b"<?xml-model encoding='x'?><a/>"),
            (b"<?xml version='1.0' encoding='x'", b"<?xml version='1.0' encoding='x'"),
        ] {
            let found = to_utf8(bytes).unwrap();
            assert!(matches!(found, Cow::Borrowed(_)));
            assert_eq!(found, text);
        }
    }

    #[test]
    fn other_encodings_become_utf8() {
        let text = "<?xml version=\"1.0\" encoding=\"UTF-16\"?>\n<a>é😀€</a>";
        let named = text.replace("UTF-16", "UTF-8");
        let plain = "<a>é😀€</a>";
        for (bytes, expected) in [
            (utf16(&format!("\u{feff}{text}"), true), &*named),
            (utf16(&format!("\u{feff}{text}"), false), &*named),
            (utf16(text, true), &*named),
            (utf16(text, false), &*named),
            (utf16(&format!("\u{feff}{plain}"), true), plain),
            (utf16(&format!("\u{feff}{plain}"), false), plain),
            (
                b"<?xml version='1.0' encoding='iso-8859-1' standalone='yes'?><a>\xe9\x80</a>".to_vec(),
                "<?xml version='1.0' encoding='UTF-8' standalone='yes'?><a>é\u{80}</a>",
            ),
            (
                b"<?xml version='1.0' encoding='windows-1252'?><a>\xe9\x80</a>".to_vec(),
                "<?xml version='1.0' encoding='UTF-8'?><a>é€</a>",
            ),
        ] {
            let found = to_utf8(&bytes).unwrap();
            assert_eq!(std::str::from_utf8(&found).unwrap(), expected);
            assert!(matches!(to_utf8(&found).unwrap(), Cow::Borrowed(again) if again == &*found));
        }
    }

    #[test]
    fn what_is_no_text_of_its_encoding_is_an_error() {
        let declared = |name: &str| format!("<?xml version='1.0' encoding='{name}'?>\n<a>").into_bytes();
        let which = "which is not that of the bytes, or is none of those that are read: UTF-8, UTF-16, US-ASCII, \
                     ISO-8859-1 and Windows-1252";
        for (bytes, kind, error) in [
            (
                declared("EBCDIC-CP-US"),
                ErrorKind::Unsupported,
                format!("the encoding is declared as \"EBCDIC-CP-US\", {which}"),
            ),
            (declared("UTF-16"), ErrorKind::Unsupported, format!("the encoding is declared as \"UTF-16\", {which}")),
            (
                utf16(&String::from_utf8(declared("UTF-8")).unwrap(), true),
                ErrorKind::Unsupported,
                format!("the encoding is declared as \"UTF-8\", {which}"),
            ),
            (
                [declared("windows-1252"), b"\x81".to_vec()].concat(),
                ErrorKind::Text,
                "line 2 column 4: the byte 81 is no character of Windows-1252".into(),
            ),
            (
                b"\xff\xfe<\0\n\0\x00\xd8a\0".to_vec(),
                ErrorKind::Text,
                "line 2 column 1: U+D800 is half a character of UTF-16".into(),
            ),
            (
                b"\xfe\xff\0<\0".to_vec(),
                ErrorKind::Truncated,
                "line 1 column 2: the document ends inside a character of UTF-16".into(),
            ),
        ] {
            let found = to_utf8(&bytes).unwrap_err();
            assert_eq!((found.kind(), found.to_string()), (kind, error));
        }
    }
}
