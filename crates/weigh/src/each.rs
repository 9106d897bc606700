//! Every message by itself, as on a queue: pure data, and what follows from it.

use serde::{Deserialize, Serialize};

use crate::stats::{self, Interval};
use crate::{Lane, Row, Weighing};

/// A row's messages, each by itself. Times are of one message, not of the batch.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Each {
    /// `bytes`: the sizes of all messages; their total is the row's `bytes`.
    pub bytes: MessageSizes,
    /// `encode`: a record to the bytes of its message.
    pub encode: Option<MessageTimes>,
    /// `decode`: and back.
    pub decode: Option<MessageTimes>,
    /// `training_messages`: how many messages dictionaries were trained on; none of them is among those of `test`.
    pub training_messages: u64,
    /// `training_bytes`: the bytes of these.
    pub training_bytes: u64,
    /// `test`: the sizes, uncompressed, of the messages that `compressed` is about.
    pub test: MessageSizes,
    /// `compressed`: the test messages under each compressor, one by one; with a dictionary right behind without one.
    pub compressed: Vec<CompressedEach>,
    /// `no_dictionary`: why no dictionary was trained; `null` where one was.
    pub no_dictionary: Option<String>,
}

/// The sizes of some messages, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct MessageSizes {
    /// `messages`: how many there are.
    pub messages: u64,
    /// `total`: the sum of their sizes.
    pub total: u64,
    /// `min`: the smallest.
    pub min: u64,
    /// `median`: the median ([`stats::median`]).
    pub median: u64,
    /// `p99`: the 99th percentile ([`stats::quantile`]).
    pub p99: u64,
    /// `max`: the largest.
    pub max: u64,
}

/// How long one message takes, in nanoseconds, over messages that were each timed by themselves.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct MessageTimes {
    /// `messages`: how many were timed, drawn from all. Of fewer than 100, `p99` is the slowest.
    pub messages: u64,
    /// `rounds`: how often each was timed; its time is the median of the rounds.
    pub rounds: u32,
    /// `median`: half of the messages take no longer.
    pub median: MessageTime,
    /// `p99`: 99 of 100 messages take no longer.
    pub p99: MessageTime,
    /// `below_precision`: the clock cannot tell: the times lie between 0 and about `high_ns`.
    pub below_precision: bool,
}

/// A time with what it may be off by.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct MessageTime {
    /// `ns`: the time of one message, in nanoseconds.
    pub ns: f64,
    /// `low_ns`: the same of the lower ends of the messages' confidence intervals.
    pub low_ns: f64,
    /// `high_ns`: the same of their upper ends.
    pub high_ns: f64,
}

/// The test messages under one compressor, each compressed by itself.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CompressedEach {
    /// `compressor`: a name from the table of compressors.
    pub compressor: String,
    /// `level`: its level; `null` when it has none.
    pub level: Option<i32>,
    /// `dictionary`: the trained dictionary that both sides know; `null` without one.
    pub dictionary: Option<DictionaryCost>,
    /// `bytes`: the sizes of the compressed messages, without the dictionary.
    pub bytes: MessageSizes,
    /// `compress`: a message to these.
    pub compress: Option<MessageTimes>,
    /// `decompress`: and back.
    pub decompress: Option<MessageTimes>,
}

/// A trained dictionary, and from how many messages on it pays.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct DictionaryCost {
    /// `bytes`: its size.
    pub bytes: u64,
    /// `bytes_per_message`: a compressed message with its part of the dictionary, which is sent once for all test messages.
    pub bytes_per_message: f64,
    /// `pays_from`: the least number of messages for which dictionary and messages together are smaller than the messages
    /// under the same compressor without it; `null` if that never comes.
    pub pays_from: Option<u64>,
    /// `pays_from_uncompressed`: the same against messages that are not compressed at all.
    pub pays_from_uncompressed: Option<u64>,
}

impl MessageSizes {
    /// The summary of so many sizes; all zero without any.
    pub fn of(mut sizes: Vec<u64>) -> Self {
        sizes.sort_unstable();
        let (Some(&min), Some(&max)) = (sizes.first(), sizes.last()) else { return Self::default() };
        Self {
            messages: sizes.len() as u64,
            total: sizes.iter().sum(),
            min,
            median: stats::median(&sizes).unwrap_or_default(),
            p99: stats::quantile(&sizes, 99, 100).unwrap_or_default(),
            max,
        }
    }

    /// The mean size; `None` without messages.
    pub fn mean(&self) -> Option<f64> {
        (self.messages > 0).then(|| self.total as f64 / self.messages as f64)
    }
}

impl MessageTimes {
    /// The interval that comparisons go by, as of a [`Timing`](crate::Timing).
    pub fn interval(&self, quantile: Quantile) -> Interval<f64> {
        let time = self.at(quantile);
        let factor = if self.rounds < 2 { 4.0 } else { 1.0 };
        Interval { low: if self.below_precision { 0.0 } else { time.low_ns / factor }, high: time.high_ns * factor }
    }

