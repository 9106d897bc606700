//! What is best over the links that were asked for, as the terminal and the Markdown report say it.

use bantam_weigh::links::{Way, best_at, crossovers, front};
use bantam_weigh::{Lane, Speed, Weighing};

use crate::figures::{counted_bytes, duration, grouped, percent};
use crate::view::{Labels, compressor_label, shown_speed};

/// The heads of the table.
pub(crate) const HEADS: [&str; 4] = ["best way", "bytes", "share", "total, all records"];

/// A link, and the cells under [`HEADS`].
pub(crate) struct Line {
    pub(crate) link: String,
    pub(crate) cells: [String; 4],
}

/// One line for each link that was asked for; a lane without times both ways has none.
pub(crate) fn lines(weighing: &Weighing, labels: &Labels, lane: Lane) -> Vec<Line> {
    let mut speeds: Vec<Speed> = weighing.links.iter().filter_map(|link| Speed::new(link.bits_per_second)).collect();
    speeds.dedup();
    let line = |speed: Speed| {
        let way = best_at(weighing, lane, speed)?;
        let share = weighing.ratio(way.bytes).map(percent).unwrap_or_default();
        let cells = [name(weighing, labels, &way), grouped(way.bytes), share, duration(way.total_nanos(speed))];
        Some(Line { link: speed.to_string(), cells })
    };
    speeds.into_iter().filter_map(line).collect()
}

/// Where the best way changes, and what no other way beats: two sentences, where there is a choice at all.
pub(crate) fn sentences(weighing: &Weighing, labels: &Labels, lane: Lane) -> Vec<String> {
    let changes = crossovers(weighing, lane);
    let name = |way: &Way<'_>| name(weighing, labels, way);
    let Some(first) = changes.first() else { return Vec::new() };
    let mut text = format!("Best over the slowest links: {}", name(&first.below));
    for change in &changes {
        text += &format!("; from {} on, {}", shown_speed(change.bits_per_second), name(&change.above));
    }
    let ways = front(weighing, lane);
    let ways = ways.iter().map(|way| format!("{} ({}, {})", name(way), counted_bytes(way.bytes), duration(way.nanos)));
    let front = format!("Not beaten in both bytes and time, there and back: {}.", ways.collect::<Vec<_>>().join("; "));
    vec![text + ".", front]
}

fn name(weighing: &Weighing, labels: &Labels, way: &Way<'_>) -> String {
    let row = labels.full(&weighing.rows[way.row]);
    way.compressor.map_or_else(|| row.clone(), |(name, level)| format!("{row} + {}", compressor_label(name, level)))
}
