//! Values for people, never more than a few lines of them.

use super::{Items, Row, Value};
use std::fmt::{self, Write};

/// Characters that `Debug` shows of a row, value or list.
const MOST: usize = 2_000;

/// A value as text of at most so many characters, and an ellipsis where there would be more.
pub(crate) fn shown(value: Value<'_>, most: usize) -> String {
    let mut text = String::new();
    // Text takes all that the cut lets through.
    let _ = cut(&mut text, most, |out| write_value(value, out));
    text
}

impl fmt::Debug for Row<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        cut(f, MOST, |out| write_row(*self, out))
    }
}

impl fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        cut(f, MOST, |out| write_value(*self, out))
    }
}

impl fmt::Debug for Items<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        cut(f, MOST, |out| write_items(*self, out))
    }
}

/// Writes until there is no room left: then all that writes comes to an end, however much there is.
fn cut(out: &mut dyn Write, most: usize, write: impl FnOnce(&mut Cut<'_>) -> fmt::Result) -> fmt::Result {
    let mut cut = Cut { out, left: most, full: false };
    let written = write(&mut cut);
    if cut.full { cut.out.write_char('…') } else { written }
}

struct Cut<'o> {
    out: &'o mut dyn Write,
    left: usize,
    full: bool,
}

impl Write for Cut<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        match text.char_indices().nth(self.left) {
            None => {
                self.left -= text.chars().count();
                self.out.write_str(text)
            }
            Some((end, _)) => {
                self.full = true;
                self.left = 0;
                self.out.write_str(&text[..end])?;
                Err(fmt::Error)
            }
        }
    }
}

fn write_row(row: Row<'_>, out: &mut Cut<'_>) -> fmt::Result {
    out.write_char('{')?;
    for (at, (slot, value)) in row.fields().enumerate() {
        write!(out, "{}{}: ", if at > 0 { ", " } else { "" }, slot.name)?;
        match value {
            Value::Enum(id, number) => match row.batch().layout().schema().enumeration(id).name_of(number) {
                Some(name) => out.write_str(name)?,
                None => write!(out, "{number}")?,
            },
            _ => write_value(value, out)?,
        }
    }
    out.write_char('}')
}

fn write_items(items: Items<'_>, out: &mut Cut<'_>) -> fmt::Result {
    out.write_char('[')?;
    for (at, item) in items.iter().enumerate() {
        out.write_str(if at > 0 { ", " } else { "" })?;
        write_value(item, out)?;
    }
    out.write_char(']')
}

fn write_value(value: Value<'_>, out: &mut Cut<'_>) -> fmt::Result {
    match value {
        Value::Bool(v) => write!(out, "{v}"),
        Value::Int(v) => write!(out, "{v}"),
        Value::Uint(v) => write!(out, "{v}"),
        Value::Float(v) => write!(out, "{v:?}"),
        Value::Double(v) => write!(out, "{v:?}"),
        Value::String(v) => write!(out, "{v:?}"),
        Value::Bytes(v) => write!(out, "bytes {v:02x?}"),
        Value::Enum(_, v) => write!(out, "{v}"),
        Value::Message(row) => write_row(row, out),
        Value::List(items) => write_items(items, out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Cardinality, Enum, EnumId, EnumValue, Field, Int, Kind, Message, MessageId, Schema};
    use crate::{Batch, Layout};
    use std::sync::Arc;

    /// A row with so many children, each with a name.
    fn batch(kids: usize, name: &str) -> Batch<'static> {
        let fields = vec![
            Field::new("id", 1, Kind::Int(Int::I32), Cardinality::Optional),
            Field::new("name", 2, Kind::String, Cardinality::Optional),
            Field::new("kids", 3, Kind::Message(MessageId(0)), Cardinality::Repeated),
            Field::new("type", 4, Kind::Enum(EnumId(0)), Cardinality::Optional),
        ];
        let message = Message { name: "Node".into(), fields, ..Message::default() };
        let value = EnumValue { name: "CNAME".into(), number: 5, ..EnumValue::default() };
        let types = Enum { name: "Type".into(), values: vec![value], open: true, ..Enum::default() };
        let schema = Arc::new(Schema { messages: vec![message], enums: vec![types] });
        let layout = Arc::new(Layout::new(schema, MessageId(0)).unwrap());
        let root = layout.root();
        let mut batch = Batch::new(layout.clone());
        let row = batch.push_record().unwrap();
        batch.set(row, &root.slots[0], -7_i64 as u64);
        batch.set(row, &root.slots[3], 5);
        for _ in 0..kids {
            let kid = batch.push_item(row + root.slots[2].word as usize, root.stride).unwrap();
            let text = batch.store(name.as_bytes()).unwrap();
            batch.set(kid, &root.slots[1], text.word());
            batch.set(kid, &root.slots[3], 6);
        }
        batch.mark(row, 2);
        batch
    }

    #[test]
    fn a_row_shows_its_own_fields() {
        let batch = batch(2, "a\"b");
        let row = batch.get(0).unwrap();
        assert_eq!(
            format!("{row:?}"),
            r#"{id: -7, kids: [{name: "a\"b", type: 6}, {name: "a\"b", type: 6}], type: CNAME}"#
        );
        let Some(Value::List(kids)) = row.field("kids") else { panic!("no list") };
        assert_eq!(format!("{kids:?}"), r#"[{name: "a\"b", type: 6}, {name: "a\"b", type: 6}]"#);
        assert_eq!(shown(Value::Message(row), 12), "{id: -7, kid…");
        assert_eq!(shown(Value::Int(12), 2), "12");
    }

    #[test]
    fn much_is_cut() {
        let many = batch(100_000, "é");
        assert_eq!(format!("{:?}", many.get(0).unwrap()).chars().count(), MOST + 1);
        let long = batch(1, &"x".repeat(1 << 20));
        assert_eq!(format!("{:?}", long.get(0).unwrap()).chars().count(), MOST + 1);
    }
}
