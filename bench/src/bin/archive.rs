//! The conversion of an archive: files a second, and peak memory, which has to stay flat while the files grow tenfold.
//!
//! `cargo run --release --manifest-path bench/Cargo.toml --bin archive` makes 2,000 files of the sample's earthquakes in a
//! folder for temporary files (about 750 MB), converts 200 and then all of them to Protocol Buffers, and exits with 1 if
//! the peak of the second run is more than a fifth above that of the first.

use bantam::archive::{Archive, Output};
use bantam::{Input, Job, Request, Target, find_format};
use bantam_sample::Make;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

const FILES: usize = 2_000;
const FEW: usize = 200;

fn main() -> ExitCode {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let (few, many) = (folder.path().join("few"), folder.path().join("many"));
    make(&few, FEW);
    make(&many, FILES);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    println!("{:<24} {:>8} {:>8} {:>10} {:>12}", "archive to protobuf", "threads", "files/s", "MB/s", "peak memory");
    let first = convert(&few, &folder.path().join("out-few"), threads);
    let last = convert(&many, &folder.path().join("out-many"), threads);
    convert(&many, &folder.path().join("out-one"), 1);
    match (first, last) {
        (Some(first), Some(last)) if last > first + first / 5 => ExitCode::FAILURE,
        _ => ExitCode::SUCCESS,
    }
}

/// Writes a file an event.
fn make(folder: &Path, files: usize) {
    std::fs::create_dir_all(folder).expect("a folder");
    let sample = bantam_sample::find("quake").expect("a sample");
    let Make::Document { write, .. } = sample.make else { panic!("the sample is a document") };
    let mut document = Vec::new();
    for event in 0..files {
        document.clear();
        write(1, event..event + 1, &mut document);
        std::fs::write(folder.join(format!("{event:04}.xml")), &document).expect("a file");
    }
}

/// Converts a folder, says how fast, and gives the peak of this process's memory so far.
fn convert(input: &Path, output: &Path, threads: usize) -> Option<u64> {
    let target = Target { format: find_format("protobuf").expect("a format"), framing: None };
    let archive = Archive {
        input: input.to_path_buf(),
        output: Output::Folder(output.to_path_buf()),
        job: Job { request: Request::default(), target, binary_framing: None, drop_unknown: false },
        threads,
        newer: false,
        latest: false,
        only: Vec::new(),
        max_expanded: Input::MOST_BYTES,
    };
    let start = Instant::now();
    let summary = archive.convert(&mut |_| {}).expect("the archive is converted");
    let seconds = start.elapsed().as_secs_f64();
    assert!(summary.failed.is_empty() && summary.converted == summary.files, "all files are converted");
    let peak = peak();
    let shown = peak.map_or("not known".to_owned(), |bytes| format!("{:.1} MB", bytes as f64 / 1e6));
    let rate = |amount: f64| amount / seconds;
    println!(
        "{:<24} {threads:>8} {:>8.0} {:>10.0} {shown:>12}",
        format!("{} files", summary.files),
        rate(summary.files as f64),
        rate(summary.bytes_before as f64 / 1e6),
    );
    peak
}

/// The most memory that this process has held, where the system tells.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1_024)
}
