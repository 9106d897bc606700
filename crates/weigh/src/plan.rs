//! How long, and how often, to measure.

use crate::Picos;

/// What [`measure`](crate::measure()) aims at. Make one from [`Plan::default`] or [`Plan::quick`].
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Time for everything: warm-up and all rounds of all tasks together. Kept to as far as one warm-up run
    /// and one sample of every task allow.
    pub budget: Picos,
    /// Samples that every task gets, unless the budget is too small for it.
    pub min_rounds: u32,
    /// Samples at which a task has enough, however much of the budget is left.
    pub max_rounds: u32,
    /// How many times the clock's precision a sample must last. Tasks that are shorter are run
    /// several times in a sample. The reading of the clock adds one part in so many at most.
    pub precision_multiple: u64,
    /// Runs in a sample at most. A task that is still too short then is flagged, not guessed at.
    pub max_iterations: u64,
    /// Samples of warm-up at most, for each task; fewer when two in a row agree.
    pub warm_up_samples: u32,
    /// Whether the caller has run every task already, to check its output, say. Then the first run of
    /// a task that is too slow to be warmed up counts as its first sample.
    pub warmed: bool,
}

impl Default for Plan {
    /// For figures to rely on: 12 s, 5 to 101 rounds, samples of 10,000 times the precision (some 0.3 ms).
    fn default() -> Self {
        Self {
            budget: Picos::SECOND * 12,
            min_rounds: 5,
            max_rounds: 101,
            precision_multiple: 10_000,
            max_iterations: 1 << 20,
            warm_up_samples: 20,
            warmed: false,
        }
    }
}

impl Plan {
    /// For a first look: 1.5 s, 3 to 25 rounds, samples of 1,000 times the precision.
    pub fn quick() -> Self {
        Self {
            budget: Picos::MILLISECOND * 1_500,
            min_rounds: 3,
            max_rounds: 25,
            precision_multiple: 1_000,
            warm_up_samples: 4,
            ..Self::default()
        }
    }
}

/// How many samples each task gets, when one of task i costs `costs[i]` and all may cost `budget`.
///
/// Every task is allowed the same time, so a slow task gets fewer samples and cannot eat what others
/// need; what a fast one leaves, having [`Plan::max_rounds`], goes to the rest. All get
/// [`Plan::min_rounds`] first. If not even those fit, the slowest tasks get fewer, down to one.
pub(crate) fn share_out(plan: &Plan, costs: &[Picos], budget: Picos) -> Vec<u32> {
    let max = plan.max_rounds.max(1);
    let min = plan.min_rounds.clamp(1, max);
    let least: Picos = costs.iter().map(|cost| *cost * u64::from(min)).sum();
    let (from, to) = if least <= budget { (min, max) } else { (1, min) };
    let rounds = |allowance: Picos| -> Vec<u32> {
        let of = |cost: &Picos| {
            let fit = allowance.0 / cost.0.max(1);
            u32::try_from(fit).unwrap_or(u32::MAX).clamp(from, to)
        };
        costs.iter().map(of).collect()
    };
    let spent =
        |rounds: &[u32]| -> Picos { rounds.iter().zip(costs).map(|(count, cost)| *cost * u64::from(*count)).sum() };
    // The largest allowance a task whose spending fits, by halving: spending grows with it.
    let (mut fits, mut too_much) = (0, budget.0.saturating_add(1));
    while too_much - fits > 1 {
        let middle = u64::midpoint(fits, too_much);
        if spent(&rounds(Picos(middle))) <= budget {
            fits = middle;
        } else {
            too_much = middle;
        }
    }
    let mut shared = rounds(Picos(fits));
    // The cheapest get their minimum even so, as long as that costs a fifth of the budget at most: without an
    // interval, nothing could be said of any of them.
    let mut cheapest: Vec<usize> = (0..costs.len()).collect();
    cheapest.sort_by_key(|&task| costs[task]);
    let mut left = budget.0 / 5;
    for task in cheapest {
        let cost = costs[task].0.saturating_mul(u64::from(min));
        if cost > left {
            break;
        }
        left -= cost;
        shared[task] = shared[task].max(min);
    }
    shared
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shared(budget: u64, costs: &[u64]) -> Vec<u32> {
        let plan = Plan { min_rounds: 5, max_rounds: 100, ..Plan::default() };
        let costs: Vec<Picos> = costs.iter().map(|cost| Picos(*cost)).collect();
        share_out(&plan, &costs, Picos(budget))
    }

    #[test]
    fn rounds_are_shared_by_time() {
        // All have enough.
        assert_eq!(shared(1_000_000, &[1, 10, 100]), [100, 100, 100]);
        // The slow one does not slow the others, and gets what they leave.
        assert_eq!(shared(10_000, &[1, 10, 1_000]), [100, 100, 8]);
        // Equals share equally.
        assert_eq!(shared(2_000, &[10, 10]), [100, 100]);
        assert_eq!(shared(1_000, &[10, 10]), [50, 50]);
        // The least that everyone gets, paid by those that have more.
        assert_eq!(shared(6_000, &[10, 1_000]), [100, 5]);
        assert_eq!(shared(5_500, &[10, 1_000]), [50, 5]);
        // Not enough for five: the slowest go down to one, and no further.
        // But for the cheapest.
        assert_eq!(shared(1_000, &[10, 100, 1_000]), [5, 1, 1]);
        assert_eq!(shared(1_600, &[10, 100, 1_000]), [5, 5, 1]);
        assert_eq!(shared(0, &[10, 1_000]), [1, 1]);
        // Tasks that take no time at all, and none.
        assert_eq!(shared(0, &[0, 0]), [5, 5]);
        assert_eq!(shared(100, &[]), [0; 0]);
    }
}
