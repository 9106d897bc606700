//! `terminal`: tables of sizes and times with the best of each column marked, notes, and an answer.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use bantam_weigh::{Column as Figure, Fidelity, Lane, Row, Timing, Weighing};

use crate::answers::answers;
use crate::each;
use crate::figures::{Unit, few, grouped, percent, rough_bytes, three_digits};
use crate::links;
use crate::table::{self, Cell, Column, Frame, wrapped};
use crate::view::{
    Labels, Note, allocations_a_record, best, compressor_label, debug_warning, distinct, environment, needs_codecs,
    notes, peak, shown_rows, title,
};
use crate::{Options, Report};

pub(crate) static TERMINAL: Report = Report {
    name: "terminal",
    about: "tables with the best of each column marked, and what follows from them",
    render,
};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const BEST: Style = AnsiColor::Green.on_default().bold();
const BAR: Style = AnsiColor::Cyan.on_default();
const WARN: Style = AnsiColor::Yellow.on_default();
const PLAIN: Style = Style::new();

fn render(weighing: &Weighing, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    let labels = Labels::of(weighing);
    let page = Page { weighing, labels: &labels, options };
    page.line(&title(weighing), BOLD, out)?;
    if let Some(warning) = debug_warning(weighing) {
        page.line(warning, WARN, out)?;
    }
    if weighing.rows.is_empty() {
        page.line("Nothing was weighed.", PLAIN, out)?;
    }
    let lanes = weighing.lanes();
    for lane in &lanes {
        let rows = shown_rows(weighing, *lane);
        if rows.is_empty() {
            continue;
        }
        if lanes.len() > 1 {
            writeln!(out)?;
            page.line(&format!("Lane: {}", lane.name()), BOLD, out)?;
        }
        // Codecs of a format mostly write the same bytes: their sizes are one row.
        let sizes = distinct(weighing, &rows);
        let bytes = LanePage { page: &page, lane: *lane, by_codec: needs_codecs(weighing, &sizes), rows: sizes };
        let times = LanePage { page: &page, lane: *lane, by_codec: true, rows };
        bytes.sizes(out)?;
        times.times(out)?;
        bytes.compression(out)?;
        times.links(out)?;
        times.each(out)?;
    }
    page.notes(out)?;
    page.answers(out)?;
    writeln!(out)?;
    page.line(&environment(weighing), DIM, out)
}

struct Page<'a> {
    weighing: &'a Weighing,
    labels: &'a Labels,
    options: &'a Options,
}

impl Page<'_> {
    fn sign(&self, unicode: &'static str, ascii: &'static str) -> &'static str {
        if self.options.unicode { unicode } else { ascii }
    }

    fn frame(&self) -> Frame {
        Frame {
            width: self.options.width,
            color: self.options.color,
            rule: self.sign("─", "-"),
            head: BOLD,
            rule_style: DIM,
        }
    }

    /// A line of text, broken to the width.
    fn line(&self, text: &str, style: Style, out: &mut dyn Write) -> io::Result<()> {
        let text = wrapped(text, self.options.width, 2);
        if self.options.color {
            writeln!(out, "{}{text}{}", style.render(), style.render_reset())
        } else {
            writeln!(out, "{text}")
        }
    }

    fn best_sign(&self) -> &'static str {
        self.sign("★", "*")
    }

    fn fidelity_sign(&self, fidelity: Fidelity) -> &'static str {
        match fidelity {
            Fidelity::Exact => self.sign("=", "="),
            Fidelity::Profile => self.sign("≈", "~"),
            Fidelity::Lossy => self.sign("≠", "!"),
            Fidelity::Unsupported => self.sign("–", "-"),
        }
    }

    /// The signs that occur, and the lines about rows.
    fn notes(&self, out: &mut dyn Write) -> io::Result<()> {
        let occurs = |fidelity| self.weighing.rows.iter().any(|row| row.fidelity == fidelity);
        let mut legend = Vec::new();
        if self.weighing.rows.iter().any(|row| row.fidelity != Fidelity::Unsupported) {
            legend.push(format!("{} best of column, ties included", self.best_sign()));
        }
        for (fidelity, meaning) in [
            (Fidelity::Exact, "equal"),
            (Fidelity::Profile, "equal by a profile"),
            (Fidelity::Lossy, "not equal, not ranked"),
        ] {
            if occurs(fidelity) {
                legend.push(format!("{} {meaning}", self.fidelity_sign(fidelity)));
            }
        }
        writeln!(out)?;
        if !legend.is_empty() {
            self.line(&legend.join("   "), DIM, out)?;
        }
        for note in notes(self.weighing, self.labels) {
            let Note { fidelity, rows, text } = note;
            let style = if fidelity == Fidelity::Lossy { WARN } else { PLAIN };
            let word = if fidelity == Fidelity::Unsupported { "unsupported: " } else { "" };
            self.line(&format!("{} {rows}: {word}{text}", self.fidelity_sign(fidelity)), style, out)?;
        }
        for advice in &self.weighing.advice {
            let sign = self.sign("⚠", "!");
            self.line(
                &format!("{sign} {}: {}", advice.kind.name(), crate::figures::printable(&advice.text)),
                WARN,
                out,
            )?;
        }
        for text in &self.weighing.includes {
            self.line(&crate::figures::printable(text), DIM, out)?;
        }
        Ok(())
    }

    fn answers(&self, out: &mut dyn Write) -> io::Result<()> {
        let answers = answers(self.weighing, self.labels);
        if answers.is_empty() {
            return Ok(());
        }
        writeln!(out)?;
        self.line("What should I use?", BOLD, out)?;
        for answer in answers {
            let answer = if self.options.unicode { answer } else { answer.replace('µ', "u") };
            self.line(&format!("{} {answer}", self.sign("•", "-")), PLAIN, out)?;
        }
        Ok(())
    }
}

