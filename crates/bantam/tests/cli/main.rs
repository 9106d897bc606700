//! The command line, run as users run it.

mod archive;
mod bad_input;
mod command;
mod convert;
mod each;
mod folder;
mod framing;
mod held;
mod infer;
mod listings;
mod native;
mod quakes;
mod real_data;
mod weigh;
