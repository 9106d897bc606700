//! Running tasks in interleaved rounds.

use crate::plan::share_out;
use crate::{Clock, Picos, Plan, Timing};

/// Something to be timed: a name and a closure that does it once, for the whole batch of records.
///
/// The closure is called through a pointer, so a run cannot be optimised into the next; what it computes should
/// go to a place that outlives it, or through [`std::hint::black_box`].
pub struct Task<'a> {
    /// What [`Progress`] calls it.
    pub name: String,
    run: Box<dyn FnMut() + 'a>,
}

impl<'a> Task<'a> {
    /// A task of that name.
    pub fn new(name: impl Into<String>, run: impl FnMut() + 'a) -> Self {
        Self { name: name.into(), run: Box::new(run) }
    }

    /// The time of `iterations` runs, together.
    fn sample(&mut self, iterations: u64, clock: &dyn Clock) -> Picos {
        let start = clock.now();
        for _ in 0..iterations {
            (self.run)();
        }
        clock.now() - start
    }
}

impl std::fmt::Debug for Task<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Task").field("name", &self.name).finish_non_exhaustive()
    }
}

/// How far a weigh-in has come; [`measure`] reports between samples, never within one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress<'a> {
    /// What a task of the caller's writes is about to be read back and compared, before anything is timed.
    Check {
        /// Its name.
        task: &'a str,
        /// How many are checked.
        done: usize,
        /// How many there are.
        of: usize,
    },
    /// A task is about to be warmed up.
    WarmUp {
        /// Its name.
        task: &'a str,
        /// How many tasks are warm.
        done: usize,
        /// How many tasks there are.
        of: usize,
    },
    /// A round is about to start.
    Round {
        /// How many rounds are done.
        done: u32,
        /// How many there will be, if the time is enough.
        of: u32,
    },
}

/// Times every task and returns their figures, in the order of the tasks.
///
/// - Each task is warmed up: first its number of runs in a sample is found, such that a sample lasts
///   [`Plan::precision_multiple`] times the clock's precision; then samples are taken and thrown away until two in
///   a row agree within 5 %, or its share of the warm-up time (a fifth of the budget) is used up.
/// - Then rounds. In a round each task gives one sample, in an order drawn anew for each round, from a fixed
///   seed: no task always follows the same one, and a disturbance hits all alike.
/// - All tasks are allowed the same time. A slow one sits out some rounds, evenly spread, rather
///   than taking time from the others; see [`Plan`].
/// - Nothing is dropped. A figure is the median of the samples, with its confidence interval
///   ([`stats::median_interval`](crate::stats::median_interval) at 95 %).
/// - A task so short that [`Plan::max_iterations`] of it do not make a sample is flagged
///   [`Timing::below_precision`].
pub fn measure(
    mut tasks: Vec<Task<'_>>,
    plan: &Plan,
    clock: &dyn Clock,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Vec<Timing> {
    let start = clock.now();
    let of = tasks.len();
    let share = plan.budget / 5 / of.max(1) as u64;
    let mut runs = Vec::with_capacity(of);
    for (done, task) in tasks.iter_mut().enumerate() {
        progress(Progress::WarmUp { task: &task.name, done, of });
        runs.push(warm_up(task, plan, clock, share));
    }

    let costs: Vec<Picos> = runs.iter().map(|run| run.cost).collect();
    let left = plan.budget - (clock.now() - start);
    let counts = share_out(plan, &costs, left);
    // What warm-up has left a task to give.
    let due: Vec<u32> = counts.iter().zip(&runs).map(|(count, run)| count - run.samples.len() as u32).collect();
    let rounds = due.iter().copied().max().unwrap_or(0);
    for round in 0..rounds {
        progress(Progress::Round { done: round, of: rounds });
        for index in shuffled(tasks.len(), round) {
            let run = &mut runs[index];
            // Estimates may have been too low: late tasks stop once they have the least.
            let least = counts[index].min(plan.min_rounds.max(1)) as usize;
            let late = run.samples.len() >= least && clock.now() - start > plan.budget;
            if takes_part(due[index], rounds, round) && !late {
                let sample = tasks[index].sample(run.iterations, clock);
                run.samples.push(sample);
            }
        }
    }
    let shortest = clock.precision() * plan.precision_multiple;
    runs.into_iter().map(|run| run.timing(shortest)).collect()
}

/// A task's samples and what a sample of it is.
#[derive(Debug)]
struct Run {
    iterations: u64,
    /// What a sample is expected to take.
    cost: Picos,
    /// The time of each sample: of all its iterations.
    samples: Vec<Picos>,
}

impl Run {
    fn timing(mut self, shortest: Picos) -> Timing {
        self.samples.sort_unstable();
        let times: Vec<u64> = self.samples.iter().map(|sample| (*sample / self.iterations).0).collect();
        let middle = self.samples[self.samples.len() / 2];
        Timing {
            iterations_per_round: self.iterations,
            below_precision: middle < shortest,
            // `share_out` gives every task one round at least, and being late does not take it away.
            ..Timing::of_sorted(&times).expect("a task has one sample at least")
        }
    }
}

/// Finds the number of runs that make a sample, and takes samples until they agree.
fn warm_up(task: &mut Task<'_>, plan: &Plan, clock: &dyn Clock, share: Picos) -> Run {
    let shortest = clock.precision() * plan.precision_multiple;
    let start = clock.now();
    let cold = task.sample(1, clock);
    if cold > share && cold >= shortest {
        let samples = if plan.warmed { vec![cold] } else { Vec::new() };
        return Run { iterations: 1, cost: cold, samples };
    }
    let (mut iterations, mut last) = (1, cold);
    for _ in 0..plan.warm_up_samples.max(1) {
        let next = lengthened(task, plan, clock, &mut iterations);
        let agree = last.max(next) - last.min(next) <= last.min(next) / 20;
        last = next;
        if agree || clock.now() - start > share {
            break;
        }
    }
    Run { iterations, cost: last, samples: Vec::new() }
}

/// A sample, of more iterations than before if those no longer make one long enough.
fn lengthened(task: &mut Task<'_>, plan: &Plan, clock: &dyn Clock, iterations: &mut u64) -> Picos {
    let shortest = clock.precision() * plan.precision_multiple;
    // Half as much again, so that a little luck does not make a sample too short.
    let aim = shortest + shortest / 2;
    let max = plan.max_iterations.max(1);
    loop {
        let time = task.sample(*iterations, clock);
        if time >= shortest || *iterations >= max {
            return time;
        }
        // By what is missing; by no more than eight, since a short reading is mostly error.
        let factor = if time.0 == 0 { 8 } else { aim.0.div_ceil(time.0).clamp(2, 8) };
        *iterations = iterations.saturating_mul(factor).min(max);
    }
}

/// Whether a task that gets `count` samples in `rounds` rounds gives one in this round: evenly spread.
pub(crate) fn takes_part(count: u32, rounds: u32, round: u32) -> bool {
    let upto = |round: u32| u64::from(round) * u64::from(count) / u64::from(rounds);
    upto(round + 1) > upto(round)
}

/// The numbers below `count` in an order drawn for this round, or for whatever else the number stands for (Fisher–Yates; the generator is
/// `SplitMix64`, Steele, Lea & Flood, OOPSLA 2014). The same in every run of the program.
pub fn shuffled(count: usize, round: u32) -> Vec<usize> {
    let mut state = u64::from(round).wrapping_mul(0xD1B5_4A32_D192_ED03);
    let mut random = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    };
    let mut order: Vec<usize> = (0..count).collect();
    for last in (1..count).rev() {
        order.swap(last, (random() % (last as u64 + 1)) as usize);
    }
    order
}

