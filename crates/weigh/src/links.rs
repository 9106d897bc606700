//! Over which link which way is quickest: size against time.
//!
//! A way is a row with or without a compressor. Sending the records by it takes what its work takes, and its bytes over
//! the link: total = work + bytes × 8 ∕ speed. Over the time that a byte takes, that is a straight line; the best
//! way at every speed is the lower envelope of these lines, and only ways on the Pareto front of size and work can lie
//! on it. Everything goes by medians, and works on the ranked rows of one lane.

use serde::{Deserialize, Serialize};

use crate::stats::Interval;
use crate::{Compressed, Lane, Row, Speed, Timing, Weighing};

/// A way to store or send the records.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Way<'w> {
    /// The row's index in [`Weighing::rows`].
    pub row: usize,
    /// The compressor and its level; `None` for the row's bytes as they are.
    pub compressor: Option<(&'w str, Option<i32>)>,
    /// What is stored or sent.
    pub bytes: u64,
    /// The work that counts, in nanoseconds for all records: the sum of the medians.
    pub nanos: f64,
    /// The sums of the ends of the steps' intervals, in nanoseconds.
    pub interval: Interval<f64>,
}

/// A speed at which the best way changes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change<'w> {
    /// In bits a second.
    pub bits_per_second: f64,
    /// The best way just below.
    pub below: Way<'w>,
    /// The best way just above: more bytes, less work.
    pub above: Way<'w>,
}

impl<'w> Way<'w> {
    fn of(row: usize, under: Option<&'w Compressed>, bytes: Option<u64>, steps: &[Option<Timing>]) -> Option<Self> {
        let steps: Vec<Timing> = steps.iter().copied().collect::<Option<_>>()?;
        let sum = |part: fn(&Timing) -> f64| steps.iter().map(part).sum::<f64>();
        Some(Self {
            row,
            compressor: under.map(Compressed::key),
            bytes: under.map(|under| under.bytes).or(bytes)?,
            nanos: sum(|timing| timing.median_ns),
            interval: Interval { low: sum(|t| t.interval().low), high: sum(|t| t.interval().high) },
        })
    }

    /// Its work and the transfer, in nanoseconds.
    pub fn total_nanos(&self, speed: Speed) -> f64 {
        self.nanos + speed.nanos(self.bytes)
    }
}

/// All ways of the lane's ranked rows there and back: encode, compress, decompress, decode. A row that was not written,
/// such as the source of files, has none.
pub fn ways(weighing: &Weighing, lane: Lane) -> Vec<Way<'_>> {
    collect(weighing, lane, |index, row, under| match under {
        None => Way::of(index, None, row.bytes, &[row.encode, row.decode]),
        Some(c) => Way::of(index, under, None, &[row.encode, c.compress, c.decompress, row.decode]),
    })
}

/// All ways of the lane's ranked rows to be read: decompress and decode. The source takes part.
pub fn ways_to_read(weighing: &Weighing, lane: Lane) -> Vec<Way<'_>> {
    collect(weighing, lane, |index, row, under| match under {
        None => Way::of(index, None, row.bytes, &[row.decode]),
        Some(c) => Way::of(index, under, None, &[c.decompress, row.decode]),
    })
}

fn collect<'w>(
    weighing: &'w Weighing,
    lane: Lane,
    way: impl Fn(usize, &'w Row, Option<&'w Compressed>) -> Option<Way<'w>>,
) -> Vec<Way<'w>> {
    let ranked = weighing.rows.iter().enumerate().filter(|(_, row)| row.lane == lane && row.is_ranked());
    let of_row = ranked.flat_map(|(index, row)| {
        let under = row.compressed.iter().map(Some);
        [None].into_iter().chain(under).map(move |under| (index, row, under))
    });
    of_row.filter_map(|(index, row, under)| way(index, row, under)).collect()
}

/// Those that no other way beats in both size and work, smallest first; of equal ones the first.
pub fn pareto(mut ways: Vec<Way<'_>>) -> Vec<Way<'_>> {
    ways.retain(|way| way.nanos.is_finite());
    ways.sort_by(|a, b| a.bytes.cmp(&b.bytes).then(a.nanos.total_cmp(&b.nanos)));
    let mut front: Vec<Way<'_>> = Vec::new();
    for way in ways {
        if front.last().is_none_or(|last| way.nanos < last.nanos) {
            front.push(way);
        }
    }
    front
}

/// The Pareto front of all ways there and back, smallest first.
pub fn front(weighing: &Weighing, lane: Lane) -> Vec<Way<'_>> {
    pareto(ways(weighing, lane))
}

/// The quickest way over a link of that speed.
pub fn best_at(weighing: &Weighing, lane: Lane, speed: Speed) -> Option<Way<'_>> {
    let front = front(weighing, lane);
    front.into_iter().min_by(|a, b| a.total_nanos(speed).total_cmp(&b.total_nanos(speed)))
}

