//! Which format an input is in: by content first, by extension second.

use crate::formats::Format;
use crate::model::{Error, ErrorKind, Result};
use crate::{Input, all_formats, find_format, quake};

/// The format whose files have this extension, in any case.
pub fn by_extension(extension: &str) -> Option<&'static Format> {
    all_formats().find(|f| f.extensions.iter().any(|e| e.eq_ignore_ascii_case(extension)))
}

/// The format of an input: what the content shows, and where several formats start alike, or none can be
/// told from it, what the extension says.
///
/// # Errors
/// [`ErrorKind::Ambiguous`] if neither tells, [`ErrorKind::Text`] for text in UTF-16.
pub fn detect(input: &Input) -> Result<&'static Format> {
    let extension = input.extension();
    let named = extension.as_deref().and_then(by_extension);
    if let (Some(named), true) = (named, input.bytes.trim_ascii().is_empty()) {
        return Ok(named);
    }
    // Documents of quakes have many extensions, `.xml` before all.
    if let Some(format) = quake::recognise(&input.bytes) {
        return Ok(format);
    }
    let shown = by_content(&input.bytes);
    if let Some(named) = named.filter(|f| shown.contains(&f.name) || (shown.is_empty() && !f.text)) {
        return Ok(named);
    }
    let utf16 = input.bytes.starts_with(b"\xff\xfe") || input.bytes.starts_with(b"\xfe\xff");
    if shown.is_empty() && utf16 {
        return Err(Error::new(ErrorKind::Text, "the text is in UTF-16; text is read as UTF-8, so convert it first"));
    }
    let certain = shown.first().and_then(|&name| find_format(name));
    certain.or(named).ok_or_else(|| {
        let text = "the format shows neither by content nor by extension; name it with --from (see `bantam formats`)";
        Error::new(ErrorKind::Ambiguous, text)
    })
}

/// The names of the text formats that the content may be, the likeliest first; none for binary content.
fn by_content(bytes: &[u8]) -> Vec<&'static str> {
    let head = &bytes[..bytes.len().min(64 << 10)];
    let Some(text) = text_of(head, head.len() < bytes.len()) else { return Vec::new() };
    let text = text.trim_start_matches('\u{feff}').trim_start();
    match text.chars().next() {
        None => vec!["json", "json-spaced", "json-pretty", "ndjson", "yaml", "yaml-flow", "csv"],
        Some('<') => vec!["xml"],
        Some('[') => vec!["json", "json-spaced", "json-pretty", "yaml", "yaml-flow"],
        Some('{') if is_lines(text) => vec!["ndjson", "json", "json-spaced", "json-pretty"],
        Some('{') => vec!["json", "ndjson", "json-spaced", "json-pretty", "yaml", "yaml-flow"],
        Some('-') if text.starts_with("- ") || text.starts_with("---") => vec!["yaml", "yaml-flow"],
        _ => plain(text),
    }
}

/// The text, if it is text: UTF-8 without control characters that no text has. A cut character at the end of
/// a head that goes on is none.
fn text_of(head: &[u8], goes_on: bool) -> Option<&str> {
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(e) if goes_on && e.error_len().is_none() => std::str::from_utf8(&head[..e.valid_up_to()]).ok()?,
        Err(_) => return None,
    };
    let odd = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t' | '\u{c}' | '\u{85}');
    (!text.contains(odd)).then_some(text)
}

/// Whether each of the first lines is an object of its own.
fn is_lines(text: &str) -> bool {
    let mut lines = text.lines().filter(|l| !l.trim().is_empty());
    let whole = |line: &str| line.trim_end().ends_with('}') && line.trim_start().starts_with('{');
    let (first, second) = (lines.next(), lines.next());
    first.is_some_and(whole) && second.is_some_and(|l| l.trim_start().starts_with('{'))
}

/// Text that starts like neither JSON nor XML: keys with colons are YAML, a first line with commas is CSV.
fn plain(text: &str) -> Vec<&'static str> {
    let first = text.lines().find(|l| !l.trim_start().starts_with('#')).unwrap_or_default();
    if first.contains(": ") || first.ends_with(':') {
        vec!["yaml", "yaml-flow", "csv"]
    } else if first.contains(',') {
        vec!["csv", "yaml"]
    } else {
        // One word a line may be a column, or a scalar; an extension has to tell.
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, text: &[u8]) -> Option<&'static str> {
        detect(&Input { name: name.into(), bytes: text.to_vec(), compressor: None }).ok().map(|f| f.name)
    }

    #[test]
    fn content_first_then_extension() {
        assert_eq!(of("a", b" [1]"), Some("json"));
        assert_eq!(of("a.txt", b"{\"a\":1}"), Some("json"));
        assert_eq!(of("a", b"{\"a\":1}\n{\"a\":2}\n"), Some("ndjson"));
        assert_eq!(of("a.json", b"{\"a\":1}\n{\"a\":2}\n"), Some("json"));
        assert_eq!(of("a", b"\xef\xbb\xbf<?xml version=\"1.0\"?><a/>"), Some("xml"));
        assert_eq!(of("a.pb", b"\x0a\x03\x08\x96\x01"), Some("protobuf"));
        assert_eq!((of("a.pb", b""), of("a.csv", b" \n"), of("a", b"")), (Some("protobuf"), Some("csv"), Some("json")));
        assert_eq!(of("a.json", b"<a/>"), Some("xml"));
        assert_eq!(of("A.JSON", b"{\"a\":1}\n{\"a\":2}\n"), Some("json"));
        assert_eq!(of("a.json", b"\xff\xfe{\0}\0"), None);
        assert_eq!(of("a", b"\x0a\x03\x08\x96\x01"), None);
        assert_eq!(of("a", b"word"), None);
    }
}
