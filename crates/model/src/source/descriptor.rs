//! From descriptors, which protox has checked and resolved, to a [`Schema`].

use super::marks::{self, Mark};
use super::names::join;
use super::{MOST_TYPES, in_file};
use crate::error::{Error, ErrorKind, Result};
use crate::schema::{
    Cardinality, Constant, Encoding, Enum, EnumId, EnumValue, Field, Int, Kind, Message, MessageId, Schema, Shape,
    Width,
};
use prost_types::source_code_info::Location;
use protox::prost_reflect::{
    self as reflect, DescriptorPool, EnumDescriptor, FieldDescriptor, FileDescriptor, MessageDescriptor, Syntax, Value,
};
use std::collections::{HashMap, HashSet};

/// The schema of the files that `own` names, with what they use of others.
pub(super) fn schema(pool: &DescriptorPool, shown: &str, own: impl Fn(&str) -> bool) -> Result<Schema> {
    let (mut first, rest): (Vec<_>, Vec<_>) = pool.files().partition(|file| own(file.name()));
    if first.iter().all(|file| file.messages().len() == 0) {
        first = pool.files().collect();
    }
    let mut types = Types::default();
    for file in first.iter().chain(&rest) {
        types.add_file(file);
    }
    let used = types.used(&first.iter().map(FileDescriptor::name).collect());
    types.messages.retain(|m| used.contains(m.full_name()));
    types.enums.retain(|e| used.contains(e.full_name()));
    if types.messages.len() + types.enums.len() > MOST_TYPES {
        return Err(Error::new(ErrorKind::Limit, format!("more than {MOST_TYPES} types{}", in_file(shown))));
    }
    Builder::new(&types, shown).build(|file| own(file))
}

/// Every message and enum, outer ones before inner ones.
#[derive(Default)]
struct Types {
    messages: Vec<MessageDescriptor>,
    enums: Vec<EnumDescriptor>,
}

impl Types {
    fn add_file(&mut self, file: &FileDescriptor) {
        self.enums.extend(file.enums());
        file.messages().for_each(|message| self.add(message));
    }

    fn add(&mut self, message: MessageDescriptor) {
        self.enums.extend(message.child_enums());
        let inner: Vec<_> = message.child_messages().collect();
        self.messages.push(message);
        for message in inner {
            self.add(message);
        }
    }

    /// The full names of all types of these files, and of those that they use.
    fn used(&self, files: &HashSet<&str>) -> HashSet<String> {
        let own = |file: FileDescriptor| files.contains(file.name());
        let mut used: HashSet<String> =
            self.enums.iter().filter(|e| own(e.parent_file())).map(|e| e.full_name().into()).collect();
        let mut open: Vec<_> = self.messages.iter().filter(|m| own(m.parent_file())).cloned().collect();
        while let Some(message) = open.pop() {
            if !used.insert(message.full_name().into()) {
                continue;
            }
            for field in message.fields() {
                match field.kind() {
                    reflect::Kind::Message(inner) => open.push(inner),
                    reflect::Kind::Enum(inner) => {
                        used.insert(inner.full_name().into());
                    }
                    _ => {}
                }
            }
        }
        used
    }
}

/// The comment and the line and column of each place in a file, by its path.
type Locations = HashMap<Vec<i32>, (String, Option<(u64, u64)>)>;

/// What one place of the source says: documentation, marks, and where it stands.
struct Note {
    doc: String,
    marks: Vec<Mark>,
    line: Option<(u64, u64)>,
    file: String,
}

impl Note {
    fn has(&self, mark: &Mark) -> bool {
        self.marks.contains(mark)
    }

    fn name(&self) -> Option<&str> {
        self.marks.iter().find_map(|m| if let Mark::Name(name) = m { Some(name.as_str()) } else { None })
    }

    fn wrong(&self, text: impl Into<String>) -> Error {
        let error = Error::new(ErrorKind::Schema, text.into() + &in_file(&self.file));
        self.line.into_iter().fold(error, |error, (line, column)| error.at_line(line, column))
    }
}

struct Builder<'a> {
    types: &'a Types,
    shown: &'a str,
    messages: HashMap<&'a str, u32>,
    enums: HashMap<&'a str, u32>,
    locations: HashMap<String, Locations>,
    /// Names as the schema has them, by full name of the descriptor: the marks may change them.
    names: HashMap<String, String>,
}

