//! `docs/profiles.md` says of every lowering which formats need it, and names every format.

use bantam_formats::{FORMATS, Format};
use bantam_model::Lowerings;

const DOCUMENT: &str = include_str!("../../../docs/profiles.md");

/// The formats for which `set` has the lowering, as the table's cells list them.
fn cell(one: Lowerings, set: impl Fn(&Format) -> Lowerings) -> String {
    let names = FORMATS.iter().filter(|f| set(f).contains(one)).map(|f| format!("`{}`", f.name));
    names.collect::<Vec<_>>().join(", ")
}

#[test]
fn every_lowering_has_a_row_that_is_true() {
    for &(one, text) in Lowerings::ALL {
        let (writes, forgets) = (cell(one, |f| f.lowers), cell(one, |f| f.forgets));
        let row = format!("| {text} | {writes} | {forgets} | ").replace("|  |", "| |");
        let found = DOCUMENT.lines().find(|line| line.starts_with(&format!("| {text} |")));
        assert!(found.is_some_and(|line| line.starts_with(&row)), "expected\n{row}\nfound\n{found:?}");
    }
}

#[test]
fn every_format_and_every_framing_is_named() {
    for name in FORMATS.iter().map(|f| f.name).chain(bantam_formats::Framing::ALL.map(bantam_formats::Framing::name)) {
        assert!(DOCUMENT.contains(&format!("`{name}`")), "{name}");
    }
}
