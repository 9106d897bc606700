//! What the reports for people have in common: the order of rows, their labels, the notes below.

use bantam_weigh::{Column, Fidelity, Lane, Row, Speed, Weighing};

use crate::figures::{grouped, printable};

/// The indices of a lane's rows that have bytes: the source first, then ranked ones by size, then the rest, and last what
/// is no format.
pub(crate) fn shown_rows(weighing: &Weighing, lane: Lane) -> Vec<usize> {
    let rows = &weighing.rows;
    let mut shown: Vec<usize> = (0..rows.len())
        .filter(|index| rows[*index].lane == lane && rows[*index].fidelity != Fidelity::Unsupported)
        .collect();
    shown.sort_by_key(|index| {
        let row = &rows[*index];
        (!row.source, row.floor, !row.is_ranked(), row.bytes.unwrap_or(u64::MAX))
    });
    shown
}

/// Of rows with the same format, framing and sizes, the first; none that is no format.
pub(crate) fn distinct(weighing: &Weighing, rows: &[usize]) -> Vec<usize> {
    let sizes = |row: &Row| row.compressed.iter().map(|c| c.bytes).collect::<Vec<_>>();
    let same = |a: &Row, b: &Row| {
        (&a.format, &a.framing, a.bytes, a.is_ranked()) == (&b.format, &b.framing, b.bytes, b.is_ranked())
            && sizes(a) == sizes(b)
    };
    let mut kept: Vec<usize> = Vec::new();
    for &index in rows.iter().filter(|index| !weighing.rows[**index].floor) {
        if !kept.iter().any(|&other| same(&weighing.rows[other], &weighing.rows[index])) {
            kept.push(index);
        }
    }
    kept
}

/// Whether codecs are needed to tell these rows apart.
pub(crate) fn needs_codecs(weighing: &Weighing, rows: &[usize]) -> bool {
    let name = |index: usize| (&weighing.rows[index].format, &weighing.rows[index].framing);
    rows.iter().enumerate().any(|(at, &a)| rows[..at].iter().any(|&b| name(a) == name(b)))
}

/// The rows to mark in a column: the winners, where there is a contest at all.
pub(crate) fn best(weighing: &Weighing, figure: Column<'_>, lane: Lane) -> Vec<usize> {
    if weighing.ranking(figure, lane).len() < 2 { Vec::new() } else { weighing.winners(figure, lane) }
}

/// How often a row's codec asks for memory for a record that it reads, once its buffers have grown.
pub(crate) fn allocations_a_record(weighing: &Weighing, row: &Row) -> Option<f64> {
    let count = row.memory.as_ref()?.decode?.count;
    Some(weighing.per_record(count as f64).unwrap_or(count as f64))
}

/// The most memory that a row's codec and the records hold, read for the first time.
pub(crate) fn peak(row: &Row) -> Option<u64> {
    Some(row.memory.as_ref()?.first_decode?.peak_bytes)
}

/// How rows are called, and what tells them apart.
#[derive(Debug)]
pub(crate) struct Labels {
    codecs: bool,
    framings: bool,
}

impl Labels {
    /// Codecs are named when a format has several, framings when one occurs in several.
    pub(crate) fn of(weighing: &Weighing) -> Self {
        let rows = &weighing.rows;
        let differ = |same: fn(&Row, &Row) -> bool| {
            rows.iter().enumerate().any(|(index, a)| rows[..index].iter().any(|b| same(a, b)))
        };
        Self {
            codecs: differ(|a, b| {
                a.lane == b.lane && a.format == b.format && (&a.codec, &a.allocator) != (&b.codec, &b.allocator)
            }),
            framings: differ(|a, b| a.format == b.format && a.framing != b.framing),
        }
    }

    /// Format and framing.
    pub(crate) fn name(&self, row: &Row) -> String {
        let format = printable(&row.format);
        if self.framings { format!("{format}, {}", printable(&row.framing)) } else { format }
    }

    /// The codec, when it has to be named, with the allocator of a program of its own.
    pub(crate) fn codec(&self, row: &Row) -> Option<String> {
        let named = || match &row.allocator {
            Some(allocator) => format!("{}, {}", printable(&row.codec), printable(allocator)),
            None => printable(&row.codec),
        };
        self.codecs.then(named)
    }

