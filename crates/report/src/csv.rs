//! `csv`: one line for each row and compressor (RFC 4180, but with LF).
//!
//! The columns, in this order:
//!
//! - `format`, `codec`, `lane`, `framing`, `source` (true or false), `fidelity`, `profile` (parts joined by
//!   "; "), `reason`: as in the JSON document;
//! - `records`: how many the batch holds; `bytes`: the row's size; `ratio`: that, as a part of the source's;
//! - for each of `encode`, `decode`, `round_trip`: `_median_ns`, `_low_ns`, `_high_ns` (nanoseconds for the whole
//!   batch), `_rounds`, `_below_precision`;
//! - `compressor`, `level`, `compressed_bytes`, `compressed_ratio`, and the same five for `compress` and
//!   `decompress`;
//! - `allocator`, `adapter`, `floor`: as in the JSON document;
//! - for each of `first_encode`, `encode`, `first_decode`, `decode`: `_allocations`, `_allocated_bytes`, `_peak_bytes`;
//! - `allocator`: as in the JSON document;
//! - `each_…`: single messages, at the median and the 99th percentile; those of the compressor without a dictionary and, with
//!   `dictionary` in their names, with one.
//!
//! A row without compressors is one line. What is missing is empty, never 0.

use std::io::{self, Write};

use bantam_weigh::{Compressed, CompressedEach, MessageSizes, MessageTimes, Packing, Row, Timing, Weighing};

use crate::{Options, Report};

pub(crate) static CSV: Report =
    Report { name: "csv", about: "one line for each format and compressor, for spreadsheets", render };

const LEAD: [&str; 11] =
    ["format", "codec", "lane", "framing", "source", "fidelity", "profile", "reason", "records", "bytes", "ratio"];
const COMPRESSED: [&str; 4] = ["compressor", "level", "compressed_bytes", "compressed_ratio"];
const MEMORY: [&str; 4] = ["first_encode", "encode", "first_decode", "decode"];
const TIMING: [&str; 5] = ["median_ns", "low_ns", "high_ns", "rounds", "below_precision"];

const EACH: [&str; 13] = [
    "messages",
    "bytes_min",
    "bytes_median",
    "bytes_p99",
    "bytes_max",
    "encode_median_ns",
    "encode_p99_ns",
    "decode_median_ns",
    "decode_p99_ns",
    "training_messages",
    "training_bytes",
    "test_messages",
    "test_bytes",
];
const EACH_COMPRESSED: [&str; 7] = [
    "compressed_total",
    "compressed_median",
    "compressed_p99",
    "compress_median_ns",
    "compress_p99_ns",
    "decompress_median_ns",
    "decompress_p99_ns",
];
const EACH_DICTIONARY: [&str; 4] = ["bytes", "bytes_per_message", "pays_from", "pays_from_uncompressed"];

fn render(weighing: &Weighing, _options: &Options, out: &mut dyn Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(header())?;
    for row in &weighing.rows {
        for compressed in &row.compressed {
            csv.write_record(record(weighing, row, Some(compressed)))?;
        }
        if row.compressed.is_empty() {
            csv.write_record(record(weighing, row, None))?;
        }
    }
    csv.flush()
}

fn header() -> Vec<String> {
    let timings =
        |names: &[&str]| names.iter().flat_map(|name| TIMING.map(|part| format!("{name}_{part}"))).collect::<Vec<_>>();
    let mut header = LEAD.map(String::from).to_vec();
    header.extend(timings(&["encode", "decode", "round_trip"]));
    header.extend(COMPRESSED.map(String::from));
    header.extend(timings(&["compress", "decompress"]));
    header.extend(["allocator", "adapter", "floor"].map(String::from));
    let counts = |name: &str| ["allocations", "allocated_bytes", "peak_bytes"].map(|part| format!("{name}_{part}"));
    header.extend(MEMORY.iter().flat_map(|name| counts(name)));
    header.extend(EACH.map(|name| format!("each_{name}")));
    header.extend(EACH_COMPRESSED.map(|name| format!("each_{name}")));
    let of_dictionary = EACH_DICTIONARY.into_iter().chain(EACH_COMPRESSED);
    header.extend(of_dictionary.map(|name| format!("each_dictionary_{name}")));
    header
}

