//! Tables of the page. Those that can be sorted become so by the page's script; without it they stay as they are.

use super::text::escaped;

/// A cell: what it shows, and what it is sorted by.
#[derive(Debug, Clone, Default)]
pub(super) struct Cell {
    /// Ready markup.
    html: String,
    /// What figures are sorted by; text is sorted by itself.
    value: Option<f64>,
    best: bool,
}

impl Cell {
    pub(super) fn text(text: &str) -> Self {
        Self { html: escaped(text), ..Self::default() }
    }

    pub(super) fn figure(text: &str, value: f64) -> Self {
        Self { html: escaped(text), value: Some(value).filter(|value| value.is_finite()), best: false }
    }

    /// No figure: a dash, sorted to the end.
    pub(super) fn none() -> Self {
        Self { html: "–".into(), ..Self::default() }
    }

    /// With something smaller beside it.
    pub(super) fn beside(mut self, text: Option<String>) -> Self {
        if let Some(text) = text {
            self.html += &format!(" <small>{}</small>", escaped(&text));
        }
        self
    }

    /// Marked as the best of its column, or one of the best.
    pub(super) fn best(mut self, best: bool) -> Self {
        self.best = best;
        self
    }

    fn shown(&self, class: &str) -> String {
        let value = self.value.map(|value| format!(" data-v=\"{value}\"")).unwrap_or_default();
        let class = if self.best { format!("{class} best") } else { class.into() };
        let class = class.trim();
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        let star = if self.best { "<span aria-hidden=\"true\">★</span><span class=\"vh\">best: </span>" } else { "" };
        format!("<td{class}{value}>{star}{}</td>", self.html)
    }
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    /// Sentences, which need room.
    Wide,
    Figure,
}

/// A table whose first column names its rows.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) id: String,
    pub(super) caption: String,
    heads: Vec<(String, Kind)>,
    rows: Vec<(String, Vec<Cell>)>,
}

impl Table {
    pub(super) fn new(id: &str, caption: &str, first: &str) -> Self {
        let heads = vec![(first.to_owned(), Kind::Text)];
        Self { id: id.into(), caption: caption.into(), heads, rows: Vec::new() }
    }

    pub(super) fn column(&mut self, head: &str, kind: Kind) {
        self.heads.push((head.into(), kind));
    }

    pub(super) fn row(&mut self, name: &str, cells: Vec<Cell>) {
        debug_assert_eq!(cells.len() + 1, self.heads.len(), "a cell for each column");
        self.rows.push((escaped(name), cells));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table in a box of its own, in which it scrolls where the page is narrower.
    pub(super) fn html(&self) -> String {
        if self.is_empty() {
            return String::new();
        }
        let class = |kind: Kind| match kind {
            Kind::Text => "",
            Kind::Wide => "wide-text",
            Kind::Figure => "n",
        };
        let caption = escaped(&self.caption);
        let sortable = if self.rows.len() > 1 { " class=\"sortable\"" } else { "" };
        let mut html = format!(
            "<div class=\"box\" tabindex=\"0\" role=\"region\" aria-label=\"{caption}\">\n\
             <table{sortable} id=\"{}\">\n<caption><span>{caption}</span></caption>\n<thead><tr>",
            self.id
        );
        for (head, kind) in &self.heads {
            let class = if *kind == Kind::Figure { " class=\"n\"" } else { "" };
            html += &format!("<th scope=\"col\"{class}>{}</th>", escaped(head));
        }
        html += "</tr></thead>\n<tbody>\n";
        for (name, cells) in &self.rows {
            html += &format!("<tr><th scope=\"row\">{name}</th>");
            for (cell, (_, kind)) in cells.iter().zip(&self.heads[1..]) {
                html += &cell.shown(class(*kind));
            }
            html += "</tr>\n";
        }
        html + "</tbody>\n</table>\n</div>\n"
    }

    /// Folded away below a chart that shows the same.
    pub(super) fn folded(&self, summary: &str) -> String {
        if self.is_empty() {
            return String::new();
        }
        format!("<details>\n<summary>{}</summary>\n{}</details>\n", escaped(summary), self.html())
    }
}