#[cfg(test)]
// The fake clock makes every figure exact.
#[allow(clippy::float_cmp)]
mod tests {
    use super::*;
    use crate::FakeClock;
    use std::cell::RefCell;

    const NS: Picos = Picos::NANOSECOND;

    fn plan() -> Plan {
        Plan { budget: Picos::SECOND, min_rounds: 5, max_rounds: 21, precision_multiple: 100, ..Plan::default() }
    }

    fn run(tasks: Vec<Task<'_>>, plan: &Plan, clock: &FakeClock) -> Vec<Timing> {
        measure(tasks, plan, clock, &mut |_| {})
    }

    #[test]
    fn steady_tasks_are_timed_exactly() {
        let clock = FakeClock::new(NS);
        let tasks = [1_000, 77, 250_000].map(|ns| Task::new("t", || ()).timed(&clock, ns));
        let timings = run(tasks.into(), &plan(), &clock);
        for (timing, ns) in timings.iter().zip([1_000.0, 77.0, 250_000.0]) {
            assert_eq!((timing.median_ns, timing.low_ns, timing.high_ns), (ns, ns, ns));
            assert_eq!(timing.rounds, 21);
            assert!(!timing.below_precision);
            assert!(timing.coverage >= 0.95);
        }
        // 100 × 1 ns is one sample's least; 77 ns need two runs for it.
        assert_eq!(timings.iter().map(|t| t.iterations_per_round).collect::<Vec<_>>(), [1, 2, 1]);
        assert!(run(Vec::new(), &plan(), &clock).is_empty());
    }

    impl<'a> Task<'a> {
        /// The same task, taking so long.
        fn timed(mut self, clock: &'a FakeClock, ns: u64) -> Self {
            self.run = Box::new(move || clock.advance(NS * ns));
            self
        }
    }

    #[test]
    fn the_median_and_its_interval_come_from_all_samples() {
        let clock = FakeClock::new(NS);
        // 1, 2, 3, … µs: warm-up takes some of the first, and nothing repeats.
        let mut next = 0;
        let task = Task::new("growing", || {
            next += 1;
            clock.advance(NS * (1_000 * next));
        });
        let plan = Plan { warm_up_samples: 2, ..plan() };
        let timing = run(vec![task], &plan, &clock).remove(0);
        // Samples 4 to 24: the median is the 11th of 21, the interval the 6th to the 16th.
        assert_eq!((timing.median_ns, timing.low_ns, timing.high_ns), (14_000.0, 9_000.0, 19_000.0));
        assert_eq!(timing.rounds, 21);
    }

