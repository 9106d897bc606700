//! Timing single messages, each by itself.
//!
//! One message takes some ten nanoseconds to some ten microseconds, and a reading of the clock may be off by thirty nanoseconds: a single
//! run of a single message cannot be timed. Runs over all messages would give their mean only, and hide the slow ones. So
//! each message is run several times in a row, until that lasts [`Plan::precision_multiple`] times the precision, in rounds
//! that go through all messages of a task, task after task in an order of their own. A message's time is the median of its rounds.
//! Then median and 99th percentile are taken *over the messages*. Taking the rounds' median first keeps what disturbs the
//! machine out of the tail: what remains slow is a slow message.
//!
//! What this cannot tell is the first run of a message: caches and branch predictors know it from the run before. Who reads the
//! figures has to be told so.

use crate::measure::{shuffled, takes_part};
use crate::plan::share_out;
use crate::stats::{self, Interval};
use crate::{Clock, MessageTime, MessageTimes, Picos, Plan, Progress, Timing};

/// Something to be timed message by message.
pub struct MessageTask<'a> {
    /// What [`Progress`] calls it.
    pub name: String,
    messages: usize,
    run: Box<dyn FnMut(usize) + 'a>,
}

impl<'a> MessageTask<'a> {
    /// A task of that name over so many messages; the closure does one message, by number, once. The messages should be in an
    /// order drawn at random: of a task that is too slow for all of them, only the first are timed.
    pub fn new(name: impl Into<String>, messages: usize, run: impl FnMut(usize) + 'a) -> Self {
        Self { name: name.into(), messages, run: Box::new(run) }
    }

    /// The time of `iterations` runs of one message, together.
    fn sample(&mut self, message: usize, iterations: u64, clock: &dyn Clock) -> Picos {
        let start = clock.now();
        for _ in 0..iterations {
            (self.run)(message);
        }
        clock.now() - start
    }
}

impl std::fmt::Debug for MessageTask<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MessageTask")
            .field("name", &self.name)
            .field("messages", &self.messages)
            .finish_non_exhaustive()
    }
}

