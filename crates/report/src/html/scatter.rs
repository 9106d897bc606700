//! Size against the time to read: every row as it is and under each compressor, with the front of those that no other
//! beats in both.

use bantam_weigh::links::{Way, pareto, ways_to_read};

use super::page::{LanePage, per_record};
use super::scale::Axis;
use super::svg::{Anchor, Drawing, View, chart, fitted, legend, text_width};
use super::table::{Cell, Kind, Table};
use super::text::{escaped, listed};
use crate::figures::{counted_bytes, duration, grouped, short_bytes, short_duration};

/// The chart, what it says, and its figures; nothing where nothing was timed.
pub(super) fn figure(lane: &LanePage<'_>) -> Option<String> {
    let scatter = Scatter::of(lane)?;
    let title = format!("Size against time to read{}", lane.suffix());
    let html = chart(&lane.id("scatter"), &title, &scatter.about(), &|view| scatter.draw(view));
    let caption = format!(
        "Further left is smaller, further down is quicker to read: decompress and decode, by medians. The dashed line is the \
         front, which no other way beats in both. On it, smallest first: {}.{}",
        escaped(&listed(&scatter.names())),
        if lane.rows.iter().any(|index| lane.page.weighing.rows[*index].source) {
            " Rings mark the source."
        } else {
            ""
        }
    );
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
        format!(
            "A scatter of {} ways to write the records: bytes to the right, time to read upwards. On the front, smallest \
             first: {}. All figures stand in the table below the chart.",
            self.ways.len(),
            listed(&self.names())
        )
    }

    /// Of the front, smallest first, with their letters.
    fn names(&self) -> Vec<String> {
        let letter = |way| self.letter(way).map(|letter| format!("{letter} ")).unwrap_or_default();
        self.front.iter().map(|way| format!("{}{}", letter(way), self.lane.page.way(way))).collect()
    }

    /// What stands for a way of the front in the chart: A for the smallest.
    fn letter(&self, way: &Way<'_>) -> Option<String> {
        let place = self.front.iter().position(|other| (other.row, other.compressor) == (way.row, way.compressor))?;
        // A front of more than 26 ways goes on with A1, B1, …
        let letter = char::from(b'A' + (place % 26) as u8);
        Some(if place < 26 { letter.to_string() } else { format!("{letter}{}", place / 26) })
    }

    fn is_on_front(&self, way: &Way<'_>) -> bool {
        self.letter(way).is_some()
    }

    fn draw(&self, view: View) -> Drawing {
        let height = if view.is_wide() { 470.0 } else { 350.0 };
        let right = view.width() - 24.0;
        let mut drawing = Drawing::default();
        let top = legend(&mut drawing, &self.lane.page.series(), 0.0, 0.0, right) + 22.0;
        let bottom = top + height - 60.0;
        drawing.height = bottom + 42.0;
        let y = Axis::for_range(self.ways.iter().map(|way| self.each(way)), bottom, top);
        let left = y.room(7, &short_duration);
        let x = Axis::for_range(self.ways.iter().map(|way| way.bytes as f64), left, right);
        x.draw_below(&mut drawing, (top, bottom), if view.is_wide() { 9 } else { 4 }, &short_bytes);
        y.draw_left(&mut drawing, (left, right), 7, &short_duration);
        let per = self.lane.page.per();
        drawing.text("m", (0.0, top - 10.0), Anchor::Start, &format!("↑ time to read{per}{}", y.kind()));
        drawing.text("m", (right, bottom + 36.0), Anchor::End, &format!("bytes{} →", x.kind()));
        let place = |way: &Way<'_>| (x.at(way.bytes as f64), y.at(self.each(way)));
        self.draw_front(&mut drawing, &place);
        self.draw_marks(&mut drawing, &place);
        let labels = Labels { scatter: self, place: &place, area: (left, top, right, bottom), named: view.is_wide() };
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
            let bytes = Cell::figure(&grouped(way.bytes), way.bytes as f64);
            table.row(
                &self.lane.page.way(way),
                vec![
                    bytes,
                    Cell::figure(&self.time(way), way.nanos),
                    Cell::text(&self.letter(way).unwrap_or_default()),
                ],
            );
        }
        table
    }
}

