//! `docs/earthquakes.md` names every kind of note, and none that is not there.

use bantam_quake::{NoteKind, Severity};

const DOCUMENT: &str = include_str!("../../../docs/earthquakes.md");

#[test]
fn every_kind_of_note_is_documented() {
    let section = DOCUMENT.split("## What is left out or assumed").nth(1).expect("a section");
    let section = section.split("\n## ").next().expect("its text");
    let rows: Vec<_> = section.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | ")).collect();
    let named: Vec<_> = rows.iter().map(|(name, _)| *name).collect();
    assert_eq!(named, NoteKind::all().map(NoteKind::name).collect::<Vec<_>>());
    for ((name, meaning), kind) in rows.iter().zip(NoteKind::all()) {
        assert_eq!(meaning.starts_with("**Warning.**"), kind.severity() == Severity::Warning, "{name}");
    }
}