fn record(weighing: &Weighing, row: &Row, compressed: Option<&Compressed>) -> Vec<String> {
    let ratio = |bytes: Option<u64>| text(bytes.and_then(|bytes| weighing.ratio(bytes)));
    let mut record = vec![
        row.format.clone(),
        row.codec.clone(),
        row.lane.name().into(),
        row.framing.clone(),
        row.source.to_string(),
        row.fidelity.name().into(),
        row.profile.join("; "),
        row.reason.clone().unwrap_or_default(),
        weighing.input.records.to_string(),
        text(row.bytes),
        ratio(row.bytes),
    ];
    for timing in [row.encode, row.decode, row.round_trip] {
        record.extend(times(timing.as_ref()));
    }
    record.extend([
        text(compressed.map(|compressed| compressed.compressor.clone())),
        text(compressed.and_then(|compressed| compressed.level)),
        text(compressed.map(|compressed| compressed.bytes)),
        ratio(compressed.map(|compressed| compressed.bytes)),
    ]);
    record.extend(times(compressed.and_then(|compressed| compressed.compress.as_ref())));
    record.extend(times(compressed.and_then(|compressed| compressed.decompress.as_ref())));
    record.extend([text(row.allocator.as_ref()), row.adapter.to_string(), row.floor.to_string()]);
    let memory = row.memory.unwrap_or_default();
    for counts in [memory.first_encode, memory.encode, memory.first_decode, memory.decode] {
        record.extend([counts.map(|c| c.count), counts.map(|c| c.bytes), counts.map(|c| c.peak_bytes)].map(text));
    }
    record.extend(each(row));
    let under = |dictionary: bool| {
        let Compressed { compressor, level, .. } = compressed?;
        row.each.as_ref()?.under(Packing { compressor, level: *level, dictionary })
    };
    record.extend(compressed_each(under(false)));
    let dictionary = under(true).and_then(|found| found.dictionary);
    record.extend([
        text(dictionary.map(|found| found.bytes)),
        text(dictionary.map(|found| found.bytes_per_message)),
        text(dictionary.and_then(|found| found.pays_from)),
        text(dictionary.and_then(|found| found.pays_from_uncompressed)),
    ]);
    record.extend(compressed_each(under(true)));
    record
}

fn times(timing: Option<&Timing>) -> [String; 5] {
    [
        text(timing.map(|timing| timing.median_ns)),
        text(timing.map(|timing| timing.low_ns)),
        text(timing.map(|timing| timing.high_ns)),
        text(timing.map(|timing| timing.rounds)),
        text(timing.map(|timing| timing.below_precision)),
    ]
}

/// The cells of [`EACH`].
fn each(row: &Row) -> Vec<String> {
    let each = row.each.as_ref();
    let bytes = |part: fn(&MessageSizes) -> u64| text(each.map(|each| part(&each.bytes)));
    let mut cells = vec![
        bytes(|sizes| sizes.messages),
        bytes(|sizes| sizes.min),
        bytes(|sizes| sizes.median),
        bytes(|sizes| sizes.p99),
        bytes(|sizes| sizes.max),
    ];
    cells.extend(quantiles(each.and_then(|each| each.encode)));
    cells.extend(quantiles(each.and_then(|each| each.decode)));
    cells.extend([
        text(each.map(|each| each.training_messages)),
        text(each.map(|each| each.training_bytes)),
        text(each.map(|each| each.test.messages)),
        text(each.map(|each| each.test.total)),
    ]);
    cells
}

/// The cells of [`EACH_COMPRESSED`].
fn compressed_each(found: Option<&CompressedEach>) -> Vec<String> {
    let bytes = |part: fn(&MessageSizes) -> u64| text(found.map(|found| part(&found.bytes)));
    let mut cells = vec![bytes(|sizes| sizes.total), bytes(|sizes| sizes.median), bytes(|sizes| sizes.p99)];
    cells.extend(quantiles(found.and_then(|found| found.compress)));
    cells.extend(quantiles(found.and_then(|found| found.decompress)));
    cells
}

fn quantiles(times: Option<MessageTimes>) -> [String; 2] {
    [text(times.map(|times| times.median.ns)), text(times.map(|times| times.p99.ns))]
}

fn text(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}
