//! A [`Schema`] as `.proto` text.

mod plan;
mod write;

use crate::schema::{MessageId, Schema};
use plan::Plan;
use write::Writer;

/// The schema as one `.proto` file: all of it, or with `root` what records of that message can hold.
///
/// The file is proto3; it is proto2 if a field is required or has a default, an enum is closed or does not
/// begin with zero, or there are groups. Messages stand inside the message that their full name says, the package is
/// the one of the root or of the first message, and messages of other packages are flattened. What `.proto`
/// cannot say stands in comments of the form `bantam: …` (`bantam: list`, `bantam: set`, `bantam: int16`,
/// `bantam: name "content-type"`, …), which [`read`](super::read) understands. So reading the text gives the
/// schema again, but for these: the order of messages and enums, which follows the text; fields of one oneof,
/// which come to stand together; [`Message::imported`](crate::Message::imported); the documentation of a
/// message that a `group` declares.
///
/// ```
/// use bantam_model::{Cardinality, Field, Kind, Message, Schema, source};
/// let fields = vec![Field::new("content-type", 1, Kind::String, Cardinality::Optional)];
/// let schema = Schema { messages: vec![Message { name: "Part".into(), fields, ..Message::default() }], enums: vec![] };
/// let text = source::to_proto(&schema, None);
/// assert_eq!(
///     text,
///     r#"syntax = "proto3";
///
/// message Part {
///   // bantam: name "content-type"
///   optional string content_type = 1 [json_name = "content-type"];
/// }
/// "#
/// );
/// assert_eq!(*source::read("part.proto", text.as_bytes(), &[])?.schema, schema);
/// # Ok::<(), bantam_model::Error>(())
/// ```
pub fn to_proto(schema: &Schema, root: Option<MessageId>) -> String {
    let plan = Plan::new(schema, root);
    let mut writer = Writer::new(&plan);
    writer.file();
    writer.finish()
}
