//! What all parts of the page have in common: how rows and ways are called, and which figures they share.

use bantam_weigh::links::Way;
use bantam_weigh::{Fidelity, Lane, Row, Timing, Weighing};

use super::text::escaped;
use crate::figures::duration;
use crate::view::{Labels, compressor_label, distinct, needs_codecs, shown_rows};

/// The weighing with its labels.
pub(super) struct Page<'a> {
    pub(super) weighing: &'a Weighing,
    pub(super) labels: &'a Labels,
}

/// The rows of one lane, in the order in which all reports show them.
pub(super) struct LanePage<'a> {
    pub(super) page: &'a Page<'a>,
    pub(super) lane: Lane,
    pub(super) rows: Vec<usize>,
}

/// A time of all records as that of one; of no records, as it is.
pub(super) fn per_record(weighing: &Weighing, nanos: f64) -> f64 {
    weighing.per_record(nanos).unwrap_or(nanos)
}

/// The source's name says that it is the source; that of a row that did not come back equal has the sign for it.
fn marked(name: &str, row: &Row) -> String {
    let sign = if row.fidelity == Fidelity::Lossy { "≠ " } else { "" };
    format!("{sign}{name}{}", if row.source { " (source)" } else { "" })
}

/// `protobuf + zstd:3`.
pub(super) fn with_compressor(name: &str, compressor: Option<(&str, Option<i32>)>) -> String {
    match compressor {
        Some((compressor, level)) => format!("{name} + {}", compressor_label(compressor, level)),
        None => name.into(),
    }
}

impl Page<'_> {
    /// The lanes that have something to show.
    pub(super) fn lanes(&self) -> Vec<LanePage<'_>> {
        let lanes = self.weighing.lanes().into_iter();
        let pages = lanes.map(|lane| LanePage { page: self, lane, rows: shown_rows(self.weighing, lane) });
        pages.filter(|lane| !lane.rows.is_empty()).collect()
    }

    /// `, for each record`, where there are any.
    pub(super) fn per(&self) -> &'static str {
        if self.weighing.input.records > 0 { ", for each record" } else { ", for the batch" }
    }

    /// A row's name, the source marked.
    pub(super) fn row_name(&self, index: usize) -> String {
        let row = &self.weighing.rows[index];
        marked(&self.labels.full(row), row)
    }

    pub(super) fn way(&self, way: &Way<'_>) -> String {
        with_compressor(&self.row_name(way.row), way.compressor)
    }

    /// The compressors that are none in name only.
    pub(super) fn compressors(&self) -> Vec<(&str, Option<i32>)> {
        self.weighing.compressors().into_iter().filter(|(name, _)| *name != "none").collect()
    }

    /// The series of all charts of sizes: rows as they are, then each compressor.
    pub(super) fn series(&self) -> Vec<(usize, String)> {
        let names = self.compressors().into_iter().map(|(name, level)| compressor_label(name, level));
        ["uncompressed".to_owned()].into_iter().chain(names).enumerate().collect()
    }

    pub(super) fn series_of(&self, compressor: Option<(&str, Option<i32>)>) -> usize {
        let place = compressor.and_then(|own| self.compressors().iter().position(|other| *other == own));
        place.map_or(0, |place| place + 1)
    }

    /// `, between 1.2 µs and 1.3 µs`, for each record; nothing where no interval is known.
    pub(super) fn interval(&self, timing: &Timing) -> String {
        if timing.rounds < 2 || timing.below_precision {
            return String::new();
        }
        let [low, high] = [timing.low_ns, timing.high_ns].map(|nanos| duration(per_record(self.weighing, nanos)));
        format!(", between {low} and {high}")
    }
}

impl LanePage<'_> {
    /// An id that no other lane has.
    pub(super) fn id(&self, name: &str) -> String {
        format!("{name}-{}", self.lane.name())
    }

    /// What tells this lane's charts from another's, where there is another.
    pub(super) fn suffix(&self) -> String {
        if self.page.weighing.lanes().len() > 1 { format!(" (lane {})", self.lane.name()) } else { String::new() }
    }

    /// One row for all codecs that write the same bytes, and what it is called: without a codec where none is needed.
    pub(super) fn distinct(&self) -> Vec<(usize, String)> {
        let weighing = self.page.weighing;
        let rows = distinct(weighing, &self.rows);
        let by_codec = needs_codecs(weighing, &rows);
        let name = |index: usize| {
            let row = &weighing.rows[index];
            let name = if by_codec { self.page.labels.full(row) } else { self.page.labels.name(row) };
            marked(&name, row)
        };
        rows.into_iter().map(|index| (index, name(index))).collect()
    }

    /// What the sign of lossy rows means, where there are any.
    pub(super) fn legend_of_signs(&self) -> &'static str {
        let lossy = |index: &usize| self.page.weighing.rows[*index].fidelity == Fidelity::Lossy;
        if self.rows.iter().any(lossy) {
            " ≠ marks rows that did not come back equal; they are not ranked."
        } else {
            ""
        }
    }

    /// A heading within a section, below that of the lane where there are several.
    pub(super) fn heading(&self, text: &str) -> String {
        let level = if self.page.weighing.lanes().len() > 1 { 4 } else { 3 };
        format!("<h{level}>{}</h{level}>\n", escaped(text))
    }

    /// Whether the clock could not tell a part of the way's time.
    pub(super) fn is_blurred(&self, way: &Way<'_>) -> bool {
        let row = &self.page.weighing.rows[way.row];
        let under = way.compressor.and_then(|(name, level)| row.under(name, level)?.decompress);
        row.decode.is_some_and(|timing| timing.below_precision) || under.is_some_and(|timing| timing.below_precision)
    }
}
