//! Measuring: clocks, rounds, statistics and the figures of a weigh-in.
//!
//! This crate knows only closures and bytes: what is measured, and whether it was right, is the
//! caller's business. [`measure()`] runs tasks in interleaved rounds on a [`Clock`] and summarises each as a
//! [`Timing`]; [`stats`] holds the formulas; [`Weighing`] is the pure data that reports show.
//!
//! ```
//! use bantam_weigh::{FakeClock, Picos, Plan, Task, measure};
//!
//! let clock = FakeClock::new(Picos::NANOSECOND);
//! let tasks = vec![
//!     Task::new("quick", || clock.advance(Picos::from_nanos(20_000))),
//!     Task::new("slow", || clock.advance(Picos::from_nanos(90_000))),
//! ];
//! let timings = measure(tasks, &Plan::quick(), &clock, &mut |_| {});
//! assert_eq!(timings[0].median_ns, 20_000.0);
//! assert_eq!(timings[1].median_ns, 90_000.0);
//! ```

mod advice;
mod against;
pub mod budget;
mod clock;
mod costs;
mod each;
pub mod links;
mod measure;
mod messages;
mod picos;
mod plan;
mod ranking;
mod speed;
pub mod stats;
mod timing;
mod unit;
mod weighing;

pub use advice::{Advice, AdviceKind};
pub use against::{BETWEEN_RUNS, Change, Comparison, Doubt, RowChange, Verdict};
pub use clock::{Clock, FakeClock, MonotonicClock};
pub use costs::{Allocations, FieldCost, Memory};
pub use each::{
    CompressedEach, DictionaryCost, Each, MessageFigure, MessageSizes, MessageTime, MessageTimes, Packing, Quantile,
    Smallest, SmallestWith,
};
pub use links::{Best, Crossover, Link, NamedWay};
pub use measure::{Progress, Task, measure, shuffled};
pub use messages::{MessageTask, measure_messages};
pub use picos::Picos;
pub use plan::Plan;
pub use ranking::{Column, Place};
pub use speed::Speed;
pub use timing::Timing;
pub use unit::Unit;
pub use weighing::{Compressed, Environment, Fidelity, Input, Lane, Note, Row, SCHEMA_VERSION, Weighing};
