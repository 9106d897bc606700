//! Showing a weigh-in: terminal, JSON, CSV, Markdown, HTML.
//!
//! [`REPORTS`] is the table: a report is one file and one row in it. A report computes no figure of its own
//! beyond shares and sums of those in the [`Weighing`], and writes to whatever it is given.
//!
//! The reports for people show rows in one order everywhere: the source's format first, then what came back equal
//! by size, smallest first, then lossy rows; what is unsupported is listed below with its reason.
//! The reports for programs keep the order of the weighing.

// A report is put together once: `write!` would save an allocation and add an error that cannot happen.
#![allow(clippy::format_push_string)]

use std::io::{self, Write};

use bantam_weigh::Weighing;

mod answers;
mod csv;
mod each;
mod figures;
mod html;
mod json;
mod links;
mod markdown;
mod table;
mod terminal;
mod view;

/// Every report, in the order in which listings show them.
pub static REPORTS: &[&Report] = &[&terminal::TERMINAL, &json::JSON, &csv::CSV, &markdown::MARKDOWN, &html::HTML];

/// One row of [`REPORTS`].
pub struct Report {
    /// The name it is asked for by.
    pub name: &'static str,
    /// One line for listings.
    pub about: &'static str,
    render: Render,
}

type Render = fn(&Weighing, &Options, &mut dyn Write) -> io::Result<()>;

impl Report {
    /// Writes the report, with a line break at its end.
    ///
    /// # Errors
    /// Only those of `out`.
    pub fn render(&self, weighing: &Weighing, options: &Options, out: &mut dyn Write) -> io::Result<()> {
        (self.render)(weighing, options, out)
    }
}

impl std::fmt::Debug for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Report").field("name", &self.name).finish_non_exhaustive()
    }
}

/// How a report may look. Only the terminal report has a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Whether to colour with ANSI escape sequences.
    pub color: bool,
    /// The columns of the terminal. Tables are split to fit, down to some 40 columns.
    pub width: usize,
    /// Whether signs beyond ASCII may be used.
    pub unicode: bool,
}

impl Default for Options {
    /// No colour, 100 columns, Unicode.
    fn default() -> Self {
        Self { color: false, width: 100, unicode: true }
    }
}

/// The row of that name, exactly as written.
pub fn by_name(name: &str) -> Option<&'static Report> {
    REPORTS.iter().copied().find(|report| report.name == name)
}
