//! Sizes as bars from zero: the rows as they are, and under each compressor.

use super::page::{LanePage, with_compressor};
use super::scale::Axis;
use super::svg::{Anchor, Drawing, View, chart, fitted, legend, room_for};
use crate::figures::{counted_bytes, grouped, percent, short_bytes};

/// One bar: its series, what it is, and its bytes.
struct Bar {
    series: usize,
    name: String,
    bytes: u64,
}

/// Both charts; nothing where no row has bytes.
pub(super) fn figures(lane: &LanePage<'_>) -> Option<String> {
    let raw = groups(lane, true);
    if raw.is_empty() {
        return None;
    }
    let title = format!("Bytes in each format{}", lane.suffix());
    let mut html = figure(lane, "sizes", &title, &raw, "Without a compressor; the axis starts at zero.");
    let packed = groups(lane, false);
    if !packed.is_empty() {
        let title = format!("Bytes under each compressor{}", lane.suffix());
        let caption = "Compressed; the axis starts at zero and is another one than above.";
        html += &figure(lane, "sizes-compressed", &title, &packed, caption);
    }
    Some(html)
}

/// The bars of each row, where it has any.
fn groups(lane: &LanePage<'_>, raw: bool) -> Vec<(String, Vec<Bar>)> {
    let page = lane.page;
    let bars = |index: usize, name: &str| -> Vec<Bar> {
        let row = &page.weighing.rows[index];
        let bar = |bytes: u64, compressor: Option<(&str, Option<i32>)>| Bar {
            series: page.series_of(compressor),
            name: with_compressor(name, compressor),
            bytes,
        };
        if raw {
            return row.bytes.map(|bytes| bar(bytes, None)).into_iter().collect();
        }
        let kept = row.compressed.iter().filter(|found| found.compressor != "none");
        kept.map(|found| bar(found.bytes, Some(found.key()))).collect()
    };
    let groups = lane.distinct().into_iter().map(|(index, name)| {
        let bars = bars(index, &name);
        (name, bars)
    });
    groups.filter(|(_, bars)| !bars.is_empty()).collect()
}

fn figure(lane: &LanePage<'_>, id: &str, title: &str, groups: &[(String, Vec<Bar>)], caption: &str) -> String {
    let all = || groups.iter().flat_map(|group| &group.1);
    let say = |bar: Option<&Bar>| bar.map(|bar| format!("{} with {}", bar.name, counted_bytes(bar.bytes)));
    let ends = [all().min_by_key(|bar| bar.bytes), all().max_by_key(|bar| bar.bytes)].map(say);
    let [least, most] = ends.map(Option::unwrap_or_default);
    let about = format!(
        "{} bars from zero. The shortest is {least}, the longest {most}. All figures stand in the table of sizes.",
        all().count()
    );
    let html = chart(&lane.id(id), title, &about, &|view| draw(lane, view, groups));
    let table = lane.id("table-sizes");
    format!(
        "{}<figure>
{html}<figcaption>{caption}{} <a href=\"#{table}\">The figures as a table.</a></figcaption>
</figure>
",
        lane.heading(title),
        lane.legend_of_signs()
    )
}

/// The height of one bar with its gap.
const STEP: f64 = 15.0;

fn draw(lane: &LanePage<'_>, view: View, groups: &[(String, Vec<Bar>)]) -> Drawing {
    let several = groups.iter().any(|group| group.1.len() > 1);
    // Names stand left of the bars, on a phone above them. The figures right of the bars need room, too.
    let left = if view.is_wide() { 200.0 } else { 4.0 };
    let figures: Vec<String> = groups.iter().flat_map(|group| &group.1).map(|bar| shown(lane, bar)).collect();
    let right = view.width() - room_for(figures.iter().map(String::as_str), view);
    let mut drawing = Drawing::default();
    let series = lane.page.series();
    let mut top = 6.0;
    if several {
        top = legend(&mut drawing, &series[1..], if view.is_wide() { left } else { 0.0 }, 0.0, view.width()) + 4.0;
    }
    let name_height = if view.is_wide() { 0.0 } else { 17.0 };
    let height: f64 = groups.iter().map(|group| group.1.len() as f64 * STEP + name_height + 9.0).sum();
    let bottom = top + height;
    drawing.height = bottom + 40.0;
    let axis = Axis::from_zero(groups.iter().flat_map(|group| &group.1).map(|bar| bar.bytes as f64), left, right);
    axis.draw_below(&mut drawing, (top, bottom), if view.is_wide() { 6 } else { 3 }, &short_bytes);
    drawing.text("m", (right, bottom + 34.0), Anchor::End, "bytes, from zero →");
    let mut y = top;
    for (name, bars) in groups {
        let middle = y + bars.len() as f64 * STEP / 2.0 + 4.0;
        match view {
            View::Wide => drawing.text("", (left - 10.0, middle), Anchor::End, &fitted(name, left - 14.0)),
            View::Narrow => drawing.text("", (left, y + 12.0), Anchor::Start, &fitted(name, 330.0)),
        }
        y += name_height;
        for bar in bars {
            draw_bar(lane, &mut drawing, bar, &axis, left, y);
            y += STEP;
        }
        y += 9.0;
    }
    drawing.line("a", (left, top), (left, bottom));
    drawing
}

/// What stands beside a bar.
fn shown(lane: &LanePage<'_>, bar: &Bar) -> String {
    let share = lane.page.weighing.ratio(bar.bytes).map(|ratio| format!(" · {}", percent(ratio)));
    format!("{}{}", grouped(bar.bytes), share.unwrap_or_default())
}

fn draw_bar(lane: &LanePage<'_>, drawing: &mut Drawing, bar: &Bar, axis: &Axis, left: f64, y: f64) {
    let share = lane.page.weighing.ratio(bar.bytes).map(percent);
    let of_source = share.map(|share| format!(", {share} of the source")).unwrap_or_default();
    let tip = format!("{}\n{}{of_source}", bar.name, counted_bytes(bar.bytes));
    let end = axis.at(bar.bytes as f64);
    drawing.mark(bar.series, &tip, |drawing| {
        // Something is never shown as nothing.
        let length = if bar.bytes > 0 { (end - left).max(1.0) } else { 0.0 };
        drawing.rect("f", (left, y + 1.5), (length, STEP - 3.0));
        drawing.text("", (end + 6.0, y + STEP - 3.5), Anchor::Start, &shown(lane, bar));
    });
}