    #[test]
    fn an_outlier_is_kept_and_does_no_harm() {
        let clock = FakeClock::new(NS);
        let mut count = 0;
        let task = Task::new("hiccup", || {
            count += 1;
            clock.advance(NS * if count % 10 == 0 { 1_000_000 } else { 1_000 });
        });
        let timing = run(vec![task], &plan(), &clock).remove(0);
        assert_eq!((timing.median_ns, timing.high_ns, timing.rounds), (1_000.0, 1_000.0, 21));
    }

    #[test]
    fn what_the_clock_cannot_see_is_flagged() {
        let clock = FakeClock::new(NS * 1_000);
        let plan = Plan { max_iterations: 64, ..plan() };
        let tasks = vec![
            Task::new("nothing", || ()),
            Task::new("tiny", || ()).timed(&clock, 7),
            Task::new("enough", || ()).timed(&clock, 5_000),
        ];
        let timings = run(tasks, &plan, &clock);
        assert!(timings[0].below_precision && timings[0].median_ns == 0.0);
        assert!(timings[1].below_precision && timings[1].iterations_per_round == 64);
        assert!(!timings[2].below_precision && timings[2].iterations_per_round == 32);
    }

    #[test]
    fn rounds_are_interleaved_and_no_task_always_follows_the_same() {
        let clock = FakeClock::new(NS);
        let log = RefCell::new(Vec::new());
        let tasks = (0..5)
            .map(|index| {
                let (clock, log) = (&clock, &log);
                Task::new(index.to_string(), move || {
                    log.borrow_mut().push(index);
                    clock.advance(NS * 1_000);
                })
            })
            .collect();
        run(tasks, &plan(), &clock);
        let log = log.into_inner();
        let measured = &log[log.len() - 5 * 21..];
        let mut followers = std::collections::BTreeSet::new();
        for round in measured.chunks(5) {
            let mut sorted = round.to_vec();
            sorted.sort_unstable();
            assert_eq!(sorted, [0, 1, 2, 3, 4], "every task once a round");
            followers.extend(round.windows(2).map(|pair| (pair[0], pair[1])));
        }
        assert_eq!(followers.len(), 5 * 4, "every task has followed every other");
    }

    #[test]
    fn a_slow_task_does_not_eat_the_time_of_the_others() {
        let clock = FakeClock::new(NS);
        let tasks = vec![
            Task::new("fast", || ()).timed(&clock, 100_000),
            Task::new("slow", || ()).timed(&clock, 60_000_000),
            Task::new("fast too", || ()).timed(&clock, 200_000),
        ];
        let plan = Plan { max_rounds: 101, ..plan() };
        let timings = run(tasks, &plan, &clock);
        let rounds: Vec<u32> = timings.iter().map(|timing| timing.rounds).collect();
        assert_eq!((rounds[0], rounds[2]), (101, 101));
        assert!((5..=15).contains(&rounds[1]), "{rounds:?}");
        assert!(clock.now() <= plan.budget, "{}", clock.now());
        assert_eq!(timings[1].median_ns, 60_000_000.0);
    }

    #[test]
    fn the_budget_holds_when_a_task_grows_slow_later() {
        let clock = FakeClock::new(NS);
        let mut count = 0;
        let task = Task::new("slows down", || {
            count += 1;
            clock.advance(if count < 10 { NS * 1_000 } else { Picos::MILLISECOND * 150 });
        });
        let timings = run(vec![task, Task::new("other", || ()).timed(&clock, 1_000)], &plan(), &clock);
        assert!(clock.now() < Picos::MILLISECOND * 1_200, "{}", clock.now());
        assert!(timings.iter().all(|timing| timing.rounds >= 5));
    }

    #[test]
    fn too_slow_for_the_budget_still_gives_one_sample_of_each() {
        let clock = FakeClock::new(NS);
        let tasks = || (0..3).map(|_| Task::new("slow", || ()).timed(&clock, 2_000_000_000)).collect();
        for (warmed, runs) in [(false, 6), (true, 3)] {
            let start = clock.now();
            let timings = run(tasks(), &Plan { warmed, ..plan() }, &clock);
            assert_eq!(clock.now() - start, Picos::SECOND * 2 * runs);
            assert!(timings.iter().all(|timing| timing.median_ns == 2e9));
        }
    }

    #[test]
    fn progress_counts_up() {
        let clock = FakeClock::new(NS);
        let mut seen = Vec::new();
        let tasks = vec![Task::new("a", || ()).timed(&clock, 1_000), Task::new("b", || ()).timed(&clock, 1_000)];
        let plan = Plan { max_rounds: 2, min_rounds: 2, ..plan() };
        measure(tasks, &plan, &clock, &mut |progress| seen.push(format!("{progress:?}")));
        assert_eq!(
            seen,
            [
                "WarmUp { task: \"a\", done: 0, of: 2 }",
                "WarmUp { task: \"b\", done: 1, of: 2 }",
                "Round { done: 0, of: 2 }",
                "Round { done: 1, of: 2 }",
            ]
        );
    }
}