/// Puts names beside marks where there is room: those of the front first, then the source's, then of rows as they are.
/// On a phone, and where there is no room, the front has letters alone; the caption names them.
struct Labels<'a> {
    scatter: &'a Scatter<'a>,
    place: &'a dyn Fn(&Way<'_>) -> (f64, f64),
    area: Box4,
    /// Whether there is room for names.
    named: bool,
}

/// Left, top, right, bottom.
type Box4 = (f64, f64, f64, f64);

impl Labels<'_> {
    fn draw(&self, drawing: &mut Drawing) {
        let page = self.scatter.lane.page;
        let mut order: Vec<&Way<'_>> = self.scatter.ways.iter().collect();
        order.retain(|way| self.scatter.is_on_front(way) || way.compressor.is_none());
        order.sort_by_key(|way| (!self.scatter.is_on_front(way), !page.weighing.rows[way.row].source));
        let boxes = |front: bool| {
            let ways = self.scatter.ways.iter().filter(move |way| self.scatter.is_on_front(way) == front);
            ways.map(|way| around((self.place)(way), 5.0)).collect::<Vec<Box4>>()
        };
        let (mut taken, others) = (boxes(true), boxes(false));
        for way in order {
            let free = |area: &Box4| self.is_inside(area) && !taken.iter().any(|other| overlap(area, other));
            let clear = |area: &Box4| free(area) && !others.iter().any(|other| overlap(area, other));
            let letter = self.scatter.letter(way);
            let name = fitted(&page.way(way), 230.0);
            let full = letter.as_ref().map_or_else(|| name.clone(), |letter| format!("{letter} {name}"));
            let full = Some(full).filter(|_| self.named);
            let places = |text: &String| {
                // A ring is wider than a mark.
                let away = if page.weighing.rows[way.row].source { 14.0 } else { 10.0 };
                let choices = choices((self.place)(way), text_width(text), away);
                choices.into_iter().map(|(area, anchor)| (text.clone(), area, anchor)).collect::<Vec<_>>()
            };
            let found = full.iter().chain(&letter).flat_map(places).find(|(_, area, _)| clear(area));
            // A letter may cover marks that are not of the front.
            let found = found.or_else(|| letter.iter().flat_map(places).find(|(_, area, _)| free(area)));
            if let Some((text, area, anchor)) = found {
                let x = match anchor {
                    Anchor::Start => area.0,
                    Anchor::Middle => f64::midpoint(area.0, area.2),
                    Anchor::End => area.2,
                };
                drawing.text(if letter.is_some() { "b halo" } else { "m halo" }, (x, area.3 - 3.0), anchor, &text);
                taken.push(area);
            }
        }
    }

    fn is_inside(&self, area: &Box4) -> bool {
        let (left, top, right, bottom) = self.area;
        area.0 >= left && area.1 >= top - 4.0 && area.2 <= right + 12.0 && area.3 <= bottom
    }
}

/// Right, left, above, below of a mark, then further off.
fn choices((x, y): (f64, f64), width: f64, away: f64) -> Vec<(Box4, Anchor)> {
    let start = |dx: f64, dy: f64| ((x + dx, y + dy - 8.0, x + dx + width, y + dy + 7.0), Anchor::Start);
    let end = |dx: f64, dy: f64| ((x - dx - width, y + dy - 8.0, x - dx, y + dy + 7.0), Anchor::End);
    let middle = |dy: f64| ((x - width / 2.0, y + dy - 8.0, x + width / 2.0, y + dy + 7.0), Anchor::Middle);
    vec![
        start(away, 0.0),
        end(away, 0.0),
        middle(-6.0 - away),
        middle(7.0 + away),
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

fn around((x, y): (f64, f64), radius: f64) -> Box4 {
    (x - radius, y - radius, x + radius, y + radius)
}

fn overlap(a: &Box4, b: &Box4) -> bool {
    a.0 < b.2 && b.0 < a.2 && a.1 < b.3 && b.1 < a.3
}
