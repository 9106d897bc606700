//! Pairs of tasks, their ratios, and the aims that these have.

use bantam_weigh::{MonotonicClock, Picos, Plan, Task, measure};
use std::process::ExitCode;

/// One comparison.
struct Pair {
    name: String,
    records: usize,
    /// How many times as fast Bantam is to be; none for a pair that is only shown.
    aim: Option<f64>,
}

#[derive(Default)]
pub(crate) struct Pairs {
    /// Only pairs with this in their name; all if it is empty.
    only: String,
    pairs: Vec<Pair>,
    tasks: Vec<Task<'static>>,
}

impl Pairs {
    /// None yet; later only those with this in their name.
    pub(crate) fn only(part: String) -> Self {
        Self { only: part, ..Self::default() }
    }

    pub(crate) fn add(
        &mut self,
        name: String,
        records: usize,
        aim: Option<f64>,
        bantam: impl FnMut() + 'static,
        other: impl FnMut() + 'static,
    ) {
        if !name.contains(&self.only) {
            return;
        }
        self.tasks.push(Task::new(format!("{name}, bantam"), bantam));
        self.tasks.push(Task::new(format!("{name}, other"), other));
        self.pairs.push(Pair { name, records, aim });
    }

    /// Measures all, prints a line for each pair; fails if a ratio is below its aim.
    pub(crate) fn run(self) -> ExitCode {
        let plan = Plan { budget: Picos::SECOND * 20, min_rounds: 51, max_rounds: 301, ..Plan::default() };
        let timings = measure(self.tasks, &plan, &MonotonicClock::new(), &mut |_| {});
        println!("{:<46} {:>9} {:>9} {:>7} {:>6}", "ns a record, median", "bantam", "other", "ratio", "aim");
        let mut missed = 0;
        for (pair, times) in self.pairs.iter().zip(timings.chunks(2)) {
            let per_record = |at: usize| times[at].median_ns / pair.records as f64;
            let ratio = per_record(1) / per_record(0);
            let (aim, mark) = match pair.aim {
                Some(aim) if ratio < aim => (format!("{aim:.1}"), "  missed"),
                Some(aim) => (format!("{aim:.1}"), ""),
                None => (String::new(), ""),
            };
            missed += usize::from(!mark.is_empty());
            println!("{:<46} {:>9.1} {:>9.1} {ratio:>7.2} {aim:>6}{mark}", pair.name, per_record(0), per_record(1));
        }
        if missed > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
    }
}
