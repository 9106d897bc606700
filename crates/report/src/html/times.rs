//! Times as dots with their intervals.

use bantam_weigh::{Column, Timing};

use super::page::{LanePage, per_record};
use super::scale::Axis;
use super::svg::{Anchor, Drawing, View, chart, fitted, legend, room_for};
use crate::figures::{duration, short_duration};

const FIGURES: [(&str, Column<'static>); 3] =
    [("encode", Column::Encode), ("decode", Column::Decode), ("round trip", Column::RoundTrip)];

/// The chart; nothing where no row was timed.
pub(super) fn figure(lane: &LanePage<'_>) -> Option<String> {
    let groups = groups(lane);
    if groups.is_empty() {
        return None;
    }
    let title = format!("Time to encode, decode, and do both{}", lane.suffix());
    let quickest = groups.iter().filter_map(|group| {
        let both = group.timings.iter().find(|(at, _)| *at == 2)?;
        Some((group, both.1.median_ns))
    });
    let quickest = quickest.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(group, nanos)| {
        let nanos = duration(per_record(lane.page.weighing, nanos));
        format!(" The quickest round trip is that of {} with {nanos}.", group.name)
    });
    let about = format!(
        "Dots with confidence intervals for {} rows.{} All figures stand in the table of times.",
        groups.len(),
        quickest.unwrap_or_default()
    );
    let html = chart(&lane.id("times"), &title, &about, &|view| draw(lane, view, &groups));
    let table = lane.id("table-times");
    Some(format!(
        "<figure>\n{html}<figcaption>Each dot is a median, each whisker its confidence interval; where two whiskers overlap, \
         which is quicker is not known. An empty mark is an upper bound: the clock cannot tell what is below it. \
         <a href=\"#{table}\">The figures as a table.</a></figcaption>\n</figure>\n"
    ))
}

/// A row's timings, with their places in [`FIGURES`].
struct Group {
    name: String,
    timings: Vec<(usize, Timing)>,
}

fn groups(lane: &LanePage<'_>) -> Vec<Group> {
    let rows = &lane.page.weighing.rows;
    let timings = |index: usize| -> Vec<(usize, Timing)> {
        let found = FIGURES.iter().enumerate().map(|(at, (_, figure))| (at, figure.timing(&rows[index]).copied()));
        found.filter_map(|(at, timing)| Some((at, timing?))).collect()
    };
    let groups = lane.rows.iter().map(|index| Group { name: lane.page.row_name(*index), timings: timings(*index) });
    groups.filter(|group| !group.timings.is_empty()).collect()
}

/// The height of one line with a dot.
const STEP: f64 = 14.0;

fn draw(lane: &LanePage<'_>, view: View, groups: &[Group]) -> Drawing {
    let left = if view.is_wide() { 232.0 } else { 6.0 };
    let figures: Vec<String> = groups.iter().flat_map(|g| &g.timings).map(|(_, timing)| shown(lane, timing)).collect();
    let right = view.width() - room_for(figures.iter().map(String::as_str), view);
    let each = |nanos: f64| per_record(lane.page.weighing, nanos);
    let mut drawing = Drawing::default();
    let entries: Vec<_> = FIGURES.iter().enumerate().map(|(at, (name, _))| (at, (*name).to_owned())).collect();
    let legend_left = if view.is_wide() { left } else { 0.0 };
    let top = legend(&mut drawing, &entries, legend_left, 0.0, view.width()) + 4.0;
    let name_height = if view.is_wide() { 0.0 } else { 17.0 };
    let height: f64 = groups.iter().map(|group| group.timings.len() as f64 * STEP + name_height + 10.0).sum();
    let bottom = top + height;
    drawing.height = bottom + 40.0;
    let ends = |timing: &Timing| [timing.low_ns, place(timing), timing.high_ns].map(each);
    let axis =
        Axis::for_range(groups.iter().flat_map(|g| &g.timings).flat_map(|(_, timing)| ends(timing)), left, right);
    axis.draw_below(&mut drawing, (top, bottom), if view.is_wide() { 7 } else { 4 }, &short_duration);
    let label = format!("time{}{} →", lane.page.per(), axis.kind());
    drawing.text("m", (right, bottom + 34.0), Anchor::End, &label);
    let mut y = top + 4.0;
    for (at, group) in groups.iter().enumerate() {
        if at > 0 {
            drawing.line("g", (0.0, y - 5.0), (right, y - 5.0));
        }
        let middle = y + group.timings.len() as f64 * STEP / 2.0 + 4.0;
        match view {
            View::Wide => drawing.text("", (left - 10.0, middle), Anchor::End, &fitted(&group.name, left - 14.0)),
            View::Narrow => drawing.text("", (left, y + 10.0), Anchor::Start, &fitted(&group.name, 330.0)),
        }
        y += name_height;
        for (at, timing) in &group.timings {
            let dot = Dot { lane, name: &group.name, figure: *at, timing };
            dot.draw(&mut drawing, &axis, y + STEP / 2.0);
            y += STEP;
        }
        y += 10.0;
    }
    drawing
}

/// Where a timing's mark stands: at its upper end where the clock cannot tell more.
fn place(timing: &Timing) -> f64 {
    if timing.below_precision { timing.high_ns } else { timing.median_ns }
}

/// The median, or what it is less than.
fn shown(lane: &LanePage<'_>, timing: &Timing) -> String {
    let text = duration(per_record(lane.page.weighing, place(timing)));
    if timing.below_precision { format!("<{text}") } else { text }
}

struct Dot<'a> {
    lane: &'a LanePage<'a>,
    name: &'a str,
    figure: usize,
    timing: &'a Timing,
}

impl Dot<'_> {
    fn draw(&self, drawing: &mut Drawing, axis: &Axis, y: f64) {
        let each = |nanos: f64| per_record(self.lane.page.weighing, nanos);
        let (timing, series) = (self.timing, self.figure);
        let low = if timing.below_precision { 0.0 } else { timing.low_ns };
        let (from, at, to) = (axis.at(each(low)), axis.at(each(place(timing))), axis.at(each(timing.high_ns)));
        let shown = shown(self.lane, timing);
        let tip = format!("{}, {}\n{shown}{}", self.name, FIGURES[self.figure].0, self.lane.page.interval(timing));
        drawing.mark(series, &tip, |drawing| {
            drawing.line("w", (from, y), (to, y));
            if to - from > 3.0 {
                drawing.line("w", (from, y - 4.0), (from, y + 4.0));
                drawing.line("w", (to, y - 4.0), (to, y + 4.0));
            }
            drawing.shape(if timing.below_precision { "o" } else { "k" }, series, (at, y), 4.6);
            drawing.text("m", (to + 9.0, y + 4.0), Anchor::Start, &shown);
        });
    }
}