/// The tables of one lane.
struct LanePage<'a> {
    page: &'a Page<'a>,
    lane: Lane,
    rows: Vec<usize>,
    /// Whether rows are told apart by their codecs.
    by_codec: bool,
}

impl LanePage<'_> {
    /// The columns that name a row: its sign, format and codec.
    fn keys(&self, head: &str) -> [Column; 3] {
        let codec = if self.by_codec { "codec" } else { "" };
        let mut columns = [Column::left(""), Column::left(head).joined(), Column::left(codec)];
        for index in &self.rows {
            let row = &self.page.weighing.rows[*index];
            let style = if row.fidelity == Fidelity::Lossy { WARN } else { PLAIN };
            let name = self.page.labels.name(row);
            let name = if row.source { format!("{name} (source)") } else { name };
            let sign = if row.floor { "" } else { self.page.fidelity_sign(row.fidelity) };
            let style = match row {
                Row { source: true, .. } => BOLD,
                Row { floor: true, .. } => DIM,
                _ => style,
            };
            columns[0].cells.push(Cell::new(sign, style));
            columns[1].cells.push(Cell::new(name, style));
            let codec = self.page.labels.codec(row).filter(|_| self.by_codec);
            columns[2].cells.push(Cell::new(codec.unwrap_or_default(), DIM));
        }
        columns
    }

    /// A column with a sign at its best: what a row shows, and what it is ranked by.
    fn marked(&self, head: String, figure: Figure<'_>, show: &dyn Fn(usize) -> Option<String>) -> Column {
        let winners = best(self.page.weighing, figure, self.lane);
        let mut column = Column::right(head);
        column.cells.extend(self.rows.iter().map(|index| match show(*index) {
            Some(text) if winners.contains(index) => Cell::new(format!("{}{text}", self.page.best_sign()), BEST),
            Some(text) => Cell::new(text, PLAIN),
            None => Cell::default(),
        }));
        column
    }

    fn plain(&self, show: &dyn Fn(usize) -> Option<String>) -> Column {
        let cells = self.rows.iter().map(|index| Cell::new(show(*index).unwrap_or_default(), DIM));
        Column { cells: cells.collect(), ..Column::right("").joined() }
    }

    fn sizes(&self, out: &mut dyn Write) -> io::Result<()> {
        let weighing = self.page.weighing;
        let bytes = |index: usize| weighing.rows[index].bytes;
        let share = |bytes: Option<u64>| weighing.ratio(bytes?).map(percent);
        let mut columns: Vec<Column> = self.keys("size").into();
        columns.push(self.marked("bytes".into(), Figure::Bytes, &|index| bytes(index).map(grouped)));
        columns.push(self.plain(&|index| share(bytes(index))));
        // Compressed by `none`, the size is the one that is there already.
        for (name, level) in weighing.compressors().into_iter().filter(|(name, _)| *name != "none") {
            let under = |index: usize| weighing.rows[index].under(name, level).map(|found| found.bytes);
            let figure = Figure::CompressedBytes(name, level);
            columns.push(self.marked(compressor_label(name, level), figure, &|index| under(index).map(grouped)));
            columns.push(self.plain(&|index| share(under(index))));
        }
        if let Some(bar) = self.bar(&columns) {
            columns.insert(5, bar);
        }
        writeln!(out)?;
        table::write(&columns, 3, &self.page.frame(), out)
    }

    /// Bars of the bytes, in what width the other columns leave: 8 to 24 columns, or none.
    fn bar(&self, columns: &[Column]) -> Option<Column> {
        const GAP: usize = 2;
        let left = self.page.options.width.saturating_sub(table::width(columns) + GAP);
        let length = left.min(24);
        let bytes = |index: &usize| self.page.weighing.rows[*index].bytes;
        let largest = self.rows.iter().filter_map(bytes).max().filter(|largest| *largest > 0)?;
        if length < 8 || self.rows.len() < 2 {
            return None;
        }
        let cells = self.rows.iter().map(|index| {
            let part = bytes(index).unwrap_or(0) as f64 / largest as f64;
            Cell::new(bar(part, length, self.page.options.unicode), BAR)
        });
        Some(Column { cells: cells.collect(), joined: true, ..Column::left("") })
    }

    fn times(&self, out: &mut dyn Write) -> io::Result<()> {
        let figures = [("encode", Figure::Encode), ("decode", Figure::Decode), ("round trip", Figure::RoundTrip)];
        let Some(scale) = self.scale(&figures.map(|(_, figure)| figure)) else { return Ok(()) };
        let mut columns: Vec<Column> = self.keys(&scale.head("time")).into();
        for (head, figure) in figures {
            let timing = |index: usize| figure.timing(&self.page.weighing.rows[index]);
            columns.push(self.marked(head.into(), figure, &|index| Some(scale.shown(timing(index)?))));
            columns.push(self.plain(&|index| self.spread(timing(index)?)));
            if figure == Figure::Decode {
                columns.extend(self.against_source());
            }
        }
        columns.extend(self.memory());
        writeln!(out)?;
        table::write(&columns, 3, &self.page.frame(), out)
    }

    /// How many times as fast as the source each row is read, where the source was read at all.
    fn against_source(&self) -> Option<Column> {
        let decode = |index: &usize| {
            let timing = self.page.weighing.rows[*index].decode.as_ref();
            timing.filter(|t| !t.below_precision && t.median_ns > 0.0).map(|t| t.median_ns)
        };
        let source = self.rows.iter().find(|index| self.page.weighing.rows[**index].source)?;
        let of_source = decode(source)?;
        let cells = self.rows.iter().map(|index| {
            let factor = decode(index).filter(|_| index != source).map(|own| three_digits(of_source / own));
            Cell::new(factor.unwrap_or_default(), DIM)
        });
        Some(Column { cells: cells.collect(), ..Column::right(format!("{} source", self.page.sign("×", "x"))) })
    }

    /// Allocations a record that is read, and the most that is held when all are read for the first time.
    fn memory(&self) -> [Column; 2] {
        let weighing = self.page.weighing;
        let column = |head: &str, show: &dyn Fn(&Row) -> Option<String>| {
            let shown = self.rows.iter().map(|index| show(&weighing.rows[*index]).unwrap_or_default());
            Column { cells: shown.map(|text| Cell::new(text, DIM)).collect(), ..Column::right(head) }
        };
        let allocations = |row: &Row| allocations_a_record(weighing, row).map(few);
        [
            column("allocs", &allocations),
            column("peak", &|row| peak(row).map(|bytes| rough_bytes(bytes as f64))).joined(),
        ]
    }

    fn compression(&self, out: &mut dyn Write) -> io::Result<()> {
        let compressors = self.page.weighing.compressors();
        let figures: Vec<(Figure<'_>, Figure<'_>)> = compressors
            .iter()
            .map(|(name, level)| (Figure::Compress(name, *level), Figure::Decompress(name, *level)))
            .collect();
        let all: Vec<Figure<'_>> = figures.iter().flat_map(|(there, back)| [*there, *back]).collect();
        let Some(scale) = self.scale(&all) else { return Ok(()) };
        let mut columns: Vec<Column> = self.keys(&scale.head("compression")).into();
        for ((there, back), (name, level)) in figures.into_iter().zip(compressors) {
            let timing = |figure: Figure<'_>, index: usize| {
                figure.timing(&self.page.weighing.rows[index]).map(|timing| scale.shown(timing))
            };
            columns.push(self.marked(compressor_label(name, level), there, &|index| timing(there, index)));
            let mut column = self.marked("back".into(), back, &|index| timing(back, index));
            column.joined = true;
            columns.push(column);
        }
        writeln!(out)?;
        table::write(&columns, 3, &self.page.frame(), out)
    }

    /// What is best over the links that were asked for.
    fn links(&self, out: &mut dyn Write) -> io::Result<()> {
        let (weighing, labels) = (self.page.weighing, self.page.labels);
        let lines = links::lines(weighing, labels, self.lane);
        if lines.is_empty() {
            return Ok(());
        }
        let plain =
            |text: &str| Cell::new(if self.page.options.unicode { text.into() } else { text.replace('µ', "u") }, PLAIN);
        let mut columns = vec![Column::left("link")];
        columns[0].cells.extend(lines.iter().map(|line| plain(&line.link)));
        for (at, head) in links::HEADS.into_iter().enumerate() {
            let column = if at == 0 { Column::left(head) } else { Column::right(head) };
            let cells = lines.iter().map(|line| plain(&line.cells[at])).collect();
            columns.push(Column { cells, ..column });
        }
        writeln!(out)?;
        table::write(&columns, 1, &self.page.frame(), out)?;
        for text in links::sentences(weighing, labels, self.lane) {
            self.page.line(&plain(&text).text, DIM, out)?;
        }
        Ok(())
    }

    /// Every message by itself, where that was asked for.
    fn each(&self, out: &mut dyn Write) -> io::Result<()> {
        let (weighing, labels) = (self.page.weighing, self.page.labels);
        let readable = |text: &str| if self.page.options.unicode { text.to_owned() } else { text.replace('µ', "u") };
        for table in each::tables(weighing, self.lane) {
            let part = LanePage { page: self.page, lane: self.lane, by_codec: table.by_codec, rows: table.rows };
            let mut columns: Vec<Column> = part.keys(&readable(&table.head)).into();
            for each::Figures { head, joined, cells, .. } in table.columns {
                let column = if joined { Column::right(head).joined() } else { Column::right(head) };
                let cells = cells.into_iter().map(|cell| match cell {
                    Some(each::Figure { text, best: true, .. }) => {
                        Cell::new(format!("{}{text}", self.page.best_sign()), BEST)
                    }
                    Some(figure) => Cell::new(figure.text, PLAIN),
                    None => Cell::default(),
                });
                columns.push(Column { cells: cells.collect(), ..column });
            }
            writeln!(out)?;
            table::write(&columns, 3, &self.page.frame(), out)?;
            if let Some(note) = table.note {
                self.page.line(&note, DIM, out)?;
            }
        }
        for text in each::without_dictionary(weighing, labels, self.lane) {
            self.page.line(&readable(&crate::figures::printable(&text)), DIM, out)?;
        }
        Ok(())
    }

    /// The unit that suits these figures; `None` when there are none.
    fn scale(&self, figures: &[Figure<'_>]) -> Option<Scale> {
        let weighing = self.page.weighing;
        let records = weighing.input.records;
        let each = |nanos: f64| weighing.per_record(nanos).unwrap_or(nanos);
        let rows = self.rows.iter().map(|index| &weighing.rows[*index]);
        let largest =
            rows.flat_map(|row| figures.iter().filter_map(|figure| figure.of(row))).map(each).reduce(f64::max)?;
        Some(Scale { unit: Unit::for_largest(largest, self.page.options.unicode), records })
    }

    /// `±2%`; nothing where no interval is known.
    fn spread(&self, timing: &Timing) -> Option<String> {
        let spread = timing.spread()?;
        let sign = self.page.sign("±", "+-");
        Some(if spread >= 0.995 { format!("{sign}>99%") } else { format!("{sign}{:.0}%", spread * 100.0) })
    }
}

/// A unit, and how many records share a time.
#[derive(Clone, Copy)]
struct Scale {
    unit: Unit,
    records: u64,
}

impl Scale {
    fn head(self, what: &str) -> String {
        let per = if self.records > 0 { "record" } else { "batch" };
        format!("{what}, {}/{per}", self.unit.name)
    }

    /// The median; below the clock's precision, what it is less than.
    fn shown(self, timing: &Timing) -> String {
        let each = |nanos: f64| self.unit.of(nanos / self.records.max(1) as f64);
        if timing.below_precision { format!("<{}", each(timing.high_ns)) } else { each(timing.median_ns) }
    }
}

/// A bar of `part` of `length` columns, to an eighth of a column; never empty for something.
fn bar(part: f64, length: usize, unicode: bool) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    if part <= 0.0 {
        return String::new();
    }
    if !unicode {
        return "#".repeat(((part * length as f64).round() as usize).max(1));
    }
    let eighths = ((part * length as f64 * 8.0).round() as usize).max(1);
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}
