//! Rust identifiers for names that may be anything.

use std::collections::HashSet;

/// Words that an identifier may only be as `r#word`, of all editions, reserved ones too.
const RAW: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else", "enum",
    "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move",
    "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Words that an identifier may not be, not even as `r#word`.
const NEVER: &[&str] = &["self", "Self", "super", "crate", "_"];

/// Gives each name an identifier of its own.
#[derive(Debug, Default)]
pub(crate) struct Names {
    taken: HashSet<String>,
}

impl Names {
    /// The identifier of a field.
    ///
    /// Only ASCII is kept: two names that look alike in Unicode stay apart, and no lint speaks up. The derives of
    /// other libraries put words of their own beside a field's name, which an underscore at the end keeps apart.
    pub(crate) fn field(&mut self, name: &str) -> String {
        let mut ident: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        ident = ident.trim_start_matches('_').to_ascii_lowercase();
        if ident.is_empty() || ident.starts_with(|c: char| c.is_ascii_digit()) {
            ident = format!("f_{ident}");
        }
        let ident = self.free(&ident);
        if RAW.contains(&&ident[..]) { format!("r#{ident}") } else { ident }
    }

    /// The identifier of a type: the name without its package, in camel case, after an `M` or `E` that keeps it
    /// apart from every type of the standard library.
    pub(crate) fn of_type(&mut self, prefix: char, name: &str) -> String {
        let short = name.rsplit('.').next().unwrap_or(name);
        let mut ident = String::from(prefix);
        for part in short.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty()) {
            ident += &part[..1].to_ascii_uppercase();
            ident += &part[1..];
        }
        self.free(&ident)
    }

    fn free(&mut self, ident: &str) -> String {
        let mut free = ident.to_owned();
        let mut count = 2;
        while NEVER.contains(&&free[..]) || !self.taken.insert(free.clone()) {
            free = format!("{ident}_{count}");
            count += 1;
        }
        free
    }
}

/// A text as a literal of Rust.
pub(crate) fn literal(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            ' '..='~' => out.push(c),
            // Bidirectional marks and the like would be refused as they are.
            _ => out.extend(c.escape_unicode()),
        }
    }
    out + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_gets_an_identifier_of_its_own() {
        let mut names = Names::default();
        let found =
            ["type", "Type", "self", "__proto__", "proto", "", "é", "7", "a-b", "a_b", "key"].map(|n| names.field(n));
        assert_eq!(
            found,
            ["r#type", "type_2", "self_2", "proto__", "proto", "f_", "f__2", "f_7", "a_b", "a_b_2", "key"]
        );
    }

    #[test]
    fn types_are_in_camel_case() {
        let mut names = Names::default();
        assert_eq!(names.of_type('M', "dns.text_record"), "MTextRecord");
        assert_eq!(names.of_type('M', "other.TextRecord"), "MTextRecord_2");
        assert_eq!(names.of_type('M', "日本"), "M");
    }

    #[test]
    fn literals_are_plain() {
        assert_eq!(literal("a\"\\\u{202e}"), r#""a\"\\\u{202e}""#);
    }
}
