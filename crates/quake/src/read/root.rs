//! The root element of a document, found without reading the document: which language it is in, and in which version.

use super::source::Language;
use memchr::memmem;

/// A root element.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Root<'d> {
    /// Its name without prefix.
    pub(crate) name: &'d [u8],
    /// The namespace of its name.
    pub(crate) namespace: Option<&'d [u8]>,
}

/// The newest versions that are known: SCML 0.14 and QuakeML 1.2.
const NEWEST: [(Language, [u64; 2]); 2] = [(Language::SeisComPml, [0, 14]), (Language::QuakeMl, [1, 2])];

impl<'d> Root<'d> {
    /// The root element of UTF-8 text, if there is one: what lies before it is passed over.
    pub(crate) fn find(document: &'d [u8]) -> Option<Self> {
        let mut rest = document;
        loop {
            rest = &rest[memchr::memchr(b'<', rest)?..];
            let end: &[u8] = match rest.get(1)? {
                b'?' => b"?>",
                b'!' if rest.starts_with(b"<!--") => b"-->",
                b'!' if rest.starts_with(b"<!DOCTYPE") && declares(rest) => b"]",
                b'!' => b">",
                _ => return Self::of_tag(&rest[1..]),
            };
            rest = &rest[memmem::find(rest, end)? + end.len()..];
        }
    }

    fn of_tag(tag: &'d [u8]) -> Option<Self> {
        let len = tag.iter().position(|b| b" \t\r\n/>".contains(b))?;
        let (prefix, name) = match tag[..len].iter().position(|&b| b == b':') {
            Some(colon) => (&tag[..colon], &tag[colon + 1..len]),
            None => (&tag[..0], &tag[..len]),
        };
        let mut namespace = None;
        let mut rest = tag[len..].trim_ascii_start();
        while let Some(equals) = rest.iter().position(|b| b"=>".contains(b)).filter(|&at| rest[at] == b'=') {
            let attribute = rest[..equals].trim_ascii_end();
            let value = rest[equals + 1..].trim_ascii_start();
            let quote = *value.first().filter(|b| b"\"'".contains(b))?;
            let end = memchr::memchr(quote, &value[1..])?;
            let names = if prefix.is_empty() {
                attribute == b"xmlns"
            } else {
                attribute.strip_prefix(b"xmlns:").is_some_and(|p| p == prefix)
            };
            if names {
                namespace = Some(&value[1..=end]);
            }
            rest = value[end + 2..].trim_ascii_start();
        }
        Some(Self { name, namespace })
    }

    /// The language of the document, by the name of its root element.
    pub(crate) fn language(&self) -> Option<Language> {
        match self.name {
            b"seiscomp" => Some(Language::SeisComPml),
            b"quakeml" => Some(Language::QuakeMl),
            _ => None,
        }
    }

    /// The version in the namespace.
    pub(crate) fn version(&self) -> Option<&'d str> {
        let namespace = std::str::from_utf8(self.namespace?).ok()?;
        namespace.rsplit('/').next().filter(|v| v.starts_with(|c: char| c.is_ascii_digit()))
    }
}

/// Whether a document type declaration has declarations of its own, in brackets.
fn declares(rest: &[u8]) -> bool {
    rest.iter().find(|b| b"[>".contains(b)) == Some(&b'[')
}

/// Whether a version is newer than what is known; versions are whole numbers with points between.
pub(crate) fn is_newer(language: Language, version: &str) -> bool {
    let mut parts = version.split('.').map(|part| part.trim().parse::<u64>().unwrap_or(0));
    let version = [parts.next().unwrap_or(0), parts.next().unwrap_or(0)];
    NEWEST.iter().any(|&(known, newest)| known == language && version > newest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_is_found_behind_all_that_may_come_before() {
        let gfz = "http://geofon.gfz.de/ns/seiscomp-schema/0.14";
        for (text, name, namespace) in [
            ("<seiscomp/>", "seiscomp", None),
            (
                "\u{feff}<?xml version=\"1.0\"?>\n<seiscomp xmlns=\"http://geofon.gfz.de/ns/seiscomp-schema/0.14\" version=\"0.14\">",
                "seiscomp",
                Some(gfz),
            ),
            (
                "<!-- <quakeml> --><?x <y>?><s:seiscomp xmlns='other' xmlns:s = 'http://geofon.gfz.de/ns/seiscomp-schema/0.14'>",
                "seiscomp",
                Some(gfz),
            ),
            ("<!DOCTYPE a><a b='>' xmlns='n'>", "a", Some("n")),
            ("<!DOCTYPE a [<!ENTITY b '<quakeml>'>]><a>", "a", None),
            ("<q:quakeml xmlns='bed'>", "quakeml", None),
        ] {
            let found = Root::find(text.as_bytes()).unwrap();
            assert_eq!((found.name, found.namespace), (name.as_bytes(), namespace.map(str::as_bytes)), "{text}");
        }
        for text in ["", "x", "<", "<a", "<!-- ", "<!DOCTYPE a", "<a b=c>", "<a b='"] {
            assert_eq!(Root::find(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn versions_are_compared_as_integers() {
        let newer = |version: &str| is_newer(Language::SeisComPml, version);
        assert!(["0.15", "0.100", "1.0", "2"].into_iter().all(newer));
        assert!(!["0.3", "0.9", "0.10", "0.14", "", "x"].into_iter().any(newer));
        assert!(is_newer(Language::QuakeMl, "2.0") && !is_newer(Language::QuakeMl, "1.2"));
        let version = |text: &'static str| Root::find(text.as_bytes()).unwrap().version();
        assert_eq!(version("<quakeml xmlns='http://quakeml.org/xmlns/quakeml-rt/1.2'>"), Some("1.2"));
        assert_eq!(version("<quakeml xmlns='http://quakeml.org/'>"), None);
    }
}
