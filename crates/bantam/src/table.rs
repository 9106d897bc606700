//! All formats: those of any records, and those of one field of knowledge.

use crate::formats::{FORMATS, Format};
use crate::{formats, quake};

/// Every format, in the order in which listings show them.
pub fn all_formats() -> impl Iterator<Item = &'static Format> + Clone {
    FORMATS.iter().chain(quake::FORMATS).copied()
}

/// The format of this name.
pub fn find_format(name: &str) -> Option<&'static Format> {
    formats::find(name).or_else(|| quake::FORMATS.iter().copied().find(|f| f.name == name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found() {
        for (at, format) in all_formats().enumerate() {
            assert_eq!(find_format(format.name).unwrap().about, format.about);
            assert!(all_formats().skip(at + 1).all(|other| other.name != format.name), "{}", format.name);
        }
    }
}
