//! Over which link which way is quickest in all.

use bantam_weigh::Speed;
use bantam_weigh::links::{Change, Way, best_at, crossovers, front, tied_at};

use super::page::LanePage;
use super::scale::Axis;
use super::svg::{Anchor, Drawing, View, chart, legend, text_width};
use super::table::{Cell, Kind, Table};
use crate::figures::{duration, grouped, short_duration};
use crate::view::{shown_speed, usual_speeds};

/// The ends of the chart, in bits a second.
const SLOWEST: f64 = 1e6;
const FASTEST: f64 = 1e10;
/// How many ways a sentence names before it counts the rest.
const NAMED: usize = 3;

/// The chart and its tables; nothing where nothing was timed both ways.
pub(super) fn figure(lane: &LanePage<'_>) -> Option<String> {
    let links = Links::of(lane)?;
    let title = format!("Total time against the speed of the link{}", lane.suffix());
    let html = chart(&lane.id("links"), &title, &links.about(), &|view| links.draw(view));
    let caption = format!(
        "Encode, compress, send, decompress and decode all records, one step after another, by medians. {} \
         The thick line is the best at each speed; vertical lines are the speeds at which it changes.",
        if links.others.is_empty() { "" } else { "Thin lines are ways of the front that are never the best." }
    );
    let tables = [links.table_of_speeds(), links.table_of_front()].map(|table| table.html());
    Some(format!("<figure>\n{html}<figcaption>{caption}</figcaption>\n</figure>\n{}{}", tables[0], tables[1]))
}

struct Links<'a> {
    lane: &'a LanePage<'a>,
    /// Those that are best at some speed of the chart, for slow links first.
    best: Vec<Way<'a>>,
    /// Others of the front.
    others: Vec<Way<'a>>,
    /// Within the chart, slowest first.
    changes: Vec<Change<'a>>,
}

impl<'a> Links<'a> {
    fn of(lane: &'a LanePage<'a>) -> Option<Self> {
        let (weighing, own) = (lane.page.weighing, lane.lane);
        let slowest = best_at(weighing, own, speed(SLOWEST))?;
        let mut changes = crossovers(weighing, own);
        changes.retain(|change| (SLOWEST..FASTEST).contains(&change.bits_per_second));
        let mut best = vec![changes.first().map_or(slowest, |change| change.below)];
        best.extend(changes.iter().map(|change| change.above));
        let mut others = front(weighing, own);
        others.retain(|way| !best.contains(way));
        Some(Self { lane, best, others, changes })
    }

    fn about(&self) -> String {
        let mut text = format!(
            "Lines of the total time over links from 1 Mbit/s to 10 Gbit/s, both axes logarithmic. Over the slowest, {} is best",
            self.lane.page.way(&self.best[0])
        );
        for change in &self.changes {
            text +=
                &format!("; from {} on, {}", shown_speed(change.bits_per_second), self.lane.page.way(&change.above));
        }
        text + "."
    }

    fn draw(&self, view: View) -> Drawing {
        let height = if view.is_wide() { 400.0 } else { 320.0 };
        let right = view.width() - 34.0;
        let mut drawing = Drawing::default();
        let names = self.best.iter().enumerate().map(|(at, way)| (at, self.lane.page.way(way)));
        let top = legend(&mut drawing, &names.collect::<Vec<_>>(), 0.0, 0.0, right)
            + if self.changes.is_empty() { 24.0 } else { 58.0 };
        let bottom = top + height - 60.0;
        drawing.height = bottom + 42.0;
        let ends = [SLOWEST, FASTEST].map(speed);
        let ways = || self.best.iter().chain(&self.others);
        let y = Axis::logarithmic(
            ways().flat_map(|way| ends.map(|end| way.total_nanos(end))).flat_map(|total| [total * 0.9, total * 1.05]),
            bottom,
            top,
        );
        let left = y.room(7, &short_duration);
        let x = Axis::logarithmic([SLOWEST, FASTEST], left, right);
        x.draw_below(&mut drawing, (top, bottom), if view.is_wide() { 5 } else { 4 }, &|bits| speed(bits).to_string());
        y.draw_left(&mut drawing, (left, right), 7, &short_duration);
        drawing.text(
            "m",
            (0.0, top - if self.changes.is_empty() { 10.0 } else { 44.0 }),
            Anchor::Start,
            "↑ total time, logarithmic",
        );
        drawing.text("m", (right, bottom + 36.0), Anchor::End, "speed of the link, logarithmic →");
        self.draw_changes(&mut drawing, &x, (top, bottom));
        let plot = Plot { x: &x, y: &y };
        plot.envelope(&mut drawing, self);
        self.others.iter().for_each(|way| plot.line(&mut drawing, "also", way, ""));
        for (series, way) in self.best.iter().enumerate() {
            self.draw_best(&mut drawing, &plot, series, way);
        }
        drawing
    }

    /// A line with marks: dashes and shapes tell it apart without colour.
    fn draw_best(&self, drawing: &mut Drawing, plot: &Plot<'_>, series: usize, way: &Way<'_>) {
        const DASHES: [&str; 4] = ["", "9 4", "3 3", "11 4 3 4"];
        drawing.coloured(series, |drawing| plot.line(drawing, "l", way, DASHES[series % DASHES.len()]));
        // Lines that run together carry their marks at different places.
        let offset = 0.4 * (series % 4) as f64 / 4.0;
        for power in [6.1, 6.9, 7.7, 8.5, 9.3] {
            let at = speed(10_f64.powf(power + offset));
            let total = way.total_nanos(at);
            let tip = format!(
                "{}\n{} over {}",
                self.lane.page.way(way),
                duration(total),
                shown_speed(at.bits_per_second() as f64)
            );
            drawing.mark(series, &tip, |drawing| drawing.shape("k", series, plot.place(at, total), 5.0));
        }
    }

