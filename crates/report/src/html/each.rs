//! Every message by itself: tables of bytes and times, compressed one by one, and what a trained dictionary costs and saves.

use super::page::LanePage;
use super::table::{Cell, Kind, Table};
use super::text::escaped;
use crate::each;

/// The tables of a lane, where messages were weighed.
pub(super) fn tables(lane: &LanePage<'_>) -> Option<String> {
    let (weighing, labels) = (lane.page.weighing, lane.page.labels);
    let mut html = String::new();
    for found in each::tables(weighing, lane.lane) {
        let caption = format!("{}{}", found.caption, lane.suffix());
        let mut table = Table::new(&lane.id(&format!("table-{}", found.id)), &caption, "format");
        for column in &found.columns {
            table.column(&column.full, Kind::Figure);
        }
        for (at, index) in found.rows.iter().enumerate() {
            let row = &weighing.rows[*index];
            let name = if found.by_codec { lane.page.row_name(*index) } else { labels.name(row) };
            let cell = |column: &each::Figures| match &column.cells[at] {
                Some(figure) => Cell::figure(&figure.text, figure.value).best(figure.best),
                None => Cell::none(),
            };
            table.row(&name, found.columns.iter().map(cell).collect());
        }
        html += &table.html();
        if let Some(note) = &found.note {
            html += &format!("<p class=\"note\">{}</p>\n", escaped(note));
        }
    }
    for text in each::without_dictionary(weighing, labels, lane.lane) {
        html += &format!("<p class=\"note\">{}</p>\n", escaped(&text));
    }
    (!html.is_empty()).then_some(html)
}
