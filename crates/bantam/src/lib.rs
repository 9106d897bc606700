//! Bantam makes structured data smaller and faster, and proves it on your own data.
//!
//! This crate is the face of the workspace: what the command line does, as functions that print nothing, read
//! no environment and never exit. The parts lie in crates of their own and are re-exported here.
//!
//! ```
//! use bantam::{Dataset, Input, Request, Selection};
//! use bantam::weigh::{MonotonicClock, Plan};
//!
//! let input = Input::new("hosts.json", br#"[{"name":"a","port":80},{"name":"b","port":443}]"#.to_vec())?;
//! let dataset = Dataset::read(&input, &Request::default())?;
//! let (plan, clock) = (Plan { max_iterations: 1, ..Plan::quick() }, MonotonicClock::new());
//! let weighing = bantam::weigh_in(&dataset, &Selection::default(), &plan, &clock, &mut |_| {})?;
//! let protobuf = weighing.rows.iter().find(|row| row.format == "protobuf").unwrap();
//! assert_eq!(protobuf.bytes, Some(15));
//! # Ok::<(), bantam::model::Error>(())
//! ```

pub use bantam_compress as compress;
pub use bantam_formats as formats;
pub use bantam_model as model;
pub use bantam_native as native;
pub use bantam_quake as quake;
pub use bantam_report as report;
pub use bantam_sample as sample;
pub use bantam_weigh as weigh;

pub mod archive;
mod contest;
mod convert;
mod dataset;
mod detect;
mod each;
mod fields;
mod inference;
mod input;
mod kept;
mod note;
pub mod output;
mod schemas;
mod selection;
mod session;
mod table;

pub use contest::weigh_in;
pub use convert::{Conversion, Target};
pub use dataset::{Dataset, Request};
pub use detect::{by_extension, detect};
pub use each::EachOptions;
pub use inference::infer;
pub use input::Input;
pub use note::Note;
pub use schemas::Schemas;
pub use selection::Selection;
pub use session::{Converted, Job, Session};
pub use table::{all_formats, find_format};

/// The examples of the README, which are tested with those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