/// Times every message of every task and returns the figures in the order of the tasks; `None` for a task without messages.
///
/// A fifth of the budget goes into warming up, in which the number of runs in a sample is found for each message. A task for which its
/// share of that is not enough keeps the messages that it came to, at least one. The rest of the budget is for rounds,
/// shared out as [`measure`](crate::measure()) does.
pub fn measure_messages(
    mut tasks: Vec<MessageTask<'_>>,
    plan: &Plan,
    clock: &dyn Clock,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Vec<Option<MessageTimes>> {
    let start = clock.now();
    let of = tasks.len();
    let mut runs = Vec::with_capacity(of);
    for (done, task) in tasks.iter_mut().enumerate() {
        progress(Progress::WarmUp { task: &task.name, done, of });
        // What the tasks before have left is for those that follow.
        let left = (plan.budget / 5).0.saturating_sub((clock.now() - start).0);
        runs.push(warm_up(task, plan, clock, Picos(left) / (of - done) as u64));
    }
    let costs: Vec<Picos> = runs.iter().map(Run::cost).collect();
    let left = Picos(plan.budget.0.saturating_sub((clock.now() - start).0));
    let due = share_out(plan, &costs, left);
    let rounds = due.iter().copied().max().unwrap_or(0);
    for round in 0..rounds {
        progress(Progress::Round { done: round, of: rounds });
        for index in shuffled(tasks.len(), round) {
            let run = &mut runs[index];
            let late = run.rounds > 0 && clock.now() - start > plan.budget;
            if takes_part(due[index], rounds, round) && !late {
                run.round(&mut tasks[index], clock);
            }
        }
    }
    let shortest = clock.precision() * plan.precision_multiple;
    runs.into_iter().map(|run| run.times(shortest)).collect()
}

/// A task's messages and what was measured of them.
#[derive(Debug, Default)]
struct Run {
    messages: Vec<Message>,
    rounds: u32,
}

#[derive(Debug)]
struct Message {
    /// Runs in a sample.
    iterations: u64,
    /// What a sample is expected to take.
    cost: Picos,
    /// The time of each sample: of all its runs.
    samples: Vec<Picos>,
}

impl Run {
    fn round(&mut self, task: &mut MessageTask<'_>, clock: &dyn Clock) {
        for (at, message) in self.messages.iter_mut().enumerate() {
            message.samples.push(task.sample(at, message.iterations, clock));
        }
        self.rounds += 1;
    }

    /// Whether a warm-up that has come to here took its share. That of a task that only was disturbed goes on for a while: by what its
    /// messages mostly cost, it has time left.
    fn is_over(&self, elapsed: Picos, share: Picos) -> bool {
        elapsed > share * 4 || (elapsed > share && self.usual_cost() > share / 2)
    }

    /// What all messages cost if they cost what the middle one does.
    fn usual_cost(&self) -> Picos {
        let mut costs: Vec<u64> = self.messages.iter().map(|message| message.cost.0).collect();
        costs.sort_unstable();
        Picos(stats::median(&costs).unwrap_or_default()) * costs.len() as u64
    }

    /// What a round is expected to take: the sum, unless that is far beyond what is usual, which a disturbance of the warm-up makes
    /// it. Should it be true nevertheless, the task stops when the budget is used up.
    fn cost(&self) -> Picos {
        let sum = self.messages.iter().map(|message| message.cost).sum::<Picos>();
        sum.min(self.usual_cost() * 4)
    }

    fn times(self, shortest: Picos) -> Option<MessageTimes> {
        let mut middles = Vec::with_capacity(self.messages.len());
        let mut figures = [const { Vec::new() }; 3];
        for message in self.messages {
            let mut samples: Vec<u64> = message.samples.iter().map(|sample| sample.0).collect();
            samples.sort_unstable();
            middles.push(stats::median(&samples)?);
            let times: Vec<u64> = samples.iter().map(|sample| sample / message.iterations).collect();
            let Interval { low, high } = stats::median_interval(&times, Timing::LEVEL)?.interval;
            for (figures, time) in figures.iter_mut().zip([stats::median(&times)?, low, high]) {
                figures.push(time);
            }
        }
        middles.sort_unstable();
        for times in &mut figures {
            times.sort_unstable();
        }
        // Each message's figure lies in its interval; so do, sorted, all of them, and what is taken from their order.
        let of = |take: &dyn Fn(&[u64]) -> Option<u64>| {
            let [ns, low_ns, high_ns] = [take(&figures[0])?, take(&figures[1])?, take(&figures[2])?];
            let nanos = |picos: u64| Picos(picos).as_nanos();
            Some(MessageTime { ns: nanos(ns), low_ns: nanos(low_ns), high_ns: nanos(high_ns) })
        };
        Some(MessageTimes {
            messages: middles.len() as u64,
            rounds: self.rounds,
            median: of(&stats::median)?,
            p99: of(&|sorted| stats::quantile(sorted, 99, 100))?,
            below_precision: Picos(stats::median(&middles)?) < shortest,
        })
    }
}

/// Runs one message after another until all have a sample that is long enough, or the time is up.
fn warm_up(task: &mut MessageTask<'_>, plan: &Plan, clock: &dyn Clock, share: Picos) -> Run {
    let start = clock.now();
    let shortest = clock.precision() * plan.precision_multiple;
    let mut run = Run::default();
    let mut iterations = 1;
    for message in 0..task.messages {
        if message > 0 && run.is_over(clock.now() - start, share) {
            break;
        }
        // Messages are alike: what was enough for the last one is where to start, or half of it if it was too much.
        let mut cost = task.sample(message, iterations, clock);
        while cost > shortest * 4 && iterations > 1 {
            iterations = iterations.div_ceil(2);
            cost = task.sample(message, iterations, clock);
        }
        while cost < shortest && iterations < plan.max_iterations.max(1) {
            let aim = shortest + shortest / 2;
            let factor = if cost.0 == 0 { 8 } else { aim.0.div_ceil(cost.0).clamp(2, 8) };
            iterations = iterations.saturating_mul(factor).min(plan.max_iterations.max(1));
            cost = task.sample(message, iterations, clock);
        }
        run.messages.push(Message { iterations, cost, samples: Vec::new() });
    }
    run
}

#[cfg(test)]
// The fake clock makes every figure exact.
#[allow(clippy::float_cmp)]
mod tests {
    use super::*;
    use crate::FakeClock;
    use std::cell::{Cell, RefCell};

    const NS: Picos = Picos::NANOSECOND;

    fn plan() -> Plan {
        Plan { budget: Picos::SECOND, min_rounds: 3, max_rounds: 11, precision_multiple: 100, ..Plan::default() }
    }

    fn run(tasks: Vec<MessageTask<'_>>, plan: &Plan, clock: &FakeClock) -> Vec<Option<MessageTimes>> {
        measure_messages(tasks, plan, clock, &mut |_| {})
    }

    fn steady(ns: f64) -> MessageTime {
        MessageTime { ns, low_ns: ns, high_ns: ns }
    }

    #[test]
    fn quantiles_are_taken_over_the_messages() {
        let clock = FakeClock::new(NS);
        // Messages of 1 to 200 ns.
        let task = MessageTask::new("t", 200, |message| clock.advance(NS * (message as u64 + 1)));
        let times = run(vec![task], &plan(), &clock).remove(0).unwrap();
        assert_eq!((times.messages, times.rounds, times.below_precision), (200, 11, false));
        assert_eq!((times.median, times.p99), (steady(100.5), steady(198.0)));
    }

    #[test]
    fn a_disturbance_is_no_slow_message() {
        let clock = FakeClock::new(NS);
        let count = Cell::new(0);
        let task = MessageTask::new("t", 500, |message| {
            count.set(count.get() + 1);
            let slow = if message == 7 { 900 } else { 200 };
            // Every fifty-third run something else has the processor.
            clock.advance(NS * if count.get() % 53 == 0 { 100_000 } else { slow });
        });
        let times = run(vec![task], &plan(), &clock).remove(0).unwrap();
        assert_eq!((times.median.ns, times.p99.ns), (200.0, 200.0));
    }

    #[test]
    fn slow_messages_are_the_tail() {
        let clock = FakeClock::new(NS);
        let task = MessageTask::new("t", 100, |message| clock.advance(NS * if message >= 98 { 5_000 } else { 300 }));
        let times = run(vec![task], &plan(), &clock).remove(0).unwrap();
        assert_eq!((times.median, times.p99), (steady(300.0), steady(5_000.0)));
    }

    #[test]
    fn the_interval_of_a_figure_is_that_of_its_messages() {
        let clock = FakeClock::new(NS);
        let calls = Cell::new(0_u64);
        // 101 ns at the first run and one more at every other: what warms up is the first.
        let task = MessageTask::new("t", 1, |_| {
            calls.set(calls.get() + 1);
            clock.advance(NS * (100 + calls.get()));
        });
        let times = run(vec![task], &plan(), &clock).remove(0).unwrap();
        // 102 to 112: the median is the sixth of eleven, the interval the second to the tenth.
        assert_eq!(times.median, MessageTime { ns: 107.0, low_ns: 103.0, high_ns: 111.0 });
        assert_eq!(times.p99, times.median);
    }

    #[test]
    fn what_the_clock_cannot_see_is_flagged() {
        let clock = FakeClock::new(NS * 1_000);
        let plan = Plan { max_iterations: 64, ..plan() };
        let tasks = vec![
            MessageTask::new("nothing", 3, |_| ()),
            MessageTask::new("enough", 3, |_| clock.advance(NS * 20_000)),
            MessageTask::new("none", 0, |_| panic!("there is no message")),
        ];
        let times = run(tasks, &plan, &clock);
        let nothing = times[0].unwrap();
        assert!(nothing.below_precision && nothing.median == steady(0.0));
        assert!(!times[1].unwrap().below_precision && times[1].unwrap().median == steady(20_000.0));
        assert_eq!(times[2], None);
    }

    #[test]
    fn a_slow_task_is_timed_on_fewer_messages_and_the_budget_holds() {
        let clock = FakeClock::new(NS);
        let tasks = vec![
            MessageTask::new("slow", 1_000, |_| clock.advance(Picos::MILLISECOND * 20)),
            MessageTask::new("fast", 1_000, |_| clock.advance(NS * 1_000)),
            MessageTask::new("far too slow", 50, |_| clock.advance(Picos::MILLISECOND * 100)),
        ];
        let plan = Plan { budget: Picos::SECOND * 4, ..plan() };
        let times: Vec<MessageTimes> = run(tasks, &plan, &clock).into_iter().flatten().collect();
        assert!((5..20).contains(&times[0].messages), "{times:?}");
        assert_eq!((times[1].messages, times[1].rounds), (1_000, 11));
        assert!((2..10).contains(&times[2].messages) && times[2].rounds >= 3, "{times:?}");
        assert_eq!((times[0].median.ns, times[2].p99.ns), (2e7, 1e8));
        assert!(clock.now() <= plan.budget, "{}", clock.now());
    }

    #[test]
    fn a_disturbance_does_not_end_the_warm_up() {
        let clock = FakeClock::new(NS);
        let count = Cell::new(0);
        let task = MessageTask::new("t", 1_000, |_| {
            count.set(count.get() + 1);
            // The third run takes more than all of the share.
            clock.advance(if count.get() == 3 { Picos::MILLISECOND * 250 } else { NS * 1_000 });
        });
        let times = run(vec![task], &plan(), &clock).remove(0).unwrap();
        assert_eq!((times.messages, times.rounds, times.p99), (1_000, 11, steady(1_000.0)));
    }

    #[test]
    fn every_round_goes_through_the_messages_of_a_task_in_order() {
        let clock = FakeClock::new(NS);
        let log = RefCell::new(Vec::new());
        let task = |name: char| {
            let (clock, log) = (&clock, &log);
            MessageTask::new(name.to_string(), 3, move |message| {
                log.borrow_mut().push((name, message));
                clock.advance(NS * 1_000);
            })
        };
        run(vec![task('a'), task('b')], &plan(), &clock);
        let log = log.into_inner();
        let rounds = &log[log.len() - 11 * 6..];
        for part in rounds.chunks(3) {
            assert_eq!(part.iter().map(|(_, message)| *message).collect::<Vec<_>>(), [0, 1, 2]);
        }
        let firsts: std::collections::BTreeSet<char> = rounds.chunks(6).map(|round| round[0].0).collect();
        assert_eq!(firsts.len(), 2, "no task is always the first");
    }
}
