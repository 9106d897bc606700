//! The formulas, as plain functions of sorted samples.
//!
//! Everything here is distribution-free: times of a program are skewed and have several modes, so
//! means and standard deviations would describe a shape that is not there.

/// A closed interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval<T> {
    /// Its lower end, included.
    pub low: T,
    /// Its upper end, included.
    pub high: T,
}

impl<T: PartialOrd> Interval<T> {
    /// Whether the two have a point in common: then the order of what they estimate is not known.
    ///
    /// Cautious: two 95 % intervals that do not overlap differ at a level far below 5 %
    /// (Schenker & Gentleman, *The American Statistician* 55 (2001), 182–186), while some that do
    /// overlap would pass a test of their difference. A tie is claimed too often rather than too rarely.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.low <= other.high && other.low <= self.high
    }
}

/// The median of samples in ascending order: the middle one, or the mean of the middle two, rounded down.
/// `None` without samples.
pub fn median(sorted: &[u64]) -> Option<u64> {
    debug_assert!(sorted.is_sorted());
    let high = *sorted.get(sorted.len() / 2)?;
    let low = sorted[(sorted.len() - 1) / 2];
    Some(low.midpoint(high))
}

/// The smallest sample that `part` of `of` samples do not exceed, of samples in ascending order: the 99th percentile for 99 of 100.
/// `None` without samples.
///
/// By nearest rank, the ⌈n · part ∕ of⌉-th of n samples (Hyndman & Fan, *The American Statistician* 50 (1996), 361–365, definition
/// 1). It is one of the samples, so nothing is claimed that was not seen; of fewer than 100 samples, the 99th
/// percentile is the largest. The rank is found in whole numbers, as 0.99 is no number of binary digits.
pub fn quantile(sorted: &[u64], part: u64, of: u64) -> Option<u64> {
    debug_assert!(sorted.is_sorted() && part <= of && of > 0);
    let rank = (sorted.len() as u128 * u128::from(part)).div_ceil(u128::from(of)) as usize;
    sorted.get(rank.max(1) - 1).copied()
}

/// A confidence interval of the median of the distribution that the samples come from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MedianInterval {
    /// Two of the samples.
    pub interval: Interval<u64>,
    /// The probability that such an interval holds the median: at least the level asked for, or
    /// all that so few samples can give.
    pub coverage: f64,
}

/// The narrowest symmetric interval between two samples that holds the median with probability
/// `level` or more. `None` without samples.
///
/// With samples x₁ ≤ … ≤ xₙ, the interval [xᵣ, xₙ₋ᵣ₊₁] misses the median m only when fewer than r samples
/// lie below it, or fewer than r above; each count is binomial with n trials and probability ½, so
///
/// P(xᵣ ≤ m ≤ xₙ₋ᵣ₊₁) = 1 − 2 · P(Bin(n, ½) ≤ r − 1)
///
/// for any continuous distribution, and no less for others. (Conover, *Practical Nonparametric Statistics*, 3rd
/// ed. 1999, section 3.2; Hahn & Meeker, *Statistical Intervals*, 1991, section 5.2.) The largest r that keeps the
/// level is taken.
///
/// Few samples cannot reach 95 %: below 6 the interval is the smallest to the largest sample, and its
/// true coverage 1 − 2¹⁻ⁿ is returned with it: 94 % for 5 samples, 75 % for 3, nothing for 1.
pub fn median_interval(sorted: &[u64], level: f64) -> Option<MedianInterval> {
    debug_assert!(sorted.is_sorted());
    let (first, last) = (*sorted.first()?, *sorted.last()?);
    let mut found =
        MedianInterval { interval: Interval { low: first, high: last }, coverage: coverage(sorted.len(), 1) };
    for r in 2..=sorted.len().div_ceil(2) {
        let coverage = coverage(sorted.len(), r);
        if coverage < level {
            break;
        }
        let interval = Interval { low: sorted[r - 1], high: sorted[sorted.len() - r] };
        found = MedianInterval { interval, coverage };
    }
    Some(found)
}

/// The coverage of the interval from the `r`-th smallest to the `r`-th largest of `n` samples.
fn coverage(n: usize, r: usize) -> f64 {
    // Terms of the binomial distribution in logarithms, so that 2⁻ⁿ does not vanish for large n.
    let mut log_term = -(n as f64) * std::f64::consts::LN_2;
    let mut below = 0.0;
    for k in 0..r {
        below += log_term.exp();
        log_term += ((n - k) as f64).ln() - ((k + 1) as f64).ln();
    }
    (1.0 - 2.0 * below).max(0.0)
}

