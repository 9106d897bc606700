//! `markdown`: the terminal's tables as GitHub-flavoured Markdown, with the best of each column in bold.

use std::io::{self, Write};

use bantam_weigh::{Column as Figure, Fidelity, Lane, Row, Timing, Weighing};

use crate::answers::answers;
use crate::each;
use crate::figures::{Unit, few, grouped, percent, rough_bytes};
use crate::links;
use crate::view::{
    Labels, allocations_a_record, best, compressor_label, debug_warning, environment, notes, peak, shown_rows, title,
};
use crate::{Options, Report};

pub(crate) static MARKDOWN: Report =
    Report { name: "markdown", about: "the tables for a README, an issue or a wiki", render };

fn render(weighing: &Weighing, _options: &Options, out: &mut dyn Write) -> io::Result<()> {
    let labels = Labels::of(weighing);
    writeln!(out, "**{}**", escaped(&title(weighing)))?;
    if let Some(warning) = debug_warning(weighing) {
        writeln!(out, "\n**{warning}**")?;
    }
    if weighing.rows.is_empty() {
        writeln!(out, "\nNothing was weighed.")?;
    }
    let lanes = weighing.lanes();
    for lane in &lanes {
        let rows = shown_rows(weighing, *lane);
        if rows.is_empty() {
            continue;
        }
        if lanes.len() > 1 {
            writeln!(out, "\nLane: {}", lane.name())?;
        }
        let tables = Tables { weighing, labels: &labels, lane: *lane, rows };
        tables.sizes(out)?;
        tables.times(out)?;
        tables.links(out)?;
        tables.each(out)?;
    }
    writeln!(out)?;
    for note in notes(weighing, &labels) {
        let word = match note.fidelity {
            Fidelity::Profile => "equal by a profile: ",
            Fidelity::Lossy => "**not equal, not ranked**: ",
            _ => "unsupported: ",
        };
        writeln!(out, "- {}: {word}{}", escaped(&note.rows), escaped(&note.text))?;
    }
    for advice in &weighing.advice {
        writeln!(out, "- **{}**: {}", advice.kind.name(), escaped(&advice.text))?;
    }
    for text in &weighing.includes {
        writeln!(out, "- {}", escaped(text))?;
    }
    for answer in answers(weighing, &labels) {
        writeln!(out, "- {}", escaped(&answer))?;
    }
    writeln!(out, "\n{}", escaped(&environment(weighing)))
}

struct Tables<'a> {
    weighing: &'a Weighing,
    labels: &'a Labels,
    lane: Lane,
    rows: Vec<usize>,
}

