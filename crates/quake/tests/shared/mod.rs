//! Real files with expected values, which are not part of this repository: the folder that `BANTAM_SHARED` names, or
//! `shared` beside the checkout. Where it is absent, the tests say so and pass.

use std::path::{Path, PathBuf};

pub(crate) fn shared() -> Option<PathBuf> {
    let root = std::env::var_os("BANTAM_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let path = root.join("data");
    let there = path.join("expected").is_dir();
    if !there {
        println!("skipped: there is no {}", path.display());
    }
    there.then_some(path)
}

/// A table's lines, each as its cells by the names in the first line.
pub(crate) fn table(path: &Path) -> Vec<std::collections::HashMap<String, String>> {
    let text = std::fs::read_to_string(path).expect("a table");
    let mut lines = text.lines();
    let names: Vec<_> = lines.next().expect("a header").split('\t').map(str::to_owned).collect();
    lines.map(|line| names.iter().cloned().zip(line.split('\t').map(str::to_owned)).collect()).collect()
}