impl<'a> Builder<'a> {
    fn new(types: &'a Types, shown: &'a str) -> Self {
        Self {
            types,
            shown,
            messages: (0..).zip(&types.messages).map(|(at, m)| (m.full_name(), at)).collect(),
            enums: (0..).zip(&types.enums).map(|(at, e)| (e.full_name(), at)).collect(),
            locations: HashMap::new(),
            names: HashMap::new(),
        }
    }

    fn build(mut self, own: impl Fn(&str) -> bool) -> Result<Schema> {
        let mut schema = Schema::default();
        for message in &self.types.messages {
            let imported = !own(message.parent_file().name());
            let message = self.message(message)?;
            schema.messages.push(Message { imported, ..message });
        }
        for of in &self.types.enums {
            let of = self.enumeration(of);
            schema.enums.push(of);
        }
        maps_of_entries(&mut schema);
        self.rename_entries(&mut schema);
        self.check(&schema)?;
        Ok(schema)
    }

    fn note(&mut self, file: &FileDescriptor, path: &[i32]) -> Note {
        if !self.locations.contains_key(file.name()) {
            let info = file.file_descriptor_proto().source_code_info.iter();
            // Whatever can have a comment has a path of pairs; the others are names, labels, numbers.
            let places = info.flat_map(|i| &i.location).filter(|l| l.path.len() % 2 == 0);
            let places = places.map(|l| (l.path.clone(), place(l))).collect();
            self.locations.insert(file.name().to_owned(), places);
        }
        let found = self.locations.get(file.name()).and_then(|places| places.get(path));
        let (comment, line) = found.map_or(("", None), |(comment, line)| (comment.as_str(), *line));
        let (doc, marks) = marks::split(comment);
        let file = if line.is_some() { file.name() } else { self.shown };
        Note { doc, marks, line, file: file.into() }
    }

    /// A type's full name: its mark's, or its own below its parent's.
    fn full_name(&mut self, full: &str, short: &str, parent: Option<MessageDescriptor>, note: &Note) -> String {
        let name = match (note.name(), parent.and_then(|p| self.names.get(p.full_name()))) {
            (Some(name), _) => name.to_owned(),
            (None, Some(parent)) => join(parent, short),
            (None, None) => full.to_owned(),
        };
        self.names.insert(full.to_owned(), name.clone());
        name
    }

    fn message(&mut self, of: &MessageDescriptor) -> Result<Message> {
        let mut note = self.note(&of.parent_file(), of.path());
        // A group's comment is its field's.
        if is_group(of) {
            note = Note { doc: String::new(), marks: Vec::new(), ..note };
        }
        let name = self.full_name(of.full_name(), of.name(), of.parent_message(), &note);
        let real: Vec<_> = of.oneofs().filter(|oneof| !oneof.is_synthetic()).collect();
        let mut oneofs = Vec::new();
        for oneof in &real {
            let note = self.note(&of.parent_file(), oneof.path());
            oneofs.push(note.name().unwrap_or(oneof.name()).to_owned());
        }
        let shape = match () {
            () if of.is_map_entry() || note.has(&Mark::Entry) => Shape::Entry,
            () if note.has(&Mark::List) => Shape::Wrapper,
            () => Shape::Record,
        };
        let mut fields = Vec::new();
        // In the order of the source: the descriptor's own iterator may follow the numbers.
        for proto in &of.descriptor_proto().field {
            let Some(field) = of.get_field_by_name(proto.name()) else { continue };
            let oneof = field.containing_oneof().and_then(|o| real.iter().position(|r| r.name() == o.name()));
            fields.push(self.field(of, &field, oneof.map(|at| at as u32))?);
        }
        Ok(Message { name, fields, oneofs, shape, imported: false, doc: note.doc })
    }

    fn field(&mut self, message: &MessageDescriptor, of: &FieldDescriptor, oneof: Option<u32>) -> Result<Field> {
        let note = self.note(&message.parent_file(), of.path());
        let kind = self.kind(of.kind());
        let cardinality = match () {
            () if of.is_map() => Cardinality::Map,
            () if of.is_list() => Cardinality::Repeated,
            () if of.is_required() => Cardinality::Required,
            // A map's entry is the same in proto2 and proto3: what is missing is zero.
            () if message.is_map_entry() && !matches!(kind, Kind::Message(_)) => Cardinality::Implicit,
            () if message.is_map_entry() || oneof.is_some() || of.supports_presence() => Cardinality::Optional,
            () => Cardinality::Implicit,
        };
        let has_default = of.field_descriptor_proto().default_value.is_some();
        let mut field = Field {
            name: of.name().to_owned(),
            number: of.number() as i32,
            oneof,
            default: if has_default { constant(of.default_value()) } else { None },
            packed: is_packed(of),
            group: of.is_group(),
            doc: note.doc.clone(),
            ..Field::new("", 0, kind, cardinality)
        };
        for mark in &note.marks {
            apply(mark, &mut field).map_err(|text| note.wrong(text))?;
        }
        Ok(field)
    }