/// The group of each interval, counted from 0; `intervals` are in order of their medians, best first.
///
/// An interval joins the first group whose best member it overlaps, else it opens a group of its own. Overlap is
/// not transitive, so this is a rule rather than a truth: members of a group cannot be told from its best
/// member, though two of them may differ from each other.
pub fn tie_groups<T: PartialOrd + Copy>(intervals: &[Interval<T>]) -> Vec<usize> {
    let mut leaders: Vec<Interval<T>> = Vec::new();
    let mut groups = Vec::with_capacity(intervals.len());
    for interval in intervals {
        let group = leaders.iter().position(|leader| leader.overlaps(interval));
        groups.push(group.unwrap_or_else(|| {
            leaders.push(*interval);
            leaders.len() - 1
        }));
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn medians() {
        for (samples, expected) in [
            (&[][..], None),
            (&[7], Some(7)),
            (&[1, 4], Some(2)),
            (&[1, 2, 9], Some(2)),
            (&[1, 2, 4, 100], Some(3)),
            (&[u64::MAX - 2, u64::MAX], Some(u64::MAX - 1)),
        ] {
            assert_eq!(median(samples), expected, "{samples:?}");
        }
    }

    #[test]
    fn quantiles_are_of_the_nearest_rank() {
        let upto = |n: u64| (1..=n).collect::<Vec<u64>>();
        for (samples, part, of, expected) in [
            (vec![], 99, 100, None),
            (vec![7], 99, 100, Some(7)),
            (vec![3, 9], 50, 100, Some(3)),
            (vec![3, 9], 99, 100, Some(9)),
            (upto(99), 99, 100, Some(99)),
            (upto(100), 99, 100, Some(99)),
            (upto(101), 99, 100, Some(100)),
            (upto(200), 99, 100, Some(198)),
            (upto(1_000), 99, 100, Some(990)),
            (upto(1_000), 0, 1, Some(1)),
            (upto(1_000), 1, 1, Some(1_000)),
            // The example of the ordinal ranks of Wikipedia, "Percentile".
            (vec![15, 20, 35, 40, 50], 5, 100, Some(15)),
            (vec![15, 20, 35, 40, 50], 30, 100, Some(20)),
            (vec![15, 20, 35, 40, 50], 40, 100, Some(20)),
            (vec![15, 20, 35, 40, 50], 50, 100, Some(35)),
        ] {
            assert_eq!(quantile(&samples, part, of), expected, "{part} of {of} of {} samples", samples.len());
        }
    }

    /// Ranks and coverages at 95 %, worked out in whole numbers.
    #[test]
    fn intervals_have_the_ranks_and_coverages_of_the_tables() {
        for (n, low, high, coverage) in [
            (1, 1, 1, 0.0),
            (2, 1, 2, 0.5),
            (3, 1, 3, 0.75),
            (5, 1, 5, 0.9375),
            (6, 1, 6, 0.968_75),
            (8, 1, 8, 0.992_188),
            (9, 2, 8, 0.960_938),
            (10, 2, 9, 0.978_516),
            (15, 4, 12, 0.964_844),
            (20, 6, 15, 0.958_611),
            (25, 8, 18, 0.956_715),
            (50, 18, 33, 0.967_161),
            (101, 41, 61, 0.953_956),
        ] {
            let samples: Vec<u64> = (1..=n).collect();
            let found = median_interval(&samples, 0.95).unwrap();
            assert_eq!(found.interval, Interval { low, high }, "n = {n}");
            assert!((found.coverage - coverage).abs() < 1e-6, "n = {n}: {}", found.coverage);
        }
        assert_eq!(median_interval(&[], 0.95), None);
    }

    #[test]
    fn a_great_many_samples_do_not_underflow() {
        let samples: Vec<u64> = (1..=10_000).collect();
        let found = median_interval(&samples, 0.95).unwrap();
        // Normal approximation: 5000 ± 1.96 · 50.
        assert_eq!(found.interval, Interval { low: 4902, high: 5099 });
    }

    #[test]
    fn groups_follow_their_best_member() {
        let of = |pairs: &[(u64, u64)]| {
            let intervals: Vec<_> = pairs.iter().map(|&(low, high)| Interval { low, high }).collect();
            tie_groups(&intervals)
        };
        assert_eq!(of(&[]), []);
        assert_eq!(of(&[(1, 2), (3, 4), (5, 6)]), [0, 1, 2]);
        assert_eq!(of(&[(1, 3), (3, 4), (5, 6)]), [0, 0, 1]);
        // A chain: the third overlaps the second but not the first.
        assert_eq!(of(&[(1, 3), (2, 5), (4, 6)]), [0, 0, 1]);
        // A wide one behind a narrow one still cannot be told from the best.
        assert_eq!(of(&[(9, 11), (12, 13), (10, 20)]), [0, 1, 0]);
    }

    proptest! {
        #[test]
        fn the_quantile_is_the_least_that_enough_do_not_exceed(mut samples in prop::collection::vec(0..50_u64, 1..300)) {
            samples.sort_unstable();
            let found = quantile(&samples, 99, 100).unwrap();
            let upto = |bound: u64| samples.iter().filter(|sample| **sample <= bound).count();
            prop_assert!(100 * upto(found) >= 99 * samples.len());
            prop_assert!(found == 0 || 100 * upto(found - 1) < 99 * samples.len());
            prop_assert!(found >= median(&samples).unwrap());
        }

        #[test]
        fn the_interval_holds_the_median_between_the_samples(mut samples in prop::collection::vec(0..1_000_000_u64, 1..200)) {
            samples.sort_unstable();
            let middle = median(&samples).unwrap();
            let found = median_interval(&samples, 0.95).unwrap();
            prop_assert!(found.interval.low <= middle && middle <= found.interval.high);
            prop_assert!(samples.len() < 6 || found.coverage >= 0.95);
        }
    }

    /// 2,000 seeded draws of 25 from an exponential distribution, whose median is ln 2.
    #[test]
    fn coverage_is_what_it_says_on_a_skewed_distribution() {
        let mut state = 42_u64;
        let mut draw = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let uniform = ((state >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
            (-uniform.ln() * 1e9) as u64
        };
        let median = (std::f64::consts::LN_2 * 1e9) as u64;
        let held = (0..2_000)
            .filter(|_| {
                let mut samples: Vec<u64> = (0..25).map(|_| draw()).collect();
                samples.sort_unstable();
                let Interval { low, high } = median_interval(&samples, 0.95).unwrap().interval;
                low <= median && median <= high
            })
            .count();
        // Expected 1,913; three standard deviations are 27.
        assert!((1_886..=1_940).contains(&held), "{held}");
    }
}