    /// All of it in one, as sentences say it.
    pub(crate) fn full(&self, row: &Row) -> String {
        match self.codec(row) {
            Some(codec) => format!("{} ({codec})", self.name(row)),
            None => self.name(row),
        }
    }
}

/// `zstd:19`, or `lz4` where there are no levels: what asking for it looks like.
pub(crate) fn compressor_label(compressor: &str, level: Option<i32>) -> String {
    let name = printable(compressor);
    level.map_or_else(|| name.clone(), |level| format!("{name}:{level}"))
}

/// A speed that was computed, to three digits: `34.5 Mbit/s`.
pub(crate) fn shown_speed(bits_per_second: f64) -> String {
    let digits = bits_per_second.max(1.0).log10().floor();
    let unit = 10_f64.powf(digits - 2.0);
    let rounded = (bits_per_second / unit).round() * unit;
    Speed::new(rounded.round() as u64).map_or_else(|| "<1 bit/s".into(), |speed| speed.to_string())
}

/// The speeds that were asked for, and those that are looked at anyhow; slowest first.
pub(crate) fn usual_speeds(weighing: &Weighing) -> Vec<Speed> {
    let asked = weighing.links.iter().filter_map(|link| Speed::new(link.bits_per_second));
    let mut speeds: Vec<Speed> = asked.chain(Speed::USUAL).collect();
    speeds.sort();
    speeds.dedup();
    speeds
}

/// `dns: 10,000 records of Record; source json, 680,680 bytes`.
pub(crate) fn title(weighing: &Weighing) -> String {
    let input = &weighing.input;
    let mut text = format!("{}: {}", printable(&input.name), counted(input.records, "record"));
    if let Some(message) = &input.message {
        text += &format!(" of {}", printable(message));
    }
    let format = input.format.as_deref().or_else(|| Some(weighing.source()?.format.as_str()));
    match (format, weighing.source_bytes()) {
        (Some(format), Some(bytes)) => {
            text += &format!("; source {}, {}", printable(format), counted(bytes, "byte"));
        }
        (None, Some(bytes)) => text += &format!("; source {}", counted(bytes, "byte")),
        _ => {}
    }
    text
}

/// `1 record`, `2 records`.
pub(crate) fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// A line about rows: what it is about, and what is to be said.
#[derive(Debug, PartialEq)]
pub(crate) struct Note {
    pub(crate) fidelity: Fidelity,
    pub(crate) rows: String,
    pub(crate) text: String,
}

/// The lowerings of profiles, the first differences of lossy rows, and the reasons of unsupported ones; rows with
/// the same text share a line.
pub(crate) fn notes(weighing: &Weighing, labels: &Labels) -> Vec<Note> {
    let mut notes: Vec<Note> = Vec::new();
    for fidelity in [Fidelity::Profile, Fidelity::Lossy, Fidelity::Unsupported] {
        for row in weighing.rows.iter().filter(|row| row.fidelity == fidelity) {
            let text = match fidelity {
                Fidelity::Profile => row.profile.join("; "),
                _ => row.reason.clone().unwrap_or_else(|| "no reason given".into()),
            };
            let (text, name) = (printable(&text), labels.full(row));
            match notes.iter_mut().find(|note| note.fidelity == fidelity && note.text == text) {
                Some(note) => note.rows += &format!(", {name}"),
                None => notes.push(Note { fidelity, rows: name, text }),
            }
        }
    }
    notes
}

/// The build and the machine, in one line.
pub(crate) fn environment(weighing: &Weighing) -> String {
    let environment = &weighing.environment;
    let text = |value: &Option<String>| value.as_deref().map(printable);
    let parts = [
        Some(format!("bantam {}", printable(&environment.bantam))),
        text(&environment.profile).map(|profile| format!("{profile} build")),
        text(&environment.rustc),
        text(&environment.target),
        text(&environment.os).filter(|_| environment.target.is_none()),
        text(&environment.cpu),
        environment.cores.map(|cores| counted(u64::from(cores), "core")),
        text(&environment.allocator).map(|allocator| format!("{allocator} allocator")),
        environment.clock_precision_ns.map(|nanos| format!("clock to {nanos:.0} ns")),
        text(&environment.date),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// A warning, when the times were taken of a build that nobody should time.
pub(crate) fn debug_warning(weighing: &Weighing) -> Option<&'static str> {
    (weighing.environment.profile.as_deref() == Some("debug"))
        .then_some("This is a debug build: its times mean nothing. Build with --release.")
}
