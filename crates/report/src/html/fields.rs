//! Which field the bytes are of: stacked bars of tags, lengths and values, and all fields in a table.

use bantam_weigh::FieldCost;

use super::page::LanePage;
use super::scale::Axis;
use super::svg::{Anchor, Drawing, View, chart, fitted, legend, room_for};
use super::table::{Cell, Kind, Table};
use crate::figures::{counted_bytes, grouped, percent, printable, short_bytes};

/// How many fields the chart shows; the table has all.
const SHOWN: usize = 15;
const PARTS: [&str; 3] = ["tag", "length", "value"];

/// A chart and a table for each row whose fields are known.
pub(super) fn figures(lane: &LanePage<'_>) -> Option<String> {
    let known = lane.rows.iter().filter(|index| !lane.page.weighing.rows[**index].fields.is_empty());
    let html: String = known.map(|index| figure(lane, *index)).collect();
    (!html.is_empty()).then_some(html)
}

fn figure(lane: &LanePage<'_>, index: usize) -> String {
    let fields = &lane.page.weighing.rows[index].fields;
    let name = lane.page.row_name(index);
    let shown = &fields[..fields.len().min(SHOWN)];
    let title = format!("Bytes by field in {name}{}", lane.suffix());
    let costliest =
        shown.first().map(|field| format!(" The costliest is {} with {}.", path(field), counted_bytes(field.bytes())));
    let about = format!(
        "Stacked bars from zero of the tag, length and value bytes of {} of {} fields.{} All stand in the table below.",
        shown.len(),
        fields.len(),
        costliest.unwrap_or_default()
    );
    let html = chart(&lane.id(&format!("fields-{index}")), &title, &about, &|view| draw(view, shown));
    let rest = fields.len() - shown.len();
    let caption = match rest {
        0 => String::new(),
        _ => format!(" The {} costliest are shown; the table has {rest} more.", shown.len()),
    };
    let table = table(lane, index, &title).folded(&format!("All fields of {name}"));
    format!(
        "{}<figure>\n{html}<figcaption>Bytes over all records; the axis starts at zero.{caption}</figcaption>\n\
         </figure>\n{table}",
        lane.heading(&name)
    )
}

fn path(field: &FieldCost) -> String {
    if field.path.is_empty() { "(framing)".into() } else { printable(&field.path) }
}

fn parts(field: &FieldCost) -> [u64; 3] {
    [field.tag_bytes, field.length_bytes, field.value_bytes]
}

const STEP: f64 = 22.0;

fn draw(view: View, fields: &[FieldCost]) -> Drawing {
    let left = if view.is_wide() { 240.0 } else { 4.0 };
    let figures: Vec<String> = fields.iter().map(|field| grouped(field.bytes())).collect();
    let right = view.width() - room_for(figures.iter().map(String::as_str), view);
    let name_height = if view.is_wide() { 0.0 } else { 16.0 };
    let entries: Vec<_> = PARTS.iter().enumerate().map(|(at, name)| (at, (*name).to_owned())).collect();
    let mut drawing = Drawing::default();
    let top = legend(&mut drawing, &entries, if view.is_wide() { left } else { 0.0 }, 0.0, view.width()) + 4.0;
    let bottom = top + fields.len() as f64 * (STEP + name_height);
    drawing.height = bottom + 40.0;
    let axis = Axis::from_zero(fields.iter().map(|field| field.bytes() as f64), left, right);
    axis.draw_below(&mut drawing, (top, bottom), if view.is_wide() { 6 } else { 3 }, &short_bytes);
    drawing.text("m", (right, bottom + 34.0), Anchor::End, "bytes, from zero →");
    let mut y = top;
    for field in fields {
        match view {
            View::Wide => drawing.text("", (left - 10.0, y + 15.0), Anchor::End, &fitted(&path(field), left - 14.0)),
            View::Narrow => drawing.text("", (left, y + 13.0), Anchor::Start, &fitted(&path(field), 330.0)),
        }
        y += name_height;
        stack(&mut drawing, field, &axis, y);
        drawing.text("", (axis.at(field.bytes() as f64) + 6.0, y + 15.0), Anchor::Start, &grouped(field.bytes()));
        y += STEP;
    }
    drawing.line("a", (left, top), (left, bottom));
    drawing
}

fn stack(drawing: &mut Drawing, field: &FieldCost, axis: &Axis, y: f64) {
    let mut before = 0;
    for (part, bytes) in parts(field).into_iter().enumerate() {
        if bytes == 0 {
            continue;
        }
        let (from, to) = (axis.at(before as f64), axis.at((before + bytes) as f64));
        let tip = format!("{}, {}\n{}", path(field), PARTS[part], counted_bytes(bytes));
        drawing.mark(part, &tip, |drawing| {
            drawing.rect("k", (from, y + 3.0), (to - from, STEP - 6.0));
            // Where there is room, the shape of the legend says which part it is, too.
            if to - from > 18.0 {
                drawing.shape("in", part, (f64::midpoint(from, to), y + STEP / 2.0), 3.2);
            }
        });
        before += bytes;
    }
}

fn table(lane: &LanePage<'_>, index: usize, caption: &str) -> Table {
    let row = &lane.page.weighing.rows[index];
    let mut table = Table::new(&lane.id(&format!("table-fields-{index}")), caption, "field");
    for head in ["values", "tag", "length", "value", "bytes", "share", "compressed"] {
        table.column(head, Kind::Figure);
    }
    let total: u64 = row.fields.iter().map(FieldCost::bytes).sum();
    for field in &row.fields {
        let count = |number: u64| Cell::figure(&grouped(number), number as f64);
        let share = field.bytes() as f64 / total.max(1) as f64;
        let compressed = field.compressed_bytes.map_or_else(Cell::none, |bytes| {
            let sign = if bytes < 0 { "−" } else { "" };
            Cell::figure(&format!("{sign}{}", grouped(bytes.unsigned_abs())), bytes as f64)
        });
        let [tag, length, value] = parts(field).map(count);
        let share = Cell::figure(&percent(share), share);
        table.row(&path(field), vec![count(field.count), tag, length, value, count(field.bytes()), share, compressed]);
    }
    table
}
