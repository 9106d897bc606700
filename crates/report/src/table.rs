//! Tables of aligned text: as wide as their content, split where they would be wider than allowed.

use std::io::{self, Write};

use anstyle::Style;

/// One field of a table.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cell {
    pub(crate) text: String,
    pub(crate) style: Style,
}

impl Cell {
    pub(crate) fn new(text: impl Into<String>, style: Style) -> Self {
        Self { text: text.into(), style }
    }

    /// In columns of the terminal; all text here is of characters one column wide.
    fn width(&self) -> usize {
        self.text.chars().count()
    }
}

/// A column: its head and a cell for each row.
#[derive(Debug)]
pub(crate) struct Column {
    pub(crate) head: String,
    pub(crate) right: bool,
    /// Blank columns before it.
    pub(crate) gap: usize,
    /// Whether it must not be parted from the column before it.
    pub(crate) joined: bool,
    pub(crate) cells: Vec<Cell>,
}

impl Column {
    pub(crate) fn left(head: impl Into<String>) -> Self {
        Self { head: head.into(), right: false, gap: 2, joined: false, cells: Vec::new() }
    }

    pub(crate) fn right(head: impl Into<String>) -> Self {
        Self { right: true, ..Self::left(head) }
    }

    /// Belongs to the column before: one blank apart, and never split from it.
    pub(crate) fn joined(self) -> Self {
        Self { gap: 1, joined: true, ..self }
    }

    fn width(&self) -> usize {
        self.cells.iter().map(Cell::width).chain([self.head.chars().count()]).max().unwrap_or(0)
    }

    fn is_empty(&self) -> bool {
        self.cells.iter().all(|cell| cell.text.is_empty())
    }

    fn write(&self, cell: &Cell, width: usize, color: bool, line: &mut String) {
        let pad = " ".repeat(width.saturating_sub(cell.width()));
        let (before, after) = if self.right { (pad.as_str(), "") } else { ("", pad.as_str()) };
        line.push_str(before);
        if color && !cell.text.is_empty() {
            line.push_str(&format!("{}{}{}", cell.style.render(), cell.text, cell.style.render_reset()));
        } else {
            line.push_str(&cell.text);
        }
        line.push_str(after);
    }
}

/// How tables are drawn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    pub(crate) width: usize,
    pub(crate) color: bool,
    pub(crate) rule: &'static str,
    pub(crate) head: Style,
    pub(crate) rule_style: Style,
}

/// Writes the table. The first `keys` columns name a row; when the others do not fit beside them, they go on in a further
/// table below, with the keys repeated.
pub(crate) fn write(columns: &[Column], keys: usize, frame: &Frame, out: &mut dyn Write) -> io::Result<()> {
    let (keys, rest) = columns.split_at(keys);
    let keys: Vec<&Column> = keys.iter().filter(|column| !column.is_empty()).collect();
    let mut block: Vec<&Column> = Vec::new();
    let mut first = true;
    for group in rest.chunk_by(|_, next| next.joined) {
        let group: Vec<&Column> = group.iter().filter(|column| !column.is_empty()).collect();
        let with_it: Vec<&Column> = keys.iter().chain(&block).chain(&group).copied().collect();
        let full = total(&with_it) > frame.width;
        if full && !block.is_empty() {
            write_block(&keys, &block, frame, first, out)?;
            first = false;
            block.clear();
        }
        block.extend(group);
    }
    write_block(&keys, &block, frame, first, out)
}

/// The columns side by side; the first has nothing before it.
fn total(columns: &[&Column]) -> usize {
    let all: usize = columns.iter().map(|column| column.width() + column.gap).sum();
    all - columns.first().map_or(0, |column| column.gap)
}

fn write_block(keys: &[&Column], rest: &[&Column], frame: &Frame, first: bool, out: &mut dyn Write) -> io::Result<()> {
    if !first {
        writeln!(out)?;
    }
    let columns: Vec<&Column> = keys.iter().chain(rest).copied().collect();
    let rows = columns.first().map_or(0, |column| column.cells.len());
    let line = |cell: &dyn Fn(&Column) -> Cell| {
        let mut line = String::new();
        for (index, column) in columns.iter().enumerate() {
            line.push_str(&" ".repeat(if index == 0 { 0 } else { column.gap }));
            column.write(&cell(column), column.width(), frame.color, &mut line);
        }
        line.trim_end().to_owned()
    };
    writeln!(out, "{}", line(&|column| Cell::new(&column.head, frame.head)))?;
    let rule = frame.rule.repeat(total(&columns));
    if frame.color {
        writeln!(out, "{}{rule}{}", frame.rule_style.render(), frame.rule_style.render_reset())?;
    } else {
        writeln!(out, "{rule}")?;
    }
    for row in 0..rows {
        writeln!(out, "{}", line(&|column| column.cells[row].clone()))?;
    }
    Ok(())
}

/// Breaks text at blanks into lines of `width` columns, all but the first indented. Words are never broken.
pub(crate) fn wrapped(text: &str, width: usize, indent: usize) -> String {
    let mut lines = String::new();
    let mut column = 0;
    for word in text.split(' ') {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > width {
            lines.truncate(lines.trim_end().len());
            lines.push('\n');
            lines.push_str(&" ".repeat(indent));
            column = indent;
        } else if column > 0 {
            lines.push(' ');
            column += 1;
        }
        lines.push_str(word);
        column += length;
    }
    lines
}

/// What the whole table takes, unsplit.
pub(crate) fn width(columns: &[Column]) -> usize {
    let shown: Vec<&Column> = columns.iter().filter(|column| !column.is_empty()).collect();
    total(&shown)
}
