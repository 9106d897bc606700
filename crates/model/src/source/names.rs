//! Identifiers of Protocol Buffers: which names are legal, and what stands in for those that are not.

use std::collections::HashSet;
use std::fmt::Write;

/// Words that a type may not be named, since a statement could begin with them.
const WORDS: &[&str] = &[
    "bool",
    "bytes",
    "double",
    "edition",
    "enum",
    "export",
    "extend",
    "extensions",
    "false",
    "fixed32",
    "fixed64",
    "float",
    "group",
    "import",
    "inf",
    "int32",
    "int64",
    "local",
    "map",
    "max",
    "message",
    "nan",
    "oneof",
    "option",
    "optional",
    "package",
    "public",
    "repeated",
    "required",
    "reserved",
    "returns",
    "rpc",
    "service",
    "sfixed32",
    "sfixed64",
    "sint32",
    "sint64",
    "stream",
    "string",
    "syntax",
    "to",
    "true",
    "uint32",
    "uint64",
    "weak",
];

/// Whether this is an identifier.
pub(super) fn is_ident(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// Whether this is a word of the language.
pub(super) fn is_word(name: &str) -> bool {
    WORDS.binary_search(&name).is_ok()
}

/// An identifier that looks like the name: other characters become `_`, or `u` and their code if they are
/// not ASCII, and a digit does not come first.
pub(super) fn mangle(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            c if c.is_ascii_alphanumeric() => out.push(c),
            c if c.is_ascii() => out.push('_'),
            c => {
                let _ = write!(out, "u{:x}", c as u32);
            }
        }
    }
    if !out.starts_with(|c: char| c.is_ascii_alphabetic()) {
        out.insert(0, 'x');
    }
    if is_word(&out) {
        out.push('_');
    }
    out
}

/// `foo_bar` as `FooBar`, as protoc names a map's entry.
pub(super) fn camel(name: &str) -> String {
    let mut upper = true;
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        if c == '_' {
            upper = true;
        } else {
            out.push(if upper { c.to_ascii_uppercase() } else { c });
            upper = false;
        }
    }
    out
}

/// `foo_bar` as `fooBar`: the default `json_name`.
pub(super) fn json(name: &str) -> String {
    let mut upper = false;
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        if c == '_' {
            upper = true;
        } else {
            out.push(if upper { c.to_ascii_uppercase() } else { c });
            upper = false;
        }
    }
    out
}

/// A name in a scope; the scope may be empty.
pub(super) fn join(scope: &str, name: &str) -> String {
    if scope.is_empty() { name.to_owned() } else { format!("{scope}.{name}") }
}

/// The first of `base`, `base_2`, `base_3`, … that is free.
pub(super) fn free(base: &str, mut is_free: impl FnMut(&str) -> bool) -> String {
    let mut name = base.to_owned();
    let mut next = 2u32;
    while !is_free(&name) {
        name = format!("{base}_{next}");
        next += 1;
    }
    name
}

/// The names of one message's fields, which have to differ in three ways.
#[derive(Default)]
pub(super) struct FieldNames {
    plain: HashSet<String>,
    json: HashSet<String>,
}

impl FieldNames {
    /// What proto3 compares: letters and digits, whatever their case.
    fn key(name: &str) -> String {
        name.chars().filter(|c| *c != '_').map(|c| c.to_ascii_lowercase()).collect()
    }

    /// Whether a field may have this name with the default `json_name`.
    pub(super) fn is_free(&self, name: &str) -> bool {
        !self.plain.contains(&Self::key(name)) && !self.json.contains(&json(name))
    }

    /// Takes a name; gives the `json_name` to write, which is `wanted` if that is still free.
    pub(super) fn take(&mut self, name: &str, wanted: Option<&str>) -> Option<String> {
        self.plain.insert(Self::key(name));
        match wanted {
            Some(wanted) if self.json.insert(wanted.to_owned()) => Some(wanted.to_owned()),
            _ => {
                self.json.insert(json(name));
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_sorted() {
        assert!(WORDS.is_sorted());
    }

    #[test]
    fn names_are_mangled_into_identifiers() {
        for (name, mangled) in [
            ("content-type", "content_type"),
            ("1st", "x1st"),
            ("", "x"),
            ("é", "ue9"),
            ("a.b", "a_b"),
            ("map", "map_"),
        ] {
            assert_eq!(mangle(name), mangled);
            assert!(is_ident(mangled));
        }
        assert_eq!((camel("foo_bar1_x"), json("_foo_bar")), ("FooBar1X".into(), "FooBar".into()));
    }
}
