//! Where generated crates and their builds are kept, so that a later run finds them.
//!
//! ```text
//! native/target/         what cargo builds; dependencies are built once for all schemas
//! native/weigh-HASH/     the sources that measure, Bantam's own
//! native/HASH/           a generated crate, by a hash of all its text, and the programs that came of it
//! ```

use crate::generate::File;
use std::hash::{BuildHasher, Hasher};
use std::io;
use std::path::{Path, PathBuf};

/// The manifest and the lock file are the same for all schemas.
const MANIFEST: &str = include_str!("../templates/manifest.toml");
const LOCK: &str = include_str!("../templates/manifest.lock");
const WEIGH_MANIFEST: &str = include_str!("../templates/weigh.toml");

macro_rules! files {
    ($from:literal $($name:literal)*) => {
        &[$(($name, include_str!(concat!($from, $name)))),*]
    };
}

/// The sources of the crate that measures.
pub(crate) const WEIGH: &[(&str, &str)] = files!("../../weigh/src/"
    "advice.rs" "against.rs" "budget.rs" "clock.rs" "costs.rs" "each.rs" "lib.rs" "links.rs" "measure.rs" "messages.rs"
    "picos.rs" "plan.rs" "ranking.rs" "speed.rs" "stats.rs" "timing.rs" "unit.rs" "weighing.rs");

/// The files of every generated crate.
const FIXED: &[(&str, &str)] = &[
    ("src/bin/mimalloc.rs", include_str!("../templates/bin/mimalloc.rs")),
    ("src/bin/system.rs", include_str!("../templates/bin/system.rs")),
    ("src/harness.rs", include_str!("../templates/harness.rs")),
    ("src/neutral.rs", include_str!("../templates/neutral.rs")),
    ("src/text.rs", include_str!("../templates/text.rs")),
];

/// A generated crate on its way: its folder and files.
#[derive(Debug)]
pub(crate) struct Package {
    /// The folder of all of them.
    home: PathBuf,
    folder: PathBuf,
    files: Vec<File>,
    weigh: PathBuf,
}

impl Package {
    /// The crate of these sources, below a folder of the cache.
    pub(crate) fn new(home: &Path, sources: Vec<File>) -> Self {
        let weigh = home.join(format!("weigh-{}", hash(WEIGH.iter().map(|(_, text)| *text).chain([WEIGH_MANIFEST]))));
        let name = weigh.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut files = vec![
            ("Cargo.toml".to_owned(), MANIFEST.replace("WEIGH", &name)),
            ("Cargo.lock".to_owned(), LOCK.to_owned()),
        ];
        files.extend(FIXED.iter().map(|&(path, text)| (path.to_owned(), text.to_owned())));
        files.extend(sources);
        let of = files.iter().flat_map(|(path, text)| [&path[..], &text[..]]).chain([env!("CARGO_PKG_VERSION")]);
        Self { home: home.to_owned(), folder: home.join(hash(of)), files, weigh }
    }

    /// Its folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The target folder, which all share.
    pub(crate) fn target(&self) -> PathBuf {
        self.home.join("target")
    }

    /// The program with an allocator; it is there once the crate has been built.
    pub(crate) fn program(&self, allocator: &str) -> PathBuf {
        self.folder.join(format!("{allocator}{}", std::env::consts::EXE_SUFFIX))
    }

    /// Writes the files that are missing or differ.
    pub(crate) fn write(&self) -> io::Result<()> {
        for (name, text) in WEIGH {
            write(&self.weigh.join("src").join(name), text)?;
        }
        write(&self.weigh.join("Cargo.toml"), WEIGH_MANIFEST)?;
        self.files.iter().try_for_each(|(path, text)| write(&self.folder.join(path), text))
    }
}

/// A file that is as it should be keeps its time, so that cargo builds nothing anew.
fn write(path: &Path, text: &str) -> io::Result<()> {
    if std::fs::read(path).is_ok_and(|there| there == text.as_bytes()) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, text)
}

/// A hash that is the same in every run.
fn hash<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    let mut hasher = foldhash::quality::FixedState::with_seed(0).build_hasher();
    for text in texts {
        hasher.write_usize(text.len());
        hasher.write(text.as_bytes());
    }
    format!("{:016x}", hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_sources_of_the_crate_that_measures_go_along() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../weigh/src");
        let mut there: Vec<_> =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        there.sort();
        assert_eq!(there, WEIGH.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    }

    #[test]
    fn another_text_is_another_folder() {
        let of = |text: &str| Package::new(Path::new("x"), vec![("src/lib.rs".into(), text.into())]);
        assert_eq!(of("a").folder(), of("a").folder());
        assert_ne!(of("a").folder(), of("b").folder());
        assert_eq!(of("a").weigh, of("b").weigh);
    }

    #[test]
    fn the_manifest_and_the_lock_file_pin_the_versions_of_the_table() {
        for contender in crate::contender::CONTENDERS {
            let (name, version) = (contender.name, contender.version);
            let pinned = MANIFEST.lines().find(|line| line.starts_with(&format!("{name} =")));
            assert!(pinned.is_some_and(|line| line.contains(&format!("\"={version}\""))), "{name} in the manifest");
            assert!(LOCK.contains(&format!("name = \"{name}\"\nversion = \"{version}\"\n")), "{name} in the lock file");
        }
    }

    /// Not a test: a change of the manifest needs a new lock file, and the registry.
    #[test]
    #[ignore = "writes the lock file anew: set BANTAM_NATIVE_LOCK"]
    fn lock() {
        if std::env::var_os("BANTAM_NATIVE_LOCK").is_none() {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let package = Package::new(folder.path(), vec![("src/lib.rs".into(), String::new())]);
        package.write().unwrap();
        std::fs::remove_file(package.folder().join("Cargo.lock")).unwrap();
        let mut cargo = std::process::Command::new("cargo");
        assert!(cargo.arg("generate-lockfile").current_dir(package.folder()).status().unwrap().success());
        let to = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates/manifest.lock");
        std::fs::copy(package.folder().join("Cargo.lock"), to).unwrap();
    }
}