    fn kind(&self, of: reflect::Kind) -> Kind {
        use reflect::Kind as Of;
        match of {
            Of::Double => Kind::Double,
            Of::Float => Kind::Float,
            Of::Int32 => Kind::Int(Int::I32),
            Of::Int64 => Kind::Int(Int::I64),
            Of::Uint32 => Kind::Int(Int::U32),
            Of::Uint64 => Kind::Int(Int::U64),
            Of::Sint32 => Kind::Int(Int::I32.encoded(Encoding::Zigzag)),
            Of::Sint64 => Kind::Int(Int::I64.encoded(Encoding::Zigzag)),
            Of::Fixed32 => Kind::Int(Int::U32.encoded(Encoding::Fixed)),
            Of::Fixed64 => Kind::Int(Int::U64.encoded(Encoding::Fixed)),
            Of::Sfixed32 => Kind::Int(Int::I32.encoded(Encoding::Fixed)),
            Of::Sfixed64 => Kind::Int(Int::I64.encoded(Encoding::Fixed)),
            Of::Bool => Kind::Bool,
            Of::String => Kind::String,
            Of::Bytes => Kind::Bytes,
            // All types that fields use are in the tables: `Types::used` walked over the same fields.
            Of::Message(message) => Kind::Message(MessageId(self.messages[message.full_name()])),
            Of::Enum(of) => Kind::Enum(EnumId(self.enums[of.full_name()])),
        }
    }

    fn enumeration(&mut self, of: &EnumDescriptor) -> Enum {
        let file = of.parent_file();
        let note = self.note(&file, of.path());
        let name = self.full_name(of.full_name(), of.name(), of.parent_message(), &note);
        let mut values = Vec::new();
        // As with fields, the order of the source.
        for proto in &of.enum_descriptor_proto().value {
            let Some(value) = of.get_value_by_name(proto.name()) else { continue };
            let note = self.note(&file, value.path());
            if !note.has(&Mark::Placeholder) {
                let name = note.name().unwrap_or(value.name()).to_owned();
                values.push(EnumValue { name, number: value.number(), doc: note.doc });
            }
        }
        Enum { open: file.syntax() == Syntax::Proto3 || note.has(&Mark::Open), doc: note.doc, name, values }
    }

    /// Gives the entries of maps the names that their fields' marks say.
    fn rename_entries(&mut self, schema: &mut Schema) {
        for message in &self.types.messages {
            for field in message.fields().filter(FieldDescriptor::is_map) {
                let note = self.note(&message.parent_file(), field.path());
                let name = note.marks.into_iter().find_map(|m| if let Mark::EntryName(n) = m { Some(n) } else { None });
                if let (Kind::Message(id), Some(name)) = (self.kind(field.kind()), name) {
                    schema.messages[id.0 as usize].name = name;
                }
            }
        }
    }

    /// What protox cannot check, since it knows nothing of the marks.
    fn check(&mut self, schema: &Schema) -> Result<()> {
        let mut names = HashSet::new();
        for (message, descriptor) in schema.messages.iter().zip(&self.types.messages) {
            let note = self.note(&descriptor.parent_file(), descriptor.path());
            check_shape(message).map_err(|text| note.wrong(text))?;
            if !names.insert(&message.name) {
                return Err(note.wrong(format!("two messages are named `{}`", message.name)));
            }
            let (mut names, mut numbers) = (HashSet::new(), HashSet::new());
            for field in &message.fields {
                if !names.insert(&field.name) {
                    return Err(note.wrong(format!("two fields of `{}` are named `{}`", message.name, field.name)));
                }
                if !numbers.insert(field.number) {
                    return Err(
                        note.wrong(format!("two fields of `{}` have the number {}", message.name, field.number))
                    );
                }
            }
        }
        Ok(())
    }
}

/// A place's comment, the one before it or else the one after it, and its line and column.
fn place(of: &Location) -> (String, Option<(u64, u64)>) {
    let mut comments = [&of.leading_comments, &of.trailing_comments].into_iter().flatten();
    let comment = comments.find(|text| !text.trim().is_empty()).cloned();
    let line = match of.span[..] {
        [line, column, ..] => Some((line as u64 + 1, column as u64 + 1)),
        _ => None,
    };
    (comment.unwrap_or_default(), line)
}

