//! The summary of one task's samples.

use serde::{Deserialize, Serialize};

use crate::stats::{self, Interval};

/// How long one run takes, for the whole batch of records. Times are nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// `median_ns`: the median of the samples, in nanoseconds.
    pub median_ns: f64,
    /// `low_ns`: the lower end of the median's confidence interval, in nanoseconds.
    pub low_ns: f64,
    /// `high_ns`: its upper end, in nanoseconds.
    pub high_ns: f64,
    /// `rounds`: the number of samples.
    pub rounds: u32,
    /// `coverage`: the probability that such an interval holds the median, 0 to 1: 0.95 or more from 6
    /// rounds on, less below (see [`stats::median_interval`]).
    pub coverage: f64,
    /// `iterations_per_round`: runs in one sample; the times are those of one run.
    pub iterations_per_round: u64,
    /// `below_precision`: the samples are too short for the clock; the true time is between 0 and some `high_ns`.
    pub below_precision: bool,
}

impl Timing {
    /// The confidence level of the interval.
    pub const LEVEL: f64 = 0.95;

    /// The summary of the times of one run, in picoseconds and ascending order; `None` without any.
    pub fn of_sorted(picos: &[u64]) -> Option<Self> {
        let nanos = |picos: u64| crate::Picos(picos).as_nanos();
        let found = stats::median_interval(picos, Self::LEVEL)?;
        Some(Self {
            median_ns: nanos(stats::median(picos)?),
            low_ns: nanos(found.interval.low),
            high_ns: nanos(found.interval.high),
            rounds: picos.len() as u32,
            coverage: found.coverage,
            iterations_per_round: 1,
            below_precision: false,
        })
    }

    /// The interval that comparisons go by: from 0 where the clock could not tell. A single round says little
    /// about the next one and counts as known to a factor of four: on a busy machine that is not too careful, and
    /// a task that got but one round is far slower than those that it could be taken for.
    pub fn interval(&self) -> Interval<f64> {
        const FACTOR: f64 = 4.0;
        if self.rounds < 2 {
            let low = if self.below_precision { 0.0 } else { self.low_ns / FACTOR };
            return Interval { low, high: self.high_ns * FACTOR };
        }
        Interval { low: if self.below_precision { 0.0 } else { self.low_ns }, high: self.high_ns }
    }

    /// The larger distance from the median to an end of the interval, as a share of the median: 0.02 for
    /// ±2 %. `None` from a single round, below the clock's precision, and for a median of 0.
    pub fn spread(&self) -> Option<f64> {
        let distance = (self.high_ns - self.median_ns).max(self.median_ns - self.low_ns);
        (self.rounds > 1 && !self.below_precision && self.median_ns > 0.0).then(|| distance / self.median_ns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_is_in_nanoseconds() {
        let timing = Timing::of_sorted(&[1_000, 1_500, 2_000]).unwrap();
        assert_eq!((timing.median_ns, timing.low_ns, timing.high_ns), (1.5, 1.0, 2.0));
        assert_eq!((timing.rounds, timing.coverage), (3, 0.75));
        assert_eq!(timing.spread(), Some(1.0 / 3.0));
        assert_eq!(Timing::of_sorted(&[]), None);
    }

    #[test]
    fn no_spread_is_claimed_where_none_is_known() {
        assert_eq!(Timing::of_sorted(&[1_000]).unwrap().spread(), None);
        assert_eq!(Timing::of_sorted(&[0, 0]).unwrap().spread(), None);
        let blurred = Timing { below_precision: true, ..Timing::of_sorted(&[900, 1_000]).unwrap() };
        assert_eq!(blurred.spread(), None);
        assert_eq!(blurred.interval(), Interval { low: 0.0, high: 1.0 });
    }
}
