//! The same input weighed twice: who was clearly ahead stays ahead, and the ratios of one weigh-in lie within the
//! intervals of the other.
//!
//! `cargo run --release --manifest-path bench/Cargo.toml --bin twice [-- SAMPLE]` says how many pairs of rows were clear in
//! both, and exits with 1 if a clear one was overtaken or more than a tenth of the ratios lie outside.

use bantam::{Dataset, Input, Request, Schemas, Selection, weigh_in};
use bantam_weigh::{Column, Lane, MonotonicClock, Plan, Weighing};
use std::process::ExitCode;

fn main() -> ExitCode {
    let name = std::env::args().nth(1).unwrap_or_else(|| "dns".to_owned());
    let sample = bantam_sample::find(&name).expect("a sample's name");
    let mut schemas = Schemas::default();
    schemas.add(&format!("sample:{name}"), &[]).expect("samples have schemas");
    let batch = sample.generate(1, sample.records, &schemas.layout().expect("samples' schemas are sound")).expect("it fits");
    let json = bantam::find_format("json").expect("a row of the table");
    let mut bytes = Vec::new();
    let mut codec = (json.engines[0].build)(batch.layout()).expect("json holds all");
    codec.encode(&batch, json.framings[0], &mut bytes).expect("json holds all");
    let input = Input::new(&format!("{name}.json"), bytes).expect("it is small");
    let dataset = Dataset::read(&input, &Request { schemas, ..Request::default() }).expect("it was written just now");
    let weigh = || {
        weigh_in(&dataset, &Selection::default(), &Plan::default(), &MonotonicClock::new(), &mut |_| {}).expect("a schema")
    };
    let (first, second) = (weigh(), weigh());
    let mut failed = false;
    for (figure, column) in [("encode", Column::Encode), ("decode", Column::Decode), ("round trip", Column::RoundTrip)] {
        let found = compared(&first, &second, column);
        println!(
            "{name} {figure}: {} pairs, {} clear in the first, {} of them in the second too, {} overtaken; {} of {} ratios outside",
            found.pairs, found.clear, found.stayed, found.overtaken, found.outside, found.pairs
        );
        failed |= found.overtaken > 0 || found.outside * 10 > found.pairs;
    }
    ExitCode::from(u8::from(failed))
}

#[derive(Default)]
struct Found {
    pairs: usize,
    /// Clear in the first weigh-in: the intervals do not meet.
    clear: usize,
    /// Clear in both, the same way.
    stayed: usize,
    /// Clear in both, the other way round.
    overtaken: usize,
    /// Ratios of the second that the first one's intervals do not allow.
    outside: usize,
}

fn compared(first: &Weighing, second: &Weighing, column: Column<'_>) -> Found {
    let mut found = Found::default();
    let order = first.ranking(column, Lane::Runtime);
    for (at, better) in order.iter().enumerate() {
        for worse in &order[at + 1..] {
            let of = |weighing: &Weighing, row: usize| *column.timing(&weighing.rows[row]).expect("ranked by it");
            let [a, b, c, d] = [(first, better), (first, worse), (second, better), (second, worse)]
                .map(|(weighing, place)| of(weighing, place.row));
            let (a_in, b_in, c_in, d_in) = (a.interval(), b.interval(), c.interval(), d.interval());
            found.pairs += 1;
            let ratio = d.median_ns / c.median_ns;
            found.outside += usize::from(ratio < b_in.low / a_in.high || ratio > b_in.high / a_in.low);
            if a_in.high < b_in.low {
                found.clear += 1;
                found.stayed += usize::from(c_in.high < d_in.low);
                found.overtaken += usize::from(d_in.high < c_in.low);
            }
        }
    }
    found
}