    /// The median or the 99th percentile.
    pub fn at(&self, quantile: Quantile) -> MessageTime {
        match quantile {
            Quantile::Median => self.median,
            Quantile::P99 => self.p99,
        }
    }
}

impl DictionaryCost {
    /// What a dictionary of so many bytes costs, when the same messages have these sizes with it, without it, and uncompressed.
    pub fn of(bytes: u64, with: &MessageSizes, without: Option<&MessageSizes>, uncompressed: &MessageSizes) -> Self {
        Self {
            bytes,
            bytes_per_message: (bytes + with.total) as f64 / with.messages.max(1) as f64,
            pays_from: without.and_then(|without| pays_from(bytes, with, without)),
            pays_from_uncompressed: pays_from(bytes, with, uncompressed),
        }
    }
}

/// The least N with d + N·w∕n < N·o∕n, for a dictionary of d bytes, and n messages of w bytes with it and o without it.
fn pays_from(dictionary: u64, with: &MessageSizes, without: &MessageSizes) -> Option<u64> {
    let saved = without.total.checked_sub(with.total).filter(|saved| *saved > 0)?;
    let least = u128::from(dictionary) * u128::from(with.messages) / u128::from(saved) + 1;
    u64::try_from(least).ok()
}

/// Which message of many a figure is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantile {
    /// The one in the middle.
    Median,
    /// The one that 99 of 100 do not exceed.
    P99,
}

impl MessageSizes {
    /// The median or the 99th percentile.
    pub fn at(&self, quantile: Quantile) -> u64 {
        match quantile {
            Quantile::Median => self.median,
            Quantile::P99 => self.p99,
        }
    }
}

/// A compressor as messages meet it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Packing<'a> {
    /// A name from the table of compressors.
    pub compressor: &'a str,
    /// Its level; `None` when it has none.
    pub level: Option<i32>,
    /// Whether it has a trained dictionary.
    pub dictionary: bool,
}

/// A figure of single messages that a row may have. Less is better in all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageFigure<'a> {
    /// The size.
    Bytes,
    /// The time to encode.
    Encode,
    /// The time to decode.
    Decode,
    /// The size under a compressor.
    CompressedBytes(Packing<'a>),
    /// The time to compress.
    Compress(Packing<'a>),
    /// The time to decompress.
    Decompress(Packing<'a>),
}

impl MessageFigure<'_> {
    /// The sizes of a row, for the figures that are sizes.
    pub fn sizes<'r>(&self, row: &'r Row) -> Option<&'r MessageSizes> {
        let each = row.each.as_ref()?;
        match *self {
            Self::Bytes => Some(&each.bytes),
            Self::CompressedBytes(packing) => Some(&each.under(packing)?.bytes),
            _ => None,
        }
    }

    /// The times of a row, for the figures that are times.
    pub fn times<'r>(&self, row: &'r Row) -> Option<&'r MessageTimes> {
        let each = row.each.as_ref()?;
        match *self {
            Self::Bytes | Self::CompressedBytes(_) => None,
            Self::Encode => each.encode.as_ref(),
            Self::Decode => each.decode.as_ref(),
            Self::Compress(packing) => each.under(packing)?.compress.as_ref(),
            Self::Decompress(packing) => each.under(packing)?.decompress.as_ref(),
        }
    }

    /// The figure and what it may be off by; sizes are exact.
    pub(crate) fn known(&self, row: &Row, quantile: Quantile) -> Option<(f64, Interval<f64>)> {
        let size = |bytes: u64| (bytes as f64, Interval { low: bytes as f64, high: bytes as f64 });
        let time = |times: &MessageTimes| (times.at(quantile).ns, times.interval(quantile));
        self.sizes(row).map(|sizes| size(sizes.at(quantile))).or_else(|| self.times(row).map(time))
    }
}

impl Each {
    /// The messages under that compressor.
    pub fn under(&self, packing: Packing<'_>) -> Option<&CompressedEach> {
        self.compressed.iter().find(|found| found.packing() == packing)
    }
}

impl CompressedEach {
    /// What tells it from the others.
    pub fn packing(&self) -> Packing<'_> {
        Packing { compressor: &self.compressor, level: self.level, dictionary: self.dictionary.is_some() }
    }
}

/// What is smallest where messages are sent one by one: without a dictionary, and with one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Smallest<'w> {
    /// The row, by its index in [`Weighing::rows`], and the compressor of those without a dictionary; `None` for messages as they are.
    pub alone: (usize, Option<&'w CompressedEach>),
    /// Its bytes of a message on average, over the test messages.
    pub bytes: f64,
    /// What is smaller when there are enough messages.
    pub with_dictionary: Option<SmallestWith<'w>>,
}

/// What is smallest where a dictionary costs next to nothing, and from when on that is so.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SmallestWith<'w> {
    /// The row, by its index in [`Weighing::rows`].
    pub row: usize,
    /// The compressor with its dictionary.
    pub compressed: &'w CompressedEach,
    /// The bytes of a message on average, without the dictionary.
    pub bytes: f64,
    /// The least number of messages for which dictionary and messages are smaller than what is smallest without one.
    pub from: u64,
}

