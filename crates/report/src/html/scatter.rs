//! Size against the time to read: every row as it is and under each compressor, with the front of those that no other
//! beats in both.

use bantam_weigh::links::{Way, pareto, ways_to_read};

use super::page::{LanePage, per_record};
use super::scale::Axis;
use super::svg::{Anchor, Drawing, View, chart, fitted, legend, text_width};
use super::table::{Cell, Kind, Table};
use crate::figures::{counted_bytes, duration, grouped, short_bytes};

/// The chart, what it says, and its figures; nothing where nothing was timed.
pub(super) fn figure(lane: &LanePage<'_>) -> Option<String> {
    let scatter = Scatter::of(lane)?;
    let title = format!("Size against time to read{}", lane.suffix());
    let html = chart(&lane.id("scatter"), &title, &scatter.about(), &|view| scatter.draw(view));
    let caption = "Further left is smaller, further down is quicker to read. The time is that to decompress and decode, for \
                   each record; the dashed line joins the ways that no other beats in both, by medians.";
    Some(format!(
        "<figure>\n{html}<figcaption>{caption}</figcaption>\n</figure>\n{}",
        scatter.table().folded("The figures of this chart")
    ))
}

struct Scatter<'a> {
    lane: &'a LanePage<'a>,
    ways: Vec<Way<'a>>,
    front: Vec<Way<'a>>,
}

impl<'a> Scatter<'a> {
    fn of(lane: &'a LanePage<'a>) -> Option<Self> {
        let mut ways = ways_to_read(lane.page.weighing, lane.lane);
        // A copy says nothing about a row that its own mark does not.
        ways.retain(|way| way.compressor.is_none_or(|(name, _)| name != "none"));
        let front = pareto(ways.clone());
        (!ways.is_empty()).then_some(Self { lane, ways, front })
    }

    fn each(&self, way: &Way<'_>) -> f64 {
        per_record(self.lane.page.weighing, way.nanos)
    }

    fn time(&self, way: &Way<'_>) -> String {
        let high = per_record(self.lane.page.weighing, way.interval.high);
        if self.lane.is_blurred(way) { format!("<{}", duration(high)) } else { duration(self.each(way)) }
    }

    fn about(&self) -> String {
        let names: Vec<String> = self.front.iter().map(|way| self.lane.page.way(way)).collect();
        format!(
            "A scatter of {} ways to write the records: bytes to the right, time to read upwards. On the front, smallest \
             first: {}. All figures stand in the table below the chart.",
            self.ways.len(),
            names.join("; ")
        )
    }

    fn is_on_front(&self, way: &Way<'_>) -> bool {
        self.front.iter().any(|other| (other.row, other.compressor) == (way.row, way.compressor))
    }

    fn draw(&self, view: View) -> Drawing {
        let (left, height) = if view.is_wide() { (72.0, 470.0) } else { (54.0, 350.0) };
        let right = view.width() - 16.0;
        let mut drawing = Drawing::default();
        let top = legend(&mut drawing, &self.lane.page.series(), left, 0.0, right) + 22.0;
        let bottom = top + height - 60.0;
        drawing.height = bottom + 42.0;
        let x = Axis::for_range(self.ways.iter().map(|way| way.bytes as f64), left, right);
        let y = Axis::for_range(self.ways.iter().map(|way| self.each(way)), bottom, top);
        x.draw_below(&mut drawing, (top, bottom), if view.is_wide() { 9 } else { 4 }, &short_bytes);
        y.draw_left(&mut drawing, (left, right), 7, &duration);
        let per = self.lane.page.per();
        drawing.text("m", (left, top - 10.0), Anchor::Start, &format!("↑ time to read{per}{}", y.kind()));
        drawing.text("m", (right, bottom + 36.0), Anchor::End, &format!("bytes{} →", x.kind()));
        let place = |way: &Way<'_>| (x.at(way.bytes as f64), y.at(self.each(way)));
        self.draw_front(&mut drawing, &place);
        self.draw_marks(&mut drawing, &place);
        let labels = Labels { scatter: self, place: &place, area: (left, top, right, bottom) };
        labels.draw(&mut drawing);
        drawing
    }

