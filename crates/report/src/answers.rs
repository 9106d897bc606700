//! "What should I use?": up to five sentences, each drawn from the figures.

use bantam_weigh::{Column, Lane, Picos, Row, Timing, Weighing};

use crate::each::one_decimal;
use crate::figures::{grouped, percent, times};
use crate::view::{Labels, compressor_label, counted, debug_warning};

/// The sentences that the data supports, for the first lane that has rows: the smallest, the fastest, whether
/// JSON under a compressor would do, and what is smallest message by message; then the fastest of the other lane. Where figures
/// are missing or nothing is there to compare, none is made up.
pub(crate) fn answers(weighing: &Weighing, labels: &Labels) -> Vec<String> {
    let lanes = weighing.lanes();
    let Some((&lane, others)) = lanes.split_first() else { return Vec::new() };
    let timed = debug_warning(weighing).is_none();
    let about = |lane| About { weighing, labels, lane, timed };
    let first = about(lane);
    let mut answers = vec![first.smallest(), first.fastest(), first.json(), first.messages()];
    // A lane of its own has a ranking of its own.
    answers.extend(others.iter().map(|&lane| Some(format!("In the lane {}: {}", lane.name(), about(lane).fastest()?))));
    answers.into_iter().flatten().collect()
}

struct About<'a> {
    weighing: &'a Weighing,
    labels: &'a Labels,
    lane: Lane,
    /// Whether the times mean something.
    timed: bool,
}

