//! Field names as element names.
//!
//! A character that an XML name cannot hold at its place, and a colon, is written `_xHHHH_` with its number in
//! hexadecimal, or `_xHHHHHHHH_` beyond U+FFFF, as ISO/IEC 9075-14 and .NET's `XmlConvert` do. A `_` that
//! would look like the start of such an escape is escaped itself, and the empty name is `_x_`.

use std::borrow::Cow;
use std::fmt::Write as _;

/// The element name for a field's or message's name.
pub(super) fn escape(name: &str) -> Cow<'_, str> {
    if name.is_empty() {
        return "_x_".into();
    }
    let fits = |(at, c): (usize, char)| {
        let legal = if at == 0 { is_start(c) } else { is_start(c) || is_inner(c) };
        legal && !(c == '_' && (at == 0 && name == "_x_" || escaped(&name[at..]).is_some()))
    };
    if name.char_indices().all(fits) {
        return name.into();
    }
    let mut escaped = String::new();
    for (at, c) in name.char_indices() {
        if fits((at, c)) {
            escaped.push(c);
        } else {
            let width = if c > '\u{ffff}' { 8 } else { 4 };
            // Writing to a string cannot fail.
            let _ = write!(escaped, "_x{:0width$X}_", c as u32);
        }
    }
    escaped.into()
}

/// The name behind an element name.
pub(super) fn unescape(name: &str) -> Cow<'_, str> {
    if name == "_x_" {
        return "".into();
    }
    if !name.contains("_x") {
        return name.into();
    }
    let mut plain = String::new();
    let mut rest = name;
    while let Some(c) = rest.chars().next() {
        let (c, len) = escaped(rest).unwrap_or((c, c.len_utf8()));
        plain.push(c);
        rest = &rest[len..];
    }
    plain.into()
}

/// The escape at the start of the text: its character and its length.
fn escaped(text: &str) -> Option<(char, usize)> {
    let digits = text.strip_prefix("_x")?;
    let len = digits.find('_').filter(|len| matches!(len, 4 | 8))?;
    let hex = &digits[..len];
    let number = u32::from_str_radix(hex, 16).ok().filter(|_| !hex.starts_with('+'))?;
    Some((char::from_u32(number)?, len + 3))
}

/// Whether this is a name, colons included.
pub(super) fn is_name(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(|c| c == ':' || is_start(c))
        && characters.all(|c| c == ':' || is_start(c) || is_inner(c))
}

/// `NameStartChar` of XML 1.0, fifth edition, production 4, without the colon.
fn is_start(c: char) -> bool {
    matches!(c, 'A'..='Z' | '_' | 'a'..='z' | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{2ff}'
        | '\u{370}'..='\u{37d}' | '\u{37f}'..='\u{1fff}' | '\u{200c}'..='\u{200d}' | '\u{2070}'..='\u{218f}'
        | '\u{2c00}'..='\u{2fef}' | '\u{3001}'..='\u{d7ff}' | '\u{f900}'..='\u{fdcf}' | '\u{fdf0}'..='\u{fffd}'
        | '\u{10000}'..='\u{effff}')
}

/// What `NameChar`, production 4a, has beyond `NameStartChar`.
fn is_inner(c: char) -> bool {
    matches!(c, '-' | '.' | '0'..='9' | '\u{b7}' | '\u{300}'..='\u{36f}' | '\u{203f}'..='\u{2040}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_becomes_a_legal_one_and_comes_back() {
        for (name, element) in [
            ("sip", "sip"),
            ("größe", "größe"),
            ("名前", "名前"),
            ("a.b-c_1", "a.b-c_1"),
            ("", "_x_"),
            ("_x_", "_x005F_x_"),
            ("1st", "_x0031_st"),
            ("a b", "a_x0020_b"),
            ("a:b", "a_x003A_b"),
            ("max_x", "max_x"),
            ("_x0041_", "_x005F_x0041_"),
            ("a_x0041_", "a_x005F_x0041_"),
            ("_x+041_", "_x_x002B_041_"),
            ("_xD800_", "_xD800_"),
            ("\0", "_x0000_"),
            ("\u{10ffff}", "_x0010FFFF_"),
            ("<a>", "_x003C_a_x003E_"),
        ] {
            assert_eq!(escape(name), element);
            assert_eq!(unescape(element), name);
            assert!(is_name(element), "{element}");
        }
        assert!(!is_name("") && !is_name("1") && !is_name("a b") && is_name("a:b"));
    }
}