    /// In steps, since nothing between two ways is a way.
    fn draw_front(&self, drawing: &mut Drawing, place: &dyn Fn(&Way<'_>) -> (f64, f64)) {
        let mut points: Vec<(f64, f64)> = Vec::new();
        for way in &self.front {
            let (x, y) = place(way);
            points.extend(points.last().map(|last| (x, last.1)));
            points.push((x, y));
        }
        drawing.through("front", &points, "");
    }

    fn draw_marks(&self, drawing: &mut Drawing, place: &dyn Fn(&Way<'_>) -> (f64, f64)) {
        for way in &self.ways {
            let at = place(way);
            let series = self.lane.page.series_of(way.compressor);
            let bytes = counted_bytes(way.bytes);
            let tip = format!("{}\n{bytes}, read in {}", self.lane.page.way(way), self.time(way));
            drawing.mark(series, &tip, |drawing| {
                drawing.shape("k", series, at, if self.is_on_front(way) { 6.5 } else { 5.0 });
                if self.lane.page.weighing.rows[way.row].source {
                    drawing.shape("ring", 0, at, 9.5);
                }
            });
        }
    }

    fn table(&self) -> Table {
        let caption = format!("Size and time to read{}", self.lane.suffix());
        let mut table = Table::new(&self.lane.id("scatter-table"), &caption, "way");
        table.column("bytes", Kind::Figure);
        table.column(&format!("read{}", self.lane.page.per()), Kind::Figure);
        table.column("on the front", Kind::Text);
        for way in &self.ways {
            let on = if self.is_on_front(way) { "yes" } else { "no" };
            let bytes = Cell::figure(&grouped(way.bytes), way.bytes as f64);
            table.row(&self.lane.page.way(way), vec![bytes, Cell::figure(&self.time(way), way.nanos), Cell::text(on)]);
        }
        table
    }
}

/// Puts names beside marks where there is room: those of the front first, then the source's, then of rows as they are.
struct Labels<'a> {
    scatter: &'a Scatter<'a>,
    place: &'a dyn Fn(&Way<'_>) -> (f64, f64),
    /// Left, top, right, bottom.
    area: (f64, f64, f64, f64),
}

/// Left, top, right, bottom.
type Box4 = (f64, f64, f64, f64);

impl Labels<'_> {
    fn draw(&self, drawing: &mut Drawing) {
        let page = self.scatter.lane.page;
        let mut order: Vec<&Way<'_>> = self.scatter.ways.iter().collect();
        order.retain(|way| self.scatter.is_on_front(way) || way.compressor.is_none());
        order.sort_by_key(|way| (!self.scatter.is_on_front(way), !page.weighing.rows[way.row].source));
        let mut taken: Vec<Box4> = self.scatter.ways.iter().map(|way| around((self.place)(way), 5.0)).collect();
        for way in order {
            let text = fitted(&page.way(way), 190.0);
            let on_front = self.scatter.is_on_front(way);
            let found = self.choices((self.place)(way), text_width(&text)).into_iter().find(|(area, _)| {
                let inside = area.0 >= self.area.0 && area.2 <= self.area.2 + 12.0 && area.1 >= self.area.1 - 4.0;
                inside && area.3 <= self.area.3 && !taken.iter().any(|other| overlap(area, other))
            });
            if let Some((area, anchor)) = found {
                let x = match anchor {
                    Anchor::Start => area.0,
                    Anchor::Middle => f64::midpoint(area.0, area.2),
                    Anchor::End => area.2,
                };
                let class = if on_front { "b halo" } else { "m halo" };
                drawing.text(class, (x, area.3 - 3.0), anchor, &text);
                taken.push(area);
            }
        }
    }

    /// Right, left, above, below of a mark, then further off.
    fn choices(&self, (x, y): (f64, f64), width: f64) -> Vec<(Box4, Anchor)> {
        let start = |dx: f64, dy: f64| ((x + dx, y + dy - 8.0, x + dx + width, y + dy + 7.0), Anchor::Start);
        let end = |dx: f64, dy: f64| ((x - dx - width, y + dy - 8.0, x - dx, y + dy + 7.0), Anchor::End);
        let middle = |dy: f64| ((x - width / 2.0, y + dy - 8.0, x + width / 2.0, y + dy + 7.0), Anchor::Middle);
        vec![
            start(10.0, 0.0),
            end(10.0, 0.0),
            middle(-16.0),
            middle(17.0),
            start(7.0, -14.0),
            end(7.0, 15.0),
            end(7.0, -14.0),
            start(7.0, 15.0),
            middle(-30.0),
            middle(31.0),
            start(8.0, 28.0),
            end(8.0, 28.0),
            start(8.0, -28.0),
            end(8.0, -28.0),
        ]
    }
}

fn around((x, y): (f64, f64), radius: f64) -> Box4 {
    (x - radius, y - radius, x + radius, y + radius)
}

fn overlap(a: &Box4, b: &Box4) -> bool {
    a.0 < b.2 && b.0 < a.2 && a.1 < b.3 && b.1 < a.3
}
