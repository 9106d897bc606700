//! What the seeds of an inference share: limits, the record, and the error on its way out.

use crate::error::{Error, ErrorKind, Result};
use crate::limits::Limits;
use serde::de;
use std::fmt;

/// Fields of one message. Numbers stay within Thrift's 16 bits and below 19,000, where Protocol Buffers
/// reserve a range.
const MOST_FIELDS: usize = 18_999;
/// Fields of all messages together: what an inference may remember.
const MOST_PLACES: u64 = 1 << 18;

/// What the seeds share.
#[derive(Debug)]
pub(super) struct Context {
    pub(super) limits: Limits,
    /// The record being read.
    pub(super) record: u64,
    depth: u32,
    /// Fields of all messages.
    places: u64,
    /// The error of ours that a deserializer's error stands for, with its kind and path.
    failed: Option<Error>,
}

impl Context {
    pub(super) fn new(limits: Limits) -> Self {
        Self { limits, record: 0, depth: 0, places: 0, failed: None }
    }

    /// Before a record.
    pub(super) fn start(&mut self) {
        self.depth = 0;
        self.failed = None;
    }

    /// After a record or list: our own error if there is one, else the deserializer's.
    pub(super) fn finish<T, E: fmt::Display>(&mut self, result: Result<T, E>) -> Result<T> {
        result.map_err(|error| {
            let own = self.take_failure();
            own.unwrap_or_else(|| Error::new(ErrorKind::Syntax, error.to_string()).in_record(self.record as usize))
        })
    }

    /// Our own error behind a deserializer's.
    pub(super) fn take_failure(&mut self) -> Option<Error> {
        self.failed.take().map(|error| error.in_record(self.record as usize))
    }

    /// Passes an error of ours through a deserializer.
    #[cold]
    pub(super) fn fail<E: de::Error>(&mut self, error: Error) -> E {
        let passed = E::custom(&error);
        self.failed = Some(error);
        passed
    }

    #[cold]
    pub(super) fn locate(&mut self, locate: impl FnOnce(Error) -> Error) {
        self.failed = self.failed.take().map(locate);
    }

    /// Goes into a message.
    pub(super) fn enter(&mut self) -> Result<()> {
        self.depth += 1;
        self.limits.check_depth(self.depth)
    }

    /// Comes out of a message.
    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Counts fields less, as their objects proved to be dictionaries.
    pub(super) fn shrink(&mut self, fields: u64) {
        self.places = self.places.saturating_sub(fields);
    }

    /// Counts a new field of a message that now has so many.
    pub(super) fn grow(&mut self, fields: usize) -> Result<()> {
        self.places += 1;
        let (what, most) = match (fields > MOST_FIELDS, self.places > MOST_PLACES) {
            (true, _) => ("fields in one message", MOST_FIELDS as u64),
            (_, true) => ("fields in all messages", MOST_PLACES),
            _ => return Ok(()),
        };
        let what = format!(
            "more than {most} {what}: the keys seem to be data, but the values are not alike, or these are the records"
        );
        Err(Error::new(ErrorKind::Limit, what))
    }
}
