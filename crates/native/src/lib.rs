//! The native lane: what other libraries do with these records when their types are generated and compiled.
//!
//! From the schema a small crate is generated: plain Rust types, with the derives and attributes that each library asks
//! for, and a file for each contender. Cargo builds it in the user's cache folder, once with the system's allocator
//! and once with mimalloc. The program reads the records from a neutral file, lets every contender write them, read
//! them back and compare, and only then times it, with the same sources that Bantam measures itself with.
//!
//! The generated crate is plain text; nothing here knows what it does. See `docs/native.md`.

mod cache;
mod cargo;
mod contender;
mod generate;
mod names;
mod neutral;
mod types;

use bantam_model::{Batch, Lowerings};
use bantam_weigh::{Fidelity, Lane, Row};
use cache::Package;
use contender::{CONTENDERS, Contender};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use types::Types;

/// The allocators that the generated crate is built with.
pub const ALLOCATORS: [&str; 2] = ["system", "mimalloc"];

/// The native lane's part of a weigh-in.
#[derive(Debug, Clone, PartialEq)]
pub struct Native {
    /// A row for each contender and allocator; for a contender that cannot hold the records, one that says why.
    pub rows: Vec<Row>,
    /// What the times include, a sentence each.
    pub includes: Vec<String>,
}

/// How far the native lane has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<'a> {
    /// The crate in this folder is about to be built; the first time of all takes minutes.
    Build(&'a Path),
    /// The program with this allocator is about to measure.
    Run(&'a str),
}

/// Why there is no native lane.
#[derive(Debug)]
pub enum Error {
    /// There is no cargo to build with.
    NoCargo,
    /// The generated crate does not build.
    Build {
        /// Where it lies.
        folder: PathBuf,
        /// What cargo said.
        output: String,
    },
    /// The program that was built does not do its work.
    Run {
        /// The program.
        program: PathBuf,
        /// Why.
        reason: String,
    },
    /// A file of the cache cannot be read or written.
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

impl Error {
    fn io(path: &Path, error: &io::Error) -> Self {
        Self::Io { path: path.to_owned(), error: io::Error::new(error.kind(), error.to_string()) }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCargo => f.write_str(
                "the native lane compiles what it generates, and there is no cargo: install Rust by rustup, https://rustup.rs",
            ),
            Self::Build { folder, output } => {
                write!(f, "the crate in {} does not build; cargo says:\n{output}", folder.display())
            }
            Self::Run { program, reason } => write!(f, "{} failed: {reason}", program.display()),
            Self::Io { path, error } => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl std::error::Error for Error {}

/// Generates, builds and runs the native lane for these records. `cache` is a folder that is kept between runs.
///
/// # Errors
/// If cargo is missing, the generated crate does not build, or its program fails; what goes wrong with one contender
/// stands in its row.
pub fn weigh(
    batch: &Batch<'_>,
    cache: &Path,
    quick: bool,
    progress: &mut dyn FnMut(Step<'_>),
) -> Result<Native, Error> {
    let types = Types::of(batch);
    let (able, mut unable) = generate::able(&types);
    let package = built(&types, cache, able, &mut unable, progress)?;
    let neutral = package.folder().join(format!("records-{}.neutral", std::process::id()));
    std::fs::write(&neutral, neutral::write(batch, &types)).map_err(|e| Error::io(&neutral, &e))?;
    let found = run(&package, &neutral, quick, progress);
    // What is left behind does no harm.
    let _ = std::fs::remove_file(&neutral);
    let called_for = Lowerings::called_for(batch);
    let mut rows: Vec<Row> = unable.into_iter().map(|(contender, reason)| refused(contender, reason)).collect();
    rows.extend(found?.into_iter().map(|row| with_profile(row, called_for)));
    let place = |row: &Row| CONTENDERS.iter().position(|c| row.codec.starts_with(&c.codec()));
    rows.sort_by_key(place);
    Ok(Native { rows, includes: includes(&package) })
}

/// Builds the crate. A contender whose code does not compile is left out, with the compiler's words, so that it costs the
/// others nothing but the time.
fn built(
    types: &Types,
    cache: &Path,
    mut able: Vec<&'static Contender>,
    unable: &mut Vec<(&'static Contender, String)>,
    progress: &mut dyn FnMut(Step<'_>),
) -> Result<Package, Error> {
    loop {
        let package = Package::new(cache, generate::sources(types, &able));
        let error = match cargo::build(&package, &ALLOCATORS, progress) {
            Ok(()) => return Ok(package),
            Err(error) => error,
        };
        let Error::Build { output, .. } = &error else { return Err(error) };
        let is_blamed = |contender: &&Contender| generate::is_blamed(contender, output);
        if !able.iter().any(is_blamed) {
            return Err(error);
        }
        let said = output.lines().find(|line| line.starts_with("error")).unwrap_or("error");
        let reason = format!("what is generated for it does not compile: {said}");
        unable.extend(able.iter().copied().filter(is_blamed).map(|contender| (contender, reason.clone())));
        able.retain(|contender| !is_blamed(contender));
    }
}

/// Runs both programs. Allocations are counted in the first, and stand in the rows of both: they are the contender's own.
fn run(package: &Package, neutral: &Path, quick: bool, progress: &mut dyn FnMut(Step<'_>)) -> Result<Vec<Row>, Error> {
    let mut rows: Vec<Row> = Vec::new();
    for allocator in ALLOCATORS {
        progress(Step::Run(allocator));
        let mut found = cargo::run(&package.program(allocator), neutral, quick)?;
        for row in found.iter_mut().filter(|row| row.fidelity == Fidelity::Exact) {
            let same = rows.iter().find(|other| (&other.format, &other.codec) == (&row.format, &row.codec));
            row.memory = row.memory.or_else(|| same?.memory);
        }
        rows.append(&mut found);
    }
    Ok(rows)
}

fn includes(package: &Package) -> Vec<String> {
    let compiler = cargo::compiler(package).unwrap_or_else(|| "an unknown compiler".to_owned());
    vec![format!(
        "Native rows: types generated from the schema, built in release by {compiler}. Decoding allocates all that it \
         gives, unless the codec says otherwise, and includes freeing it; encoding writes into a buffer that is used again."
    )]
}

/// The row of a contender that cannot hold the records.
fn refused(contender: &Contender, reason: String) -> Row {
    Row {
        format: contender.format.to_owned(),
        codec: contender.codec(),
        adapter: false,
        floor: false,
        lane: Lane::Native,
        allocator: None,
        framing: "list".to_owned(),
        source: false,
        fidelity: Fidelity::Unsupported,
        profile: Vec::new(),
        reason: Some(reason),
        bytes: None,
        encode: None,
        decode: None,
        round_trip: None,
        compressed: Vec::new(),
        memory: None,
        fields: Vec::new(),
        each: None,
    }
}

/// Names the lowerings that these records needed in a contender's format.
fn with_profile(mut row: Row, called_for: Lowerings) -> Row {
    let contender = CONTENDERS.iter().find(|c| row.codec.starts_with(&c.codec()));
    let used = contender.map_or(Lowerings::NONE, |c| c.lowers.and(called_for));
    if row.fidelity == Fidelity::Exact && !used.is_empty() {
        row.fidelity = Fidelity::Profile;
        row.profile = used.texts().map(str::to_owned).collect();
    }
    row
}
