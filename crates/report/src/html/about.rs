//! What stands around the figures: what came back, what reading found, how it was measured, and where.

use bantam_weigh::{Fidelity, Timing};

use super::page::Page;
use super::table::{Cell, Kind, Table};
use super::text::escaped;
use crate::figures::{grouped, printable};
use crate::view::counted;

/// Every row with what came back when it was read again, unsupported ones included.
pub(super) fn fidelity(page: &Page<'_>) -> String {
    let mut table = Table::new("table-fidelity", "What came back when the bytes were read again", "format");
    for (head, kind) in [
        ("came back", Kind::Text),
        ("codec", Kind::Text),
        ("framing", Kind::Text),
        ("lane", Kind::Text),
        ("why", Kind::Wide),
    ] {
        table.column(head, kind);
    }
    for (index, row) in page.weighing.rows.iter().enumerate() {
        let word = match row.fidelity {
            Fidelity::Exact => "= exact: equal",
            Fidelity::Profile => "≈ profile: equal by lowerings",
            Fidelity::Lossy => "≠ lossy: not equal, not ranked",
            Fidelity::Unsupported => "– unsupported",
        };
        let why = match row.fidelity {
            Fidelity::Profile => row.profile.join("; "),
            _ => row.reason.clone().unwrap_or_default(),
        };
        let mut codec = row.codec.clone();
        if row.adapter {
            codec += " (through the adapter)";
        }
        if row.floor {
            codec += " (no format: the least that it can cost)";
        }
        let cells = [word, &codec, &row.framing, row.lane.name(), &why].map(Cell::text);
        table.row(&page.row_name(index), cells.to_vec());
    }
    table.html()
}

/// What reading the input found, assumed or left out.
pub(super) fn notes(page: &Page<'_>) -> String {
    // How often and where stands in the text.
    let notes = page.weighing.notes.iter().map(|note| {
        let warning = if note.warning { "<strong>Assumed:</strong> " } else { "" };
        format!("<li>{warning}{}</li>\n", escaped(&note.text))
    });
    let notes: String = notes.collect();
    if notes.is_empty() { notes } else { format!("<ul>\n{notes}</ul>\n") }
}

/// What the times include, and how they came about.
pub(super) fn measured(page: &Page<'_>) -> String {
    let mut lines = vec![
        "Every row was read back and compared with the records before anything was timed. What did not come back \
         equal is neither timed nor ranked."
            .to_owned(),
    ];
    lines.extend(page.weighing.includes.iter().cloned());
    lines.extend(rounds(page));
    if let Some(nanos) = page.weighing.environment.clock_precision_ns {
        lines.push(format!(
            "A reading of the clock may be off by {}; a time that it cannot tell is shown as less than something (<).",
            crate::figures::short_duration(nanos)
        ));
    }
    lines.push("A star (★) marks the best of a column, several where their intervals overlap.".into());
    let lines: Vec<String> = lines.iter().map(|line| format!("<li>{}</li>\n", escaped(line))).collect();
    format!("<ul>\n{}</ul>\n", lines.concat())
}

/// How many rounds there were, and what the intervals hold.
fn rounds(page: &Page<'_>) -> Option<String> {
    let of_rows = page.weighing.rows.iter().flat_map(|row| {
        let under = row.compressed.iter().flat_map(|found| [found.compress, found.decompress]);
        [row.encode, row.decode, row.round_trip].into_iter().chain(under)
    });
    let timings: Vec<Timing> = of_rows.flatten().collect();
    let (fewest, most) = (timings.iter().map(|t| t.rounds).min()?, timings.iter().map(|t| t.rounds).max()?);
    let rounds = if fewest == most {
        counted(u64::from(most), "round")
    } else {
        format!("{} to {} rounds", grouped(u64::from(fewest)), grouped(u64::from(most)))
    };
    let coverage = timings.iter().map(|timing| timing.coverage).fold(f64::INFINITY, f64::min);
    let coverage = match coverage {
        _ if coverage > 0.0 => {
            format!(" An interval holds the true median with a probability of at least {:.1}%.", coverage * 100.0)
        }
        _ => " From a single round, no interval is known.".into(),
    };
    Some(format!(
        "All tasks ran interleaved, in {rounds}; a round of a short task is many runs. The figure is the median of the rounds \
         with its distribution-free confidence interval; nothing is dropped as an outlier.{coverage}"
    ))
}

/// The input and the machine, all that is known of them.
pub(super) fn environment(page: &Page<'_>) -> String {
    let (input, environment) = (&page.weighing.input, &page.weighing.environment);
    let entries = [
        ("Input", Some(input.name.clone())),
        ("Format", input.format.clone()),
        ("Bytes", input.bytes.map(grouped)),
        ("Records", Some(grouped(input.records))),
        ("Message", input.message.clone()),
        ("Seed", input.seed.map(|seed| seed.to_string())),
        ("Hash", input.hash.clone()),
        ("Bantam", Some(environment.bantam.clone())),
        ("Build", environment.profile.clone()),
        ("Compiler", environment.rustc.clone()),
        ("Target", environment.target.clone()),
        ("System", environment.os.clone()),
        ("Processor", environment.cpu.clone()),
        ("Cores", environment.cores.map(|cores| cores.to_string())),
        ("Allocator", environment.allocator.clone()),
        ("Clock precision", environment.clock_precision_ns.map(crate::figures::short_duration)),
        ("Date", environment.date.clone()),
        ("Cores busy with other processes", environment.busy_cores.map(|busy| format!("{busy:.2}"))),
        ("Keys", Some(format!("schema_version {}", page.weighing.schema_version))),
    ];
    let known = entries.into_iter().filter_map(|(name, value)| Some((name, printable(&value?))));
    let lines: Vec<String> =
        known.map(|(name, value)| format!("<dt>{name}</dt><dd>{}</dd>\n", escaped(&value))).collect();
    format!("<dl>\n{}</dl>\n", lines.concat())
}