/// Whether a message is declared by a `group`, and not by `message`.
fn is_group(message: &MessageDescriptor) -> bool {
    message.parent_message().is_some_and(|parent| {
        parent.fields().any(|f| f.is_group() && f.kind().as_message().is_some_and(|m| m == message))
    })
}

/// Whether a list is packed: by its option, or else as its syntax has it. The descriptor's own flag is taken
/// before options are read.
fn is_packed(of: &FieldDescriptor) -> bool {
    use reflect::Kind;
    let number = !matches!(of.kind(), Kind::String | Kind::Bytes | Kind::Message(_));
    let option = of.field_descriptor_proto().options.as_ref().and_then(|o| o.packed);
    of.is_list() && number && option.unwrap_or(of.parent_file().syntax() == Syntax::Proto3)
}

fn apply(mark: &Mark, field: &mut Field) -> Result<(), String> {
    match mark {
        Mark::Set if field.cardinality == Cardinality::Repeated => field.cardinality = Cardinality::Set,
        Mark::Set => return Err("`bantam: set` needs a repeated field".into()),
        Mark::Narrow { signed, width } => match &mut field.kind {
            Kind::Int(int) if int.signed == *signed && int.width == Width::W32 => int.width = *width,
            kind => {
                let sign = if *signed { "signed" } else { "unsigned" };
                return Err(format!("`{}` needs a {sign} integer of 32 bits, not {kind}", mark.line()));
            }
        },
        Mark::Implicit if matches!(field.cardinality, Cardinality::Optional | Cardinality::Implicit) => {
            field.cardinality = Cardinality::Implicit;
        }
        Mark::Implicit => return Err("`bantam: implicit` needs an optional field".into()),
        Mark::Group if matches!(field.kind, Kind::Message(_)) => field.group = true,
        Mark::Group => return Err("`bantam: group` needs a message field".into()),
        Mark::Number(number) => field.number = *number,
        Mark::Default(value) => field.default = Some(value.clone()),
        Mark::Name(name) => field.name.clone_from(name),
        Mark::EntryName(_) if field.cardinality == Cardinality::Map => {}
        other => return Err(format!("`{}` has no meaning on this field", other.line())),
    }
    Ok(())
}

fn constant(value: Value) -> Option<Constant> {
    Some(match value {
        Value::Bool(value) => Constant::Bool(value),
        Value::I32(value) | Value::EnumNumber(value) => Constant::Int(value.into()),
        Value::I64(value) => Constant::Int(value.into()),
        Value::U32(value) => Constant::Int(value.into()),
        Value::U64(value) => Constant::Int(value.into()),
        // The double that a person would write for it: 0.1, not 0.10000000149011612.
        Value::F32(value) => Constant::Float(value.to_string().parse().unwrap_or(value.into())),
        Value::F64(value) => Constant::Float(value),
        Value::String(value) => Constant::String(value),
        Value::Bytes(value) => Constant::Bytes(value.to_vec()),
        Value::Message(_) | Value::List(_) | Value::Map(_) => return None,
    })
}

/// Repeated fields of an entry that is written out are maps.
fn maps_of_entries(schema: &mut Schema) {
    let entries: Vec<_> = schema.messages.iter().map(|m| m.shape == Shape::Entry).collect();
    for field in schema.messages.iter_mut().flat_map(|m| &mut m.fields) {
        if let (Cardinality::Repeated, Kind::Message(id)) = (field.cardinality, field.kind)
            && entries[id.0 as usize]
        {
            field.cardinality = Cardinality::Map;
        }
    }
}

fn check_shape(message: &Message) -> Result<(), String> {
    match (message.shape, &message.fields[..]) {
        (Shape::Record, _) => Ok(()),
        (Shape::Wrapper, [items]) if items.cardinality.is_many() => Ok(()),
        (Shape::Wrapper, _) => Err("`bantam: list` needs exactly one repeated or map field".into()),
        (Shape::Entry, [key, value])
            if (key.name.as_str(), key.number, value.name.as_str(), value.number) == ("key", 1, "value", 2)
                && !key.cardinality.is_many()
                && !value.cardinality.is_many() =>
        {
            Ok(())
        }
        (Shape::Entry, _) => Err("`bantam: entry` needs the single fields key = 1 and value = 2, and no other".into()),
    }
}
