//! All figures as tables that can be sorted.

use bantam_weigh::{Allocations, Column, Timing};

use super::page::{LanePage, per_record};
use super::table::{Cell, Kind, Table};
use crate::figures::{Unit, grouped, percent};
use crate::view::{best, compressor_label};

/// Sizes, times, compression and memory of a lane, those that have anything to show.
pub(super) fn all(lane: &LanePage<'_>) -> String {
    let tables = [Some(sizes(lane)), times(lane), compression(lane)].into_iter().flatten();
    tables.map(|table| table.html()).collect()
}

fn figure(text: &str, value: f64, lane: &LanePage<'_>, column: Column<'_>, index: usize) -> Cell {
    Cell::figure(text, value).best(best(lane.page.weighing, column, lane.lane).contains(&index))
}

fn sizes(lane: &LanePage<'_>) -> Table {
    let weighing = lane.page.weighing;
    let caption = format!("Sizes in bytes{}, with shares of the source", lane.suffix());
    let mut table = Table::new(&lane.id("table-sizes"), &caption, "format");
    table.column("fidelity", Kind::Text);
    table.column("bytes", Kind::Figure);
    let compressors = lane.page.compressors();
    for (name, level) in &compressors {
        table.column(&compressor_label(name, *level), Kind::Figure);
    }
    for (index, name) in lane.distinct() {
        let row = &weighing.rows[index];
        let size = |column: Column<'_>, bytes: Option<u64>| {
            let Some(bytes) = bytes else { return Cell::none() };
            let share = weighing.ratio(bytes).map(percent);
            figure(&grouped(bytes), bytes as f64, lane, column, index).beside(share)
        };
        let mut cells = vec![Cell::text(row.fidelity.name()), size(Column::Bytes, row.bytes)];
        cells.extend(compressors.iter().map(|(name, level)| {
            let under = row.under(name, *level).map(|found| found.bytes);
            size(Column::CompressedBytes(name, *level), under)
        }));
        table.row(&name, cells);
    }
    table
}

fn times(lane: &LanePage<'_>) -> Option<Table> {
    let columns = [("encode", Column::Encode), ("decode", Column::Decode), ("round trip", Column::RoundTrip)];
    timings(lane, "table-times", "Times", &columns.map(|(head, column)| (head.to_owned(), column)))
}

fn compression(lane: &LanePage<'_>) -> Option<Table> {
    let compressors = lane.page.weighing.compressors();
    let columns = compressors.iter().flat_map(|(name, level)| {
        let label = compressor_label(name, *level);
        [(label.clone(), Column::Compress(name, *level)), (format!("{label}, back"), Column::Decompress(name, *level))]
    });
    timings(lane, "table-compression", "Times of compression", &columns.collect::<Vec<_>>())
}

/// A table of times in one unit, with their intervals; `None` where there are none.
fn timings(lane: &LanePage<'_>, id: &str, what: &str, columns: &[(String, Column<'_>)]) -> Option<Table> {
    let weighing = lane.page.weighing;
    let each = |nanos: f64| per_record(weighing, nanos);
    let rows = || lane.rows.iter().map(|index| (*index, &weighing.rows[*index]));
    let all = rows().flat_map(|(_, row)| columns.iter().filter_map(|(_, column)| column.of(row)));
    let unit = Unit::for_largest(all.map(each).reduce(f64::max)?, true);
    let caption = format!("{what} in {}{}{}: medians and their intervals", unit.name, lane.page.per(), lane.suffix());
    let mut table = Table::new(&lane.id(id), &caption, "format");
    for (head, _) in columns {
        table.column(head, Kind::Figure);
    }
    for (index, row) in rows() {
        let cell = |column: Column<'_>| {
            let Some(timing) = column.timing(row) else { return Cell::none() };
            let text = if timing.below_precision {
                format!("<{}", unit.of(each(timing.high_ns)))
            } else {
                unit.of(each(timing.median_ns))
            };
            figure(&text, timing.median_ns, lane, column, index).beside(ends(timing, &|n| unit.of(each(n))))
        };
        table.row(&lane.page.row_name(index), columns.iter().map(|(_, column)| cell(*column)).collect());
    }
    Some(table)
}

/// `12.1–12.6`; nothing where no interval is known.
fn ends(timing: &Timing, show: &dyn Fn(f64) -> String) -> Option<String> {
    let known = timing.rounds > 1 && !timing.below_precision;
    known.then(|| format!("{}–{}", show(timing.low_ns), show(timing.high_ns)))
}

/// What each row asks of the allocator, where that was counted.
pub(super) fn memory(lane: &LanePage<'_>) -> Option<String> {
    let weighing = lane.page.weighing;
    let caption = format!("Allocations{}: how often, bytes in all, and the most held at one time", lane.suffix());
    let mut table = Table::new(&lane.id("table-memory"), &caption, "format");
    for step in ["first encode", "encode", "first decode", "decode"] {
        for part in ["count", "bytes", "peak"] {
            table.column(&format!("{step}, {part}"), Kind::Figure);
        }
    }
    for index in &lane.rows {
        let Some(memory) = &weighing.rows[*index].memory else { continue };
        let steps = [memory.first_encode, memory.encode, memory.first_decode, memory.decode];
        table.row(&lane.page.row_name(*index), steps.into_iter().flat_map(allocations).collect());
    }
    (!table.is_empty()).then(|| table.html())
}

fn allocations(step: Option<Allocations>) -> [Cell; 3] {
    let figures = step.map(|found| [found.count, found.bytes, found.peak_bytes]);
    let cell = |at: usize| figures.map_or_else(Cell::none, |f| Cell::figure(&grouped(f[at]), f[at] as f64));
    [cell(0), cell(1), cell(2)]
}