    /// Their labels stand in two lines, so that neighbours do not touch.
    fn draw_changes(&self, drawing: &mut Drawing, x: &Axis, (top, bottom): (f64, f64)) {
        let mut ends = [f64::NEG_INFINITY; 2];
        for change in &self.changes {
            let at = x.at(change.bits_per_second);
            drawing.line("cross", (at, top - 4.0), (at, bottom));
            let text = shown_speed(change.bits_per_second);
            let half = text_width(&text) / 2.0;
            if let Some(line) = ends.iter().position(|end| *end + 6.0 < at - half) {
                ends[line] = at + half;
                drawing.text("halo", (at, top - 8.0 - line as f64 * 15.0), Anchor::Middle, &text);
            }
        }
    }

    fn table_of_speeds(&self) -> Table {
        let page = self.lane.page;
        let caption = format!("Best at each speed{}: all records, there and back", self.lane.suffix());
        let mut table = Table::new(&self.lane.id("table-speeds"), &caption, "link");
        for (head, kind) in [
            ("best way", Kind::Text),
            ("bytes", Kind::Figure),
            ("transfer", Kind::Figure),
            ("work", Kind::Figure),
            ("total", Kind::Figure),
            ("cannot be told from it", Kind::Wide),
        ] {
            table.column(head, kind);
        }
        for speed in usual_speeds(page.weighing) {
            let Some(way) = best_at(page.weighing, self.lane.lane, speed) else { continue };
            let time = |nanos: f64| Cell::figure(&duration(nanos), nanos);
            let mut tied = tied_at(page.weighing, &way, speed);
            // A copy of the same bytes is no other way.
            tied.retain(|way| way.compressor.is_none_or(|(name, _)| name != "none"));
            let tied: Vec<String> = tied.iter().map(|way| page.way(way)).collect();
            table.row(
                &speed.to_string(),
                vec![
                    Cell::text(&page.way(&way)),
                    Cell::figure(&grouped(way.bytes), way.bytes as f64),
                    time(speed.nanos(way.bytes)),
                    time(way.nanos),
                    time(way.total_nanos(speed)),
                    Cell::text(&if tied.is_empty() { "–".into() } else { some(&tied) }),
                ],
            );
        }
        table
    }

    fn table_of_front(&self) -> Table {
        let page = self.lane.page;
        let caption =
            format!("The ways of the front{}: what no other beats in both bytes and work", self.lane.suffix());
        let mut table = Table::new(&self.lane.id("table-front"), &caption, "way");
        for (head, kind) in [
            ("bytes", Kind::Figure),
            ("share", Kind::Figure),
            ("work, all records", Kind::Figure),
            ("best over links", Kind::Text),
        ] {
            table.column(head, kind);
        }
        for way in front(page.weighing, self.lane.lane) {
            let share = page.weighing.ratio(way.bytes);
            let share = share.map_or_else(Cell::none, |share| Cell::figure(&crate::figures::percent(share), share));
            let bytes = Cell::figure(&grouped(way.bytes), way.bytes as f64);
            let work = Cell::figure(&duration(way.nanos), way.nanos);
            table.row(&page.way(&way), vec![bytes, share, work, Cell::text(&self.range(&way))]);
        }
        table
    }

    /// The speeds between which a way is the best.
    fn range(&self, way: &Way<'_>) -> String {
        let all = crossovers(self.lane.page.weighing, self.lane.lane);
        let from = all.iter().find(|change| change.above == *way).map(|change| shown_speed(change.bits_per_second));
        let to = all.iter().find(|change| change.below == *way).map(|change| shown_speed(change.bits_per_second));
        match (from, to) {
            (Some(from), Some(to)) => format!("{from} to {to}"),
            (Some(from), None) => format!("above {from}"),
            (None, Some(to)) => format!("below {to}"),
            (None, None) if all.is_empty() => "all".into(),
            (None, None) => "none".into(),
        }
    }
}

struct Plot<'a> {
    x: &'a Axis,
    y: &'a Axis,
}

impl Plot<'_> {
    fn place(&self, at: Speed, nanos: f64) -> (f64, f64) {
        (self.x.at(at.bits_per_second() as f64), self.y.at(nanos))
    }

    fn line(&self, drawing: &mut Drawing, class: &str, way: &Way<'_>, dashes: &str) {
        let points: Vec<(f64, f64)> = speeds().map(|at| self.place(at, way.total_nanos(at))).collect();
        drawing.through(class, &points, dashes);
    }

    fn envelope(&self, drawing: &mut Drawing, links: &Links<'_>) {
        let least = |at: Speed| links.best.iter().map(|way| way.total_nanos(at)).fold(f64::INFINITY, f64::min);
        let points: Vec<(f64, f64)> = speeds().map(|at| self.place(at, least(at))).collect();
        drawing.through("best-line", &points, "");
    }
}

/// Along the chart, close enough for smooth lines.
fn speeds() -> impl Iterator<Item = Speed> {
    (0..=32).map(|at| speed(10_f64.powf(6.0 + f64::from(at) / 8.0)))
}

/// Within the chart, a speed is far from 0.
fn speed(bits_per_second: f64) -> Speed {
    Speed::new(bits_per_second.round() as u64).unwrap_or(Speed::USUAL[0])
}

/// The first few names, and how many more.
fn some(names: &[String]) -> String {
    if names.len() <= NAMED {
        return super::text::listed(names);
    }
    format!("{} and {} more", names[..NAMED].join(", "), names.len() - NAMED)
}
