//! What came of a conversion, for people and for programs. `docs/converting-json.md` tells the keys.

use super::args::Convert;
use super::{note, stop, tell};
use bantam::archive::{NoteOfFiles, Summary};
use bantam::formats::Format;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

/// Failures that are listed one by one.
const LISTED: usize = 20;

/// Says on standard error what came of a folder: notes, then figures, then what failed.
pub(super) fn show(summary: &Summary, elapsed: Duration) {
    for NoteOfFiles { note: text, files, first } in &summary.notes {
        let more = if *files > 1 { format!(" and {} more", grouped(files - 1)) } else { String::new() };
        tell(text, &format!("{}{more}", first.display()));
    }
    for (path, why) in &summary.passed {
        note(&format!("{}: {why}", path.display()));
    }
    // A summary that cannot be written has no reader.
    let _ = anstream::stderr().write_all(figures(summary, elapsed).as_bytes());
    for failure in summary.failed.iter().take(LISTED) {
        stop::error(&format!("{}: {}", failure.file.display(), failure.error));
    }
    if let Some(more) = summary.failed.len().checked_sub(LISTED).filter(|&more| more > 0) {
        stop::error(&format!("and {} more (--json lists all)", grouped(more as u64)));
    }
}

/// The lines of figures, aligned.
fn figures(summary: &Summary, elapsed: Duration) -> String {
    let mut out = format!("{} of {} files converted", grouped(summary.converted), grouped(summary.files));
    for (count, what) in [
        (summary.up_to_date, "up to date"),
        (summary.superseded, "without a latest update"),
        (summary.failed.len() as u64, "failed"),
        (summary.other, "others passed over"),
    ] {
        if count > 0 {
            let _ = write!(out, ", {} {what}", grouped(count));
        }
    }
    out.push('\n');
    if let Some(latest) = summary.latest {
        let _ = write!(out, "updates  {} superseded", grouped(latest.superseded));
        for (count, what) in [(latest.without_id, "identifier"), (latest.without_time, "modification time")] {
            if count > 0 {
                let _ = write!(out, ", {} without {what}", grouped(count));
            }
        }
        out.push('\n');
    }
    if summary.converted > 0 {
        let name = if summary.quakes { "events" } else { "records" };
        let (before, after) = (summary.bytes_before, summary.bytes_after);
        let _ = writeln!(out, "{name:<9}{}", grouped(summary.records));
        let _ = write!(out, "bytes    {} → {}", grouped(before), grouped(after));
        if before > 0 {
            let _ = write!(out, ", {:.1}%", after as f64 * 100.0 / before as f64);
        }
        let seconds = elapsed.as_secs_f64();
        let _ = write!(out, "\ntime     {seconds:.1} s");
        if seconds >= 0.1 {
            let _ = write!(out, ", {:.0} files/s", (summary.files - summary.up_to_date) as f64 / seconds);
        }
        out.push('\n');
    }
    out
}

/// A number with commas at the thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// One JSON document.
pub(super) fn json(args: &Convert, format: &Format, summary: &Summary, elapsed: Duration) -> Vec<u8> {
    let name = |path: &Path| path.to_string_lossy().into_owned();
    let failed = summary.failed.iter().map(|f| json!({"file": name(&f.file), "error": f.error}));
    let passed = summary.passed.iter().map(|(path, why)| json!({"file": name(path), "reason": why}));
    let latest = summary.latest.map(|latest| {
        json!({
            "superseded": latest.superseded,
            "without_id": latest.without_id,
            "without_time": latest.without_time,
            "files_without": summary.superseded,
        })
    });
    let document = json!({
        "schema_version": 1,
        "input": args.input,
        "output": args.output,
        "format": format.name,
        "files": summary.files,
        "converted": summary.converted,
        "up_to_date": summary.up_to_date,
        "other_files": summary.other,
        "failed": failed.collect::<Vec<_>>(),
        "passed_over": passed.collect::<Vec<_>>(),
        "records": summary.records,
        "latest": latest,
        "bytes_before": summary.bytes_before,
        "bytes_after": summary.bytes_after,
        "seconds": elapsed.as_secs_f64(),
        "notes": summary.notes.iter().map(note_of_files).collect::<Vec<_>>(),
    });
    format!("{document:#}\n").into_bytes()
}

fn note_of_files(NoteOfFiles { note, files, first }: &NoteOfFiles) -> Value {
    json!({
        "kind": note.kind(),
        "warning": note.is_warning(),
        "text": note.to_string(),
        "count": note.count(),
        "files": files,
        "first_file": first.to_string_lossy(),
        "line": note.first().map(|(line, _)| line),
        "column": note.first().map(|(_, column)| column),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use bantam::archive::Latest;

    #[test]
    fn figures_are_short_and_aligned() {
        let summary = Summary {
            files: 2000,
            converted: 1997,
            up_to_date: 3,
            records: 1998,
            quakes: true,
            bytes_before: 1_000_000_000,
            bytes_after: 29_870_000,
            latest: Some(Latest { superseded: 12, without_id: 0, without_time: 1 }),
            ..Summary::default()
        };
        let expected = "\
1,997 of 2,000 files converted, 3 up to date
updates  12 superseded, 1 without modification time
events   1,998
bytes    1,000,000,000 → 29,870,000, 3.0%
time     10.0 s, 200 files/s
";
        assert_eq!(figures(&summary, Duration::from_secs(10)), expected);
    }
}