/// The other ways that cannot be told from the best at that speed, as their intervals overlap; quickest first.
pub fn tied_at<'w>(weighing: &'w Weighing, best: &Way<'w>, speed: Speed) -> Vec<Way<'w>> {
    let Some(row) = weighing.rows.get(best.row) else { return Vec::new() };
    let interval = |way: &Way<'_>| {
        let transfer = speed.nanos(way.bytes);
        Interval { low: way.interval.low + transfer, high: way.interval.high + transfer }
    };
    let mut tied = ways(weighing, row.lane);
    tied.retain(|way| {
        (way.row, way.compressor) != (best.row, best.compressor) && interval(way).overlaps(&interval(best))
    });
    tied.sort_by(|a, b| a.total_nanos(speed).total_cmp(&b.total_nanos(speed)));
    tied
}

/// The speeds at which the best way changes, slowest first: the corners of the lower envelope.
pub fn crossovers(weighing: &Weighing, lane: Lane) -> Vec<Change<'_>> {
    // From many bytes and little work, best over the fastest links, to few bytes and much work. A way is passed over when
    // the next one overtakes it before it has overtaken the one before.
    let mut hull: Vec<Way<'_>> = Vec::new();
    for way in front(weighing, lane).into_iter().rev() {
        while let [.., before, last] = hull[..]
            && per_byte(&last, &way) <= per_byte(&before, &last)
        {
            hull.pop();
        }
        hull.push(way);
    }
    let corner = |pair: &[Way<'_>]| per_byte(&pair[0], &pair[1]);
    let changes = hull.windows(2).map(|p| Change { bits_per_second: 8e9 / corner(p), below: p[1], above: p[0] }).rev();
    changes.filter(|change| change.bits_per_second.is_finite()).collect()
}

/// The time a byte may take, in nanoseconds, beyond which the smaller way is quicker. On a front, `larger` has more bytes.
fn per_byte(larger: &Way<'_>, smaller: &Way<'_>) -> f64 {
    (smaller.nanos - larger.nanos) / (larger.bytes - smaller.bytes) as f64
}

/// A [`Way`] by name, as the document has it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NamedWay {
    /// `lane`: of the row.
    pub lane: Lane,
    /// `format`: of the row.
    pub format: String,
    /// `codec`: of the row.
    pub codec: String,
    /// `framing`: of the row.
    pub framing: String,
    /// `compressor`: its name; `null` for the row's bytes as they are.
    pub compressor: Option<String>,
    /// `level`: its level; `null` if it has none.
    pub level: Option<i32>,
    /// `bytes`: what is stored or sent.
    pub bytes: u64,
    /// `work_ns`: encode, compress, decompress and decode, in nanoseconds.
    pub work_ns: f64,
}

/// A link, and what is best over it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Link {
    /// `bits_per_second`: its speed.
    pub bits_per_second: u64,
    /// `best`: the way that takes the least in all; `null` where nothing was timed both ways.
    pub best: Option<Best>,
}

/// The best way over a link.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Best {
    /// The way.
    #[serde(flatten)]
    pub way: NamedWay,
    /// `total_ns`: its work and the transfer, in nanoseconds.
    pub total_ns: f64,
}

/// A [`Change`] by name, as the document has it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Crossover {
    /// `bits_per_second`: the speed.
    pub bits_per_second: f64,
    /// `below`: the best way just below it.
    pub below: NamedWay,
    /// `above`: the best way just above it.
    pub above: NamedWay,
}

impl Weighing {
    /// Fills in `links` at these speeds, `front` and `crossovers`, from the rows.
    pub fn weigh_links(&mut self, speeds: &[Speed]) {
        let lanes = self.lanes();
        let named = |way: &Way<'_>| self.named(way);
        let best = |lane: &Lane, speed: Speed| {
            best_at(self, *lane, speed).map(|way| Best { way: named(&way), total_ns: way.total_nanos(speed) })
        };
        let mut links = Vec::new();
        for speed in speeds {
            let bits_per_second = speed.bits_per_second();
            let found: Vec<Best> = lanes.iter().filter_map(|lane| best(lane, *speed)).collect();
            if found.is_empty() {
                links.push(Link { bits_per_second, best: None });
            }
            links.extend(found.into_iter().map(|best| Link { bits_per_second, best: Some(best) }));
        }
        let ways = lanes.iter().flat_map(|lane| front(self, *lane)).map(|way| named(&way)).collect();
        let changes = lanes.iter().flat_map(|lane| crossovers(self, *lane));
        let changes = changes.map(|change| Crossover {
            bits_per_second: change.bits_per_second,
            below: named(&change.below),
            above: named(&change.above),
        });
        let changes = changes.collect();
        (self.links, self.front, self.crossovers) = (links, ways, changes);
    }

    fn named(&self, way: &Way<'_>) -> NamedWay {
        let row = &self.rows[way.row];
        let (compressor, level) = way.compressor.unzip();
        NamedWay {
            lane: row.lane,
            format: row.format.clone(),
            codec: row.codec.clone(),
            framing: row.framing.clone(),
            compressor: compressor.map(str::to_owned),
            level: level.flatten(),
            bytes: way.bytes,
            work_ns: way.nanos,
        }
    }
}
