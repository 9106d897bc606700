//! Where generated crates and their builds are kept, so that a later run finds them.
//!
//! ```text
//! native/target/         what cargo builds; dependencies are built once for all schemas
//! native/weigh-HASH/     the sources that measure, Bantam's own; allocations-HASH beside it, those that count
//! native/HASH/           a generated crate, by a hash of all its text, and the programs that came of it
//! ```

use crate::generate::File;
use std::hash::{BuildHasher, Hasher};
use std::io;
use std::path::{Path, PathBuf};

/// The manifest and the lock file are the same for all schemas.
const MANIFEST: &str = include_str!("../templates/manifest.toml");
const LOCK: &str = include_str!("../templates/manifest.lock");

macro_rules! files {
    ($from:literal $($name:literal)*) => {
        &[$(($name, include_str!(concat!($from, $name)))),*]
    };
}

/// A crate of Bantam's own that goes along with every generated one.
struct Companion {
    /// Its folder in the workspace.
    name: &'static str,
    manifest: &'static str,
    sources: &'static [(&'static str, &'static str)],
}

/// The crates that measure and count.
const COMPANIONS: &[Companion] = &[
    Companion {
        name: "allocations",
        manifest: include_str!("../templates/allocations.toml"),
        sources: files!("../../allocations/src/" "lib.rs"),
    },
    Companion {
        name: "weigh",
        manifest: include_str!("../templates/weigh.toml"),
        sources: files!("../../weigh/src/"
            "advice.rs" "against.rs" "budget.rs" "clock.rs" "costs.rs" "each.rs" "lib.rs" "links.rs" "measure.rs" "messages.rs"
            "picos.rs" "plan.rs" "ranking.rs" "speed.rs" "stats.rs" "timing.rs" "unit.rs" "weighing.rs"),
    },
];

impl Companion {
    /// The folder that it lies in, of the cache.
    fn folder(&self) -> String {
        format!("{}-{}", self.name, hash(self.sources.iter().map(|(_, text)| *text).chain([self.manifest])))
    }

    fn write(&self, home: &Path) -> io::Result<()> {
        let folder = home.join(self.folder());
        for (name, text) in self.sources {
            write(&folder.join("src").join(name), text)?;
        }
        write(&folder.join("Cargo.toml"), self.manifest)
    }
}

/// The manifest of a generated crate; the folders of its companions stand for their names in capitals.
fn manifest() -> String {
    COMPANIONS.iter().fold(MANIFEST.to_owned(), |text, one| text.replace(&one.name.to_ascii_uppercase(), &one.folder()))
}

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
}

impl Package {
    /// The crate of these sources, below a folder of the cache.
    pub(crate) fn new(home: &Path, sources: Vec<File>) -> Self {
        let mut files = vec![("Cargo.toml".to_owned(), manifest()), ("Cargo.lock".to_owned(), LOCK.to_owned())];
        files.extend(FIXED.iter().map(|&(path, text)| (path.to_owned(), text.to_owned())));
        files.extend(sources);
        let of = files.iter().flat_map(|(path, text)| [&path[..], &text[..]]).chain([env!("CARGO_PKG_VERSION")]);
        Self { home: home.to_owned(), folder: home.join(hash(of)), files }
    }

    /// Its folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The target folder, which all share.
    pub(crate) fn target(&self) -> PathBuf {
        self.home.join("target")
    }

    /// One of the programs; it is there once the crate has been built.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    }

    /// Writes the files that are missing or differ.
    pub(crate) fn write(&self) -> io::Result<()> {
        COMPANIONS.iter().try_for_each(|one| one.write(&self.home))?;
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
    fn all_sources_of_the_companions_go_along() {
        for one in COMPANIONS {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(one.name).join("src");
            let entries = std::fs::read_dir(folder).unwrap();
            let mut there: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
            there.sort();
            assert_eq!(there, one.sources.iter().map(|(name, _)| *name).collect::<Vec<_>>());
        }
    }

    #[test]
    fn another_text_is_another_folder() {
        let of = |text: &str| Package::new(Path::new("x"), vec![("src/lib.rs".into(), text.into())]);
        assert_eq!(of("a").folder(), of("a").folder());
        assert_ne!(of("a").folder(), of("b").folder());
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