impl Tables<'_> {
    fn sizes(&self, out: &mut dyn Write) -> io::Result<()> {
        let compressors = self.weighing.compressors();
        let compressors: Vec<_> = compressors.into_iter().filter(|(name, _)| *name != "none").collect();
        let labels = compressors.iter().map(|(name, level)| compressor_label(name, *level));
        let heads: Vec<String> = ["size".into(), "fidelity".into(), "bytes".into()].into_iter().chain(labels).collect();
        let size = |figure: Figure<'_>, index: usize, bytes: Option<u64>| -> String {
            let Some(bytes) = bytes else { return String::new() };
            let share = self.weighing.ratio(bytes).map(|ratio| format!(" ({})", percent(ratio)));
            self.marked(figure, index, format!("{}{}", grouped(bytes), share.unwrap_or_default()))
        };
        let formats: Vec<usize> = self.rows.iter().copied().filter(|index| !self.weighing.rows[*index].floor).collect();
        self.table(&heads, 2, &formats, out, &|index, row| {
            let under = compressors.iter().map(|(name, level)| {
                let bytes = row.under(name, *level).map(|found| found.bytes);
                size(Figure::CompressedBytes(name, *level), index, bytes)
            });
            let lead = [row.fidelity.name().into(), size(Figure::Bytes, index, row.bytes)];
            lead.into_iter().chain(under).collect()
        })
    }

    fn times(&self, out: &mut dyn Write) -> io::Result<()> {
        let compressors = self.weighing.compressors();
        let mut figures = vec![
            ("encode".to_owned(), Figure::Encode),
            ("decode".to_owned(), Figure::Decode),
            ("round trip".to_owned(), Figure::RoundTrip),
        ];
        for (name, level) in &compressors {
            let label = compressor_label(name, *level);
            figures.push((label.clone(), Figure::Compress(name, *level)));
            figures.push((format!("{label}, back"), Figure::Decompress(name, *level)));
        }
        let rows = || self.rows.iter().map(|index| &self.weighing.rows[*index]);
        // A figure that no row has gets no column.
        figures.retain(|(_, figure)| rows().any(|row| figure.of(row).is_some()));
        let each = |nanos: f64| self.weighing.per_record(nanos).unwrap_or(nanos);
        let all = rows().flat_map(|row| figures.iter().filter_map(|(_, figure)| figure.of(row)));
        let Some(largest) = all.map(each).reduce(f64::max) else { return Ok(()) };
        let unit = Unit::for_largest(largest, true);
        let per = if self.weighing.input.records > 0 { "record" } else { "batch" };

        let mut heads = vec![format!("time, {}/{per}", unit.name)];
        heads.extend(figures.iter().map(|(head, _)| head.clone()));
        let shown = |timing: &Timing| match (timing.below_precision, timing.spread()) {
            (true, _) => format!("<{}", unit.of(each(timing.high_ns))),
            (false, Some(spread)) => format!("{} ±{}", unit.of(each(timing.median_ns)), percent(spread)),
            (false, None) => unit.of(each(timing.median_ns)),
        };
        let counted = rows().any(|row| row.memory.is_some());
        heads.extend(["allocs", "peak"].into_iter().filter(|_| counted).map(str::to_owned));
        self.table(&heads, 1, &self.rows, out, &|index, row| {
            let cell = |figure: &Figure<'_>| figure.timing(row).map(&shown).unwrap_or_default();
            let times = figures.iter().map(|(_, figure)| self.marked(*figure, index, cell(figure)));
            let memory =
                [allocations_a_record(self.weighing, row).map(few), peak(row).map(|bytes| rough_bytes(bytes as f64))];
            times.chain(memory.into_iter().filter(|_| counted).map(Option::unwrap_or_default)).collect()
        })
    }

    /// What is best over the links that were asked for.
    fn links(&self, out: &mut dyn Write) -> io::Result<()> {
        let lines = links::lines(self.weighing, self.labels, self.lane);
        if lines.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n| link | {} |\n| --- | --- | ---: | ---: | ---: |", links::HEADS.join(" | "))?;
        for line in lines {
            writeln!(out, "| {} | {} |", line.link, line.cells.map(|cell| escaped(&cell)).join(" | "))?;
        }
        for text in links::sentences(self.weighing, self.labels, self.lane) {
            writeln!(out, "\n{}", escaped(&text))?;
        }
        Ok(())
    }

    /// Every message by itself, where that was asked for.
    fn each(&self, out: &mut dyn Write) -> io::Result<()> {
        for table in each::tables(self.weighing, self.lane) {
            let heads: Vec<String> =
                std::iter::once(table.head).chain(table.columns.iter().map(|column| column.full.clone())).collect();
            let place = |index: usize| table.rows.iter().position(|row| *row == index);
            self.table(&heads, 1, &table.rows, out, &|index, _| {
                let cell = |column: &each::Figures| match column.cells[place(index)?].as_ref()? {
                    figure if figure.best => Some(format!("**{}**", figure.text)),
                    figure => Some(figure.text.clone()),
                };
                table.columns.iter().map(|column| cell(column).unwrap_or_default()).collect()
            })?;
            if let Some(note) = &table.note {
                writeln!(out, "\n{}", escaped(note))?;
            }
        }
        for text in each::without_dictionary(self.weighing, self.labels, self.lane) {
            writeln!(out, "\n{}", escaped(&text))?;
        }
        Ok(())
    }

    fn marked(&self, figure: Figure<'_>, index: usize, text: String) -> String {
        let marked = !text.is_empty() && best(self.weighing, figure, self.lane).contains(&index);
        if marked { format!("**{text}**") } else { text }
    }

    /// One table: the first `left` columns to the left, the others to the right.
    fn table(
        &self,
        heads: &[String],
        left: usize,
        rows: &[usize],
        out: &mut dyn Write,
        cells: &dyn Fn(usize, &Row) -> Vec<String>,
    ) -> io::Result<()> {
        let heads: Vec<String> = heads.iter().map(|head| escaped(head)).collect();
        let rules: Vec<&str> = (0..heads.len()).map(|column| if column < left { "---" } else { "---:" }).collect();
        writeln!(out, "\n| {} |\n| {} |", heads.join(" | "), rules.join(" | "))?;
        for index in rows {
            let row = &self.weighing.rows[*index];
            let source = if row.source { " (source)" } else { "" };
            let name = escaped(&self.labels.full(row));
            writeln!(out, "| {name}{source} | {} |", cells(*index, row).join(" | "))?;
        }
        Ok(())
    }
}

/// Text as itself: what Markdown or HTML would take for a mark is escaped, and control characters go.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in crate::figures::printable(text).chars() {
        if matches!(c, '\\' | '|' | '*' | '_' | '`' | '<' | '>' | '[' | ']' | '#' | '&' | '~') {
            safe.push('\\');
        }
        safe.push(c);
    }
    safe
}
