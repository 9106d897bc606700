//! `docs/profiles.md` repeats the table of documentation lines for users.

const DOCUMENT: &str = include_str!("../../../docs/profiles.md");

#[test]
fn every_line_of_documentation_with_a_meaning_is_named() {
    let rows = include_str!("../src/source/mod.rs").lines().filter_map(|line| line.strip_prefix("//! | "));
    let marks: Vec<_> = rows.filter_map(|row| row.split(" | ").nth(1)).filter(|m| m.starts_with("`bantam: ")).collect();
    assert!(marks.len() >= 12, "the table has moved: {marks:?}");
    for mark in marks {
        assert!(DOCUMENT.contains(&format!("| {mark} |")), "{mark}");
    }
}
