//! Who is ahead in one column of a weighing, and who cannot be told from whom.

use crate::stats::{Interval, tie_groups};
use crate::{Lane, MessageFigure, Quantile, Row, Timing, Weighing};

/// A figure that every row may have. Less is better in all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column<'a> {
    /// The row's bytes.
    Bytes,
    /// The time to encode.
    Encode,
    /// The time to decode.
    Decode,
    /// The time to do both.
    RoundTrip,
    /// The bytes under a compressor at a level.
    CompressedBytes(&'a str, Option<i32>),
    /// The time to compress.
    Compress(&'a str, Option<i32>),
    /// The time to decompress.
    Decompress(&'a str, Option<i32>),
    /// A figure of single messages, at the median or the 99th percentile.
    Message(MessageFigure<'a>, Quantile),
}

/// A row's place in a [`Column`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The row's index in [`Weighing::rows`].
    pub row: usize,
    /// Its group, counted from 1: rows of one group are tied.
    pub group: usize,
}

impl Column<'_> {
    /// The figure of a row, if it has it: bytes, or the median in nanoseconds.
    pub fn of(&self, row: &Row) -> Option<f64> {
        match *self {
            Self::Bytes => row.bytes.map(|bytes| bytes as f64),
            Self::CompressedBytes(name, level) => row.under(name, level).map(|found| found.bytes as f64),
            Self::Message(figure, quantile) => figure.known(row, quantile).map(|(figure, _)| figure),
            _ => self.timing(row).map(|timing| timing.median_ns),
        }
    }

    /// The timing of a row, for the columns that hold times.
    pub fn timing<'r>(&self, row: &'r Row) -> Option<&'r Timing> {
        match *self {
            Self::Bytes | Self::CompressedBytes(..) | Self::Message(..) => None,
            Self::Encode => row.encode.as_ref(),
            Self::Decode => row.decode.as_ref(),
            Self::RoundTrip => row.round_trip.as_ref(),
            Self::Compress(name, level) => row.under(name, level)?.compress.as_ref(),
            Self::Decompress(name, level) => row.under(name, level)?.decompress.as_ref(),
        }
    }

    /// Bytes are exact, times are known to an interval.
    fn interval(&self, row: &Row) -> Option<Interval<f64>> {
        if let Self::Message(figure, quantile) = self {
            return figure.known(row, *quantile).map(|(_, interval)| interval);
        }
        match self.timing(row) {
            Some(timing) => Some(timing.interval()),
            None => self.of(row).map(|value| Interval { low: value, high: value }),
        }
    }
}

impl Weighing {
    /// The rows of that lane that have the figure and are ranked, best first; rows whose intervals overlap that
    /// of their group's best are tied ([`tie_groups`]). Equal medians keep the order of the rows.
    pub fn ranking(&self, column: Column<'_>, lane: Lane) -> Vec<Place> {
        let mut found: Vec<(usize, f64, Interval<f64>)> = self
            .rows
            .iter()
            .enumerate()
            .filter(|(_, row)| row.lane == lane && row.is_ranked())
            .filter_map(|(index, row)| Some((index, column.of(row)?, column.interval(row)?)))
            .collect();
        found.sort_by(|a, b| a.1.total_cmp(&b.1));
        let intervals: Vec<Interval<f64>> = found.iter().map(|row| row.2).collect();
        let groups = tie_groups(&intervals);
        found.iter().zip(groups).map(|((row, ..), group)| Place { row: *row, group: group + 1 }).collect()
    }

    /// The rows that are best in that column, or cannot be told from the best; by index, best first.
    pub fn winners(&self, column: Column<'_>, lane: Lane) -> Vec<usize> {
        let places = self.ranking(column, lane);
        places.iter().filter(|place| place.group == 1).map(|place| place.row).collect()
    }
}