impl About<'_> {
    fn row(&self, index: usize) -> &Row {
        &self.weighing.rows[index]
    }

    /// `a`, `a and b`, `a, b and c`.
    fn names(&self, rows: &[usize]) -> String {
        let names: Vec<String> = rows.iter().map(|row| self.labels.full(self.row(*row))).collect();
        match names.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
            None => String::new(),
        }
    }

    /// `98,463 bytes, 14% of the source`.
    fn size(&self, bytes: u64) -> String {
        let share = self.weighing.ratio(bytes).map(|ratio| format!(", {} of the source", percent(ratio)));
        format!("{} bytes{}", grouped(bytes), share.unwrap_or_default())
    }

    fn smallest(&self) -> Option<String> {
        let ranking = self.weighing.ranking(Column::Bytes, self.lane);
        if ranking.len() < 2 {
            return None;
        }
        let best = self.weighing.winners(Column::Bytes, self.lane);
        let bytes = self.row(*best.first()?).bytes?;
        let mut text = format!("Smallest: {} with {}", self.names(&best), self.size(bytes));
        let compressed = self.weighing.compressors().into_iter().filter_map(|(name, level)| {
            let winners = self.weighing.winners(Column::CompressedBytes(name, level), self.lane);
            let found = self.row(*winners.first()?).under(name, level)?;
            Some((found.bytes, winners, compressor_label(name, level)))
        });
        if let Some((under, winners, compressor)) = compressed.min_by_key(|found| found.0)
            && under < bytes
        {
            text += &format!("; compressed, {} + {compressor} with {}", self.names(&winners), self.size(under));
        }
        Some(text + ".")
    }

    fn fastest(&self) -> Option<String> {
        let ranking = self.weighing.ranking(Column::RoundTrip, self.lane);
        if ranking.len() < 2 || !self.timed {
            return None;
        }
        let best = self.weighing.winners(Column::RoundTrip, self.lane);
        let first = self.row(*best.first()?).round_trip?;
        if best.len() == ranking.len() {
            return Some("Fastest: no format's round trip can be told from the fastest one's.".into());
        }
        let mut text = format!("Fastest to write and read again: {}", self.names(&best));
        if best.len() > 1 {
            text += " (a tie)";
        }
        // Against the source's format, and only when it is slower beyond doubt.
        let source = self.weighing.rows.iter().position(|row| row.source && row.lane == self.lane);
        if let Some(source) = source
            && let Some(slower) = self.row(source).round_trip
            && !best.contains(&source)
            && slower.low_ns > first.high_ns
            && first.median_ns > 0.0
        {
            let factor = times(slower.median_ns / first.median_ns);
            text += &format!(", {factor} as fast as {}", self.labels.full(self.row(source)));
        }
        text += &source.and_then(|source| self.read_against(best[0], source)).unwrap_or_default();
        if let Some(nanos) = self.weighing.per_record(first.median_ns) {
            text += &format!("; {} a record", Picos((nanos * 1_000.0) as u64));
        }
        Some(text + ".")
    }

    /// A source that another program wrote is only read: how much faster the best is read, if it is beyond doubt.
    fn read_against(&self, best: usize, source: usize) -> Option<String> {
        let (own, slower) = (self.row(best).decode?, self.row(source).decode?);
        let counts = self.row(source).round_trip.is_none() && best != source && slower.low_ns > own.high_ns;
        let factor = times(slower.median_ns / own.median_ns);
        let text = format!(", read {factor} as fast as the source ({})", self.labels.full(self.row(source)));
        (counts && own.median_ns > 0.0).then_some(text)
    }

    /// JSON under zlib (or the first real compressor), against the smallest other format under the same.
    fn json(&self) -> Option<String> {
        let compressors = self.weighing.compressors();
        let (name, level) = compressors
            .iter()
            .find(|(name, _)| *name == "zlib")
            .or_else(|| compressors.iter().find(|(name, _)| *name != "none"))?;
        let ranking = self.weighing.ranking(Column::CompressedBytes(name, *level), self.lane);
        let is_json = |index: &usize| is_json(&self.row(*index).format);
        let json = ranking.iter().map(|place| place.row).find(is_json)?;
        let other = ranking.iter().map(|place| place.row).find(|index| !is_json(index))?;
        let under = |index: usize| self.row(index).under(name, *level);
        let (json_bytes, other_bytes) = (under(json)?.bytes, under(other)?.bytes);

        let compressor = compressor_label(name, *level);
        let call = |index: usize| format!("{} + {compressor}", self.labels.full(self.row(index)));
        let difference = percent(json_bytes.abs_diff(other_bytes) as f64 / other_bytes.max(1) as f64);
        let verdict = match json_bytes.cmp(&other_bytes) {
            std::cmp::Ordering::Less => format!("{difference} less than"),
            std::cmp::Ordering::Equal => "as much as".into(),
            std::cmp::Ordering::Greater => format!("{difference} more than"),
        };
        let mut text = format!(
            "Is JSON good enough? {} takes {} bytes, {verdict} {} ({})",
            call(json),
            grouped(json_bytes),
            call(other),
            grouped(other_bytes),
        );
        let way = |index: usize| Way::of(self.row(index), name, *level);
        if let (Some(json), Some(other)) = (way(json), way(other))
            && self.timed
        {
            text += &format!("; there and back it {}", json.against(&other));
        }
        Some(text + ".")
    }

    /// What is smallest on a queue, and from how many messages on a trained dictionary changes that.
    fn messages(&self) -> Option<String> {
        let found = self.weighing.smallest_messages(self.lane)?;
        let (row, compressed) = found.alone;
        let compressor = compressed
            .filter(|found| found.compressor != "none")
            .map(|found| format!(" + {}", compressor_label(&found.compressor, found.level)));
        let mut text = format!(
            "Message by message: smallest is {}{} with {} bytes a message on average",
            self.labels.full(self.row(row)),
            compressor.unwrap_or_default(),
            one_decimal(found.bytes),
        );
        if let Some(with) = found.with_dictionary {
            let packing = with.compressed.packing();
            text += &format!(
                "; from {} on, {} + {} with a trained dictionary of {}, which is sent once, and {} bytes a message",
                counted(with.from, "message"),
                self.labels.full(self.row(with.row)),
                compressor_label(packing.compressor, packing.level),
                counted(with.compressed.dictionary.map_or(0, |dictionary| dictionary.bytes), "byte"),
                one_decimal(with.bytes),
            );
        } else if self.weighing.packings().iter().any(|packing| packing.dictionary) {
            text += "; no trained dictionary makes any smaller";
        }
        Some(text + ".")
    }
}

/// The names of JSON in the table of formats: `json`, its styles, and its lines.
fn is_json(format: &str) -> bool {
    format == "json" || format.starts_with("json-") || format == "ndjson"
}

/// All four steps there and back, in nanoseconds: encode, compress, decompress, decode.
struct Way {
    low: f64,
    median: f64,
    high: f64,
}

impl Way {
    fn of(row: &Row, compressor: &str, level: Option<i32>) -> Option<Self> {
        let under = row.under(compressor, level)?;
        let steps = [row.encode?, under.compress?, under.decompress?, row.decode?];
        let sum = |part: fn(&Timing) -> f64| steps.iter().map(part).sum::<f64>();
        Some(Self {
            low: sum(|timing| timing.interval().low),
            median: sum(|timing| timing.median_ns),
            high: sum(|timing| timing.high_ns),
        })
    }

    fn against(&self, other: &Self) -> String {
        if self.low <= other.high && other.low <= self.high {
            return "takes as long, as far as can be told".into();
        }
        if self.median > other.median {
            format!("takes {} as long", times(self.median / other.median))
        } else {
            format!("is {} as fast", times(other.median / self.median))
        }
    }
}