impl Weighing {
    /// The ways in which messages were compressed, in the order in which they first occur.
    pub fn packings(&self) -> Vec<Packing<'_>> {
        let mut found = Vec::new();
        for each in self.rows.iter().filter_map(|row| row.each.as_ref()) {
            for packing in each.compressed.iter().map(CompressedEach::packing) {
                if !found.contains(&packing) {
                    found.push(packing);
                }
            }
        }
        found
    }

    /// What takes the fewest bytes over the test messages among the ranked rows of a lane. Of equals, the first, and rather no
    /// compressor than one.
    pub fn smallest_messages(&self, lane: Lane) -> Option<Smallest<'_>> {
        let rows = self.rows.iter().enumerate().filter(|(_, row)| row.lane == lane && row.is_ranked());
        let rows = || rows.clone().filter_map(|(index, row)| Some((index, row.each.as_ref()?)));
        let alone = rows().flat_map(|(row, each)| {
            let under = each.compressed.iter().filter(|found| found.dictionary.is_none());
            std::iter::once((row, None, &each.test)).chain(under.map(move |found| (row, Some(found), &found.bytes)))
        });
        let (row, compressed, sizes) = alone.min_by_key(|(_, _, sizes)| sizes.total)?;
        let with = rows().flat_map(|(row, each)| each.compressed.iter().map(move |found| (row, found)));
        let with = with.filter_map(|(row, found)| Some((row, found, found.dictionary?.bytes)));
        let least = with.min_by_key(|(_, found, dictionary)| (found.bytes.total, *dictionary));
        let with_dictionary = least.and_then(|(row, compressed, dictionary)| {
            let (bytes, from) = (compressed.bytes.mean()?, pays_from(dictionary, &compressed.bytes, sizes)?);
            Some(SmallestWith { row, compressed, bytes, from })
        });
        Some(Smallest { alone: (row, compressed), bytes: sizes.mean()?, with_dictionary })
    }
}

#[cfg(test)]
// Whole numbers and halves are exact.
#[allow(clippy::float_cmp)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_summarised_exactly() {
        let sizes = MessageSizes::of((1..=200).rev().collect());
        let expected = MessageSizes { messages: 200, total: 20_100, min: 1, median: 100, p99: 198, max: 200 };
        assert_eq!(sizes, expected);
        assert_eq!(sizes.mean(), Some(100.5));
        assert_eq!(MessageSizes::of(vec![]), MessageSizes::default());
        assert_eq!(MessageSizes::default().mean(), None);
        let one = MessageSizes { messages: 1, total: 7, min: 7, median: 7, p99: 7, max: 7 };
        assert_eq!(MessageSizes::of(vec![7]), one);
    }

    fn sizes(messages: u64, total: u64) -> MessageSizes {
        MessageSizes { messages, total, ..Default::default() }
    }

    #[test]
    fn a_dictionary_pays_from_the_first_number_of_messages_that_makes_up_for_it() {
        // With it 10 bytes a message, without 30, plain 15: 100 bytes are saved after 5 messages, and after 20.
        let cost = DictionaryCost::of(100, &sizes(50, 500), Some(&sizes(50, 1_500)), &sizes(50, 750));
        assert_eq!((cost.bytes_per_message, cost.pays_from, cost.pays_from_uncompressed), (12.0, Some(6), Some(21)));
        for (n, pays) in [(5, false), (6, true)] {
            assert_eq!(100 + n * 10 < n * 30, pays);
        }
        // As large, or larger: never.
        let cost = DictionaryCost::of(100, &sizes(50, 500), Some(&sizes(50, 500)), &sizes(50, 499));
        assert_eq!((cost.pays_from, cost.pays_from_uncompressed), (None, None));
        // One byte less in all, and numbers at the edge.
        let cost = DictionaryCost::of(u64::MAX, &sizes(u64::MAX, 0), None, &sizes(u64::MAX, 1));
        assert_eq!((cost.pays_from, cost.pays_from_uncompressed), (None, None));
        assert_eq!(DictionaryCost::of(3, &sizes(2, 9), None, &sizes(2, 10)).pays_from_uncompressed, Some(7));
    }

    #[test]
    fn the_interval_opens_where_little_is_known() {
        let time = MessageTime { ns: 10.0, low_ns: 8.0, high_ns: 12.0 };
        let times = MessageTimes { messages: 5, rounds: 3, median: time, p99: time, below_precision: false };
        assert_eq!(times.interval(Quantile::Median), Interval { low: 8.0, high: 12.0 });
        assert_eq!(MessageTimes { rounds: 1, ..times }.interval(Quantile::P99), Interval { low: 2.0, high: 48.0 });
        let blurred = MessageTimes { below_precision: true, ..times };
        assert_eq!(blurred.interval(Quantile::P99), Interval { low: 0.0, high: 12.0 });
    }
}
