//! What is decided before anything is written: which types, where they stand, and what they are named.

use crate::schema::{
    Cardinality, Constant, Encoding, Enum, EnumId, Field, Kind, Message, MessageId, Schema, Shape, Width,
};
use crate::source::names::{FieldNames, camel, free, is_ident, is_word, join, mangle};
use std::collections::{HashMap, HashSet};

/// Deeper nesting of messages is flattened; protox reads 31.
const MOST_NESTING: usize = 16;

/// A message or an enum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Type {
    Message(MessageId),
    Enum(EnumId),
}

/// A type's place in the file.
#[derive(Debug, Clone, Default)]
pub(super) struct Placed {
    pub(super) parent: Option<MessageId>,
    pub(super) ident: String,
    /// The full name in the file.
    pub(super) path: String,
    /// The full name in the file is not the schema's.
    pub(super) renamed: bool,
}

/// A field's name and number in the file.
#[derive(Debug, Clone, Default)]
pub(super) struct FieldPlan {
    pub(super) ident: String,
    pub(super) json: Option<String>,
    pub(super) number: i32,
    /// Written as `map<…>`: the entry's full name in the file.
    pub(super) entry: Option<String>,
    /// Written as `group`.
    pub(super) group: bool,
}

pub(super) struct Plan<'a> {
    pub(super) schema: &'a Schema,
    pub(super) proto3: bool,
    pub(super) package: String,
    /// All types that are written as blocks, outer ones before inner ones of the same parent.
    pub(super) types: Vec<Type>,
    pub(super) placed: HashMap<Type, Placed>,
    pub(super) fields: HashMap<MessageId, Vec<FieldPlan>>,
    pub(super) oneofs: HashMap<MessageId, Vec<String>>,
    pub(super) values: HashMap<EnumId, Vec<String>>,
    /// The types that stand directly in a message, or at the top of the file.
    children: HashMap<Option<MessageId>, Vec<Type>>,
    /// Every full name in the file: what a reference could find.
    pub(super) declared: HashSet<String>,
    /// How many fields are of a message.
    uses: Vec<u32>,
    /// Entries that can be written as `map<…>`.
    maps: Vec<bool>,
}

impl<'a> Plan<'a> {
    pub(super) fn new(schema: &'a Schema, root: Option<MessageId>) -> Self {
        let (messages, enums) = selected(schema, root);
        let mut plan = Self {
            schema,
            proto3: true,
            package: String::new(),
            types: Vec::new(),
            placed: HashMap::new(),
            fields: HashMap::new(),
            oneofs: HashMap::new(),
            values: HashMap::new(),
            children: HashMap::new(),
            declared: HashSet::new(),
            uses: vec![0; schema.messages.len()],
            maps: vec![false; schema.messages.len()],
        };
        plan.proto3 = messages.iter().all(|&id| schema.message(id).fields.iter().all(|f| !wants_proto2(schema, f)))
            && enums.iter().all(|&id| is_proto3(schema.enumeration(id)));
        for field in messages.iter().flat_map(|&id| &schema.message(id).fields) {
            if let Kind::Message(id) = field.kind {
                plan.uses[id.0 as usize] += 1;
            }
        }
        for &id in &messages {
            plan.maps[id.0 as usize] = plan.uses[id.0 as usize] == 1 && is_map(schema, schema.message(id));
        }
        plan.types = messages.iter().filter(|id| !plan.maps[id.0 as usize]).map(|&id| Type::Message(id)).collect();
        plan.types.extend(enums.into_iter().map(Type::Enum));
        plan.place_types(root);
        plan.name_members();
        plan
    }

    pub(super) fn name(&self, of: Type) -> &'a str {
        match of {
            Type::Message(id) => &self.schema.message(id).name,
            Type::Enum(id) => &self.schema.enumeration(id).name,
        }
    }

    /// The types that stand directly in a message, or at the top of the file.
    pub(super) fn children(&self, parent: Option<MessageId>) -> &[Type] {
        self.children.get(&parent).map_or(&[], Vec::as_slice)
    }

    fn place_types(&mut self, root: Option<MessageId>) {
        let by_name: HashMap<&str, MessageId> = self
            .types
            .iter()
            .rev()
            .filter_map(|&t| if let Type::Message(id) = t { Some((self.name(t), id)) } else { None })
            .collect();
        for &of in &self.types {
            let mut parent = split(self.name(of)).0.and_then(|outer| by_name.get(outer).copied());
            let mut depth = 0;
            let mut outer = parent;
            while let Some(id) = outer {
                depth += 1;
                outer = split(&self.schema.message(id).name).0.and_then(|outer| by_name.get(outer).copied());
            }
            if depth % MOST_NESTING == 0 {
                parent = None;
            }
            self.placed.insert(of, Placed { parent, ..Placed::default() });
            self.children.entry(parent).or_default().push(of);
        }
        self.package = self.first_package(root).to_owned();
        for (at, _) in self.package.match_indices('.') {
            self.declared.insert(self.package[..at].to_owned());
        }
        self.declared.insert(self.package.clone());
        self.name_types(None);
    }

    /// The package of the root, or else of the first type that is no import; empty for none.
    fn first_package(&self, root: Option<MessageId>) -> &'a str {
        let first = root.map(Type::Message).filter(|of| self.placed.contains_key(of));
        let imported = |of: &Type| matches!(of, Type::Message(id) if self.schema.message(*id).imported);
        let mut top = first.into_iter().chain(self.children(None).iter().copied());
        let own = top.find(|of| !imported(of)).or_else(|| self.children(None).first().copied());
        let package = own.and_then(|of| split(self.name(of)).0).unwrap_or_default();
        if package.split('.').all(|word| is_ident(word) && !is_word(word)) { package } else { "" }
    }

    /// Names the types of one scope, then those inside them.
    fn name_types(&mut self, parent: Option<MessageId>) {
        let (path, full) = match parent {
            Some(id) => (self.placed[&Type::Message(id)].path.clone(), self.schema.message(id).name.clone()),
            None => (self.package.clone(), self.package.clone()),
        };
        let children = self.children(parent).to_vec();
        let legal = |name: &str| {
            let (outer, short) = split(name);
            outer.unwrap_or_default() == full && is_ident(short) && !is_word(short)
        };
        // Those that can keep their names come first, so that no other takes them.
        let (keep, change): (Vec<_>, Vec<_>) = children.iter().partition(|of| legal(self.name(**of)));
        for of in keep.into_iter().chain(change) {
            let name = self.name(of);
            let base = if legal(name) {
                split(name).1.to_owned()
            } else {
                let inner = name.strip_prefix(&full).and_then(|rest| rest.strip_prefix('.'));
                mangle(inner.unwrap_or(name))
            };
            let ident = free(&base, |ident| !self.declared.contains(&join(&path, ident)));
            let own_path = join(&path, &ident);
            self.declared.insert(own_path.clone());
            let renamed = join(&full, &ident) != name;
            self.placed.insert(of, Placed { parent, ident, path: own_path, renamed });
        }
        for of in children {
            if let Type::Message(id) = of {
                self.name_types(Some(id));
            }
        }
    }

    /// Names fields, oneofs and values of enums; these share their scope with types.
    fn name_members(&mut self) {
        for of in self.types.clone() {
            if let Type::Message(id) = of {
                let fields = self.name_fields(id);
                self.fields.insert(id, fields);
                let path = self.placed[&of].path.clone();
                let mut oneofs = Vec::new();
                for name in &self.schema.message(id).oneofs {
                    oneofs.push(self.take(&path, name));
                }
                self.oneofs.insert(id, oneofs);
            }
        }
        for of in self.types.clone() {
            if let Type::Enum(id) = of {
                self.name_values(id);
            }
        }
    }

    /// Takes a free name in a scope.
    fn take(&mut self, path: &str, name: &str) -> String {
        let base = if is_ident(name) { name.to_owned() } else { mangle(name) };
        let ident = free(&base, |ident| !self.declared.contains(&join(path, ident)));
        self.declared.insert(join(path, &ident));
        ident
    }

    /// Values stand beside their enum, not in it, so enums of one scope may not share a value's name.
    fn name_values(&mut self, id: EnumId) {
        let placed = &self.placed[&Type::Enum(id)];
        let scope = split(&placed.path).0.unwrap_or_default().to_owned();
        let ident = placed.ident.clone();
        let mut values = Vec::new();
        for value in &self.schema.enumeration(id).values {
            // A statement of an enum may begin with these two.
            let keeps = is_ident(&value.name) && !matches!(value.name.as_str(), "option" | "reserved");
            let free = !self.declared.contains(&join(&scope, &value.name));
            let name = if keeps && free { value.name.clone() } else { format!("{ident}_{}", mangle(&value.name)) };
            values.push(self.take(&scope, &name));
        }
        if values.is_empty() {
            values.push(self.take(&scope, &format!("{ident}_NONE")));
        }
        self.values.insert(id, values);
    }

    fn name_fields(&mut self, id: MessageId) -> Vec<FieldPlan> {
        let message = self.schema.message(id);
        let path = self.placed[&Type::Message(id)].path.clone();
        let mut plans = vec![FieldPlan::default(); message.fields.len()];
        let mut names = FieldNames::default();
        let mut changed = Vec::new();
        for (at, field) in message.fields.iter().enumerate() {
            if is_ident(&field.name) && self.field_is_free(&names, &path, field, &field.name) {
                names.take(&field.name, None);
                self.declare(&path, field, &field.name, &mut plans[at]);
            } else {
                changed.push(at);
            }
        }
        for at in changed {
            let field = &message.fields[at];
            let ident = free(&mangle(&field.name), |ident| self.field_is_free(&names, &path, field, ident));
            plans[at].json = names.take(&ident, Some(&field.name).filter(|n| !n.contains('\0')).map(String::as_str));
            self.declare(&path, field, &ident, &mut plans[at]);
        }
        let mut next = 1;
        let numbers: HashSet<i32> = message.fields.iter().map(|f| f.number).filter(|&n| is_number(n)).collect();
        for (field, plan) in message.fields.iter().zip(&mut plans) {
            plan.number = field.number;
            if !is_number(field.number) {
                next = (next..1 << 29).find(|n| is_number(*n) && !numbers.contains(n)).unwrap_or(next);
                plan.number = next;
                next += 1;
            }
            plan.group = plan.ident == field.name && self.is_group(id, field);
        }
        plans
    }

    /// Whether `map<…>` can be written for the field.
    fn is_map(&self, field: &Field) -> bool {
        matches!(field.kind, Kind::Message(id) if field.cardinality == Cardinality::Map && self.maps[id.0 as usize])
    }

    fn field_is_free(&self, names: &FieldNames, path: &str, field: &Field, ident: &str) -> bool {
        let entry = format!("{}Entry", camel(ident));
        names.is_free(ident)
            && !self.declared.contains(&join(path, ident))
            && (!self.is_map(field) || (entry != ident && !self.declared.contains(&join(path, &entry))))
    }

    fn declare(&mut self, path: &str, field: &Field, ident: &str, plan: &mut FieldPlan) {
        ident.clone_into(&mut plan.ident);
        self.declared.insert(join(path, ident));
        if self.is_map(field) {
            let entry = join(path, &format!("{}Entry", camel(ident)));
            self.declared.insert(entry.clone());
            plan.entry = Some(entry);
        }
    }

    /// Whether `group` says all there is to say: it declares message and field at once.
    fn is_group(&self, id: MessageId, field: &Field) -> bool {
        let Kind::Message(of) = field.kind else { return false };
        let Some(placed) = self.placed.get(&Type::Message(of)) else { return false };
        field.group
            && self.uses[of.0 as usize] == 1
            && placed.parent == Some(id)
            && !placed.renamed
            && placed.ident.starts_with(|c: char| c.is_ascii_uppercase())
            && placed.ident.to_ascii_lowercase() == field.name
            && self.schema.message(of).shape == Shape::Record
    }
}

/// The full name's outer part and its last word.
pub(super) fn split(name: &str) -> (Option<&str>, &str) {
    name.rsplit_once('.').map_or((None, name), |(outer, short)| (Some(outer), short))
}

fn is_number(number: i32) -> bool {
    (1..1 << 29).contains(&number) && !(19_000..20_000).contains(&number)
}

/// The messages and enums that the root uses, or all, in the order of the schema.
fn selected(schema: &Schema, root: Option<MessageId>) -> (Vec<MessageId>, Vec<EnumId>) {
    let all = root.is_none();
    let mut messages = vec![all; schema.messages.len()];
    let mut enums = vec![all; schema.enums.len()];
    let mut open: Vec<_> = root.into_iter().collect();
    while let Some(id) = open.pop() {
        if !std::mem::replace(&mut messages[id.0 as usize], true) {
            for field in &schema.message(id).fields {
                match field.kind {
                    Kind::Message(id) => open.push(id),
                    Kind::Enum(id) => enums[id.0 as usize] = true,
                    _ => {}
                }
            }
        }
    }
    let chosen = |flags: Vec<bool>| (0..).zip(flags).filter(|(_, chosen)| *chosen).map(|(at, _)| at);
    (chosen(messages).map(MessageId).collect(), chosen(enums).map(EnumId).collect())
}

fn wants_proto2(schema: &Schema, field: &Field) -> bool {
    let plain = field.oneof.is_none() && field.cardinality == Cardinality::Required;
    let default = field.cardinality != Cardinality::Implicit && has_default(schema, field);
    plain || field.group || default
}

/// Whether `[default = …]` can hold the field's default.
pub(super) fn has_default(schema: &Schema, field: &Field) -> bool {
    let Some(default) = &field.default else { return false };
    if field.cardinality.is_many() {
        return false;
    }
    match (field.kind, default) {
        (Kind::Bool, Constant::Bool(_))
        | (Kind::Double, Constant::Float(_))
        | (Kind::String, Constant::String(_))
        | (Kind::Bytes, Constant::Bytes(_)) => true,
        // It is read back as the shortest double that means the same float.
        (Kind::Float, Constant::Float(v)) => {
            v.is_nan() || (*v as f32).to_string().parse::<f64>().is_ok_and(|back| back.to_bits() == v.to_bits())
        }
        (Kind::Int(int), Constant::Int(v)) => int.holds(*v),
        (Kind::Enum(id), Constant::Int(v)) => {
            i32::try_from(*v).is_ok_and(|v| schema.enumeration(id).name_of(v).is_some())
        }
        _ => false,
    }
}

fn is_proto3(of: &Enum) -> bool {
    of.open && of.values.first().is_none_or(|v| v.number == 0)
}

/// Whether an entry is just what `map<…>` declares.
fn is_map(schema: &Schema, of: &Message) -> bool {
    let [key, value] = &of.fields[..] else { return false };
    let plain = |f: &Field, name: &str, number| {
        let single = if matches!(f.kind, Kind::Message(_)) { Cardinality::Optional } else { Cardinality::Implicit };
        let wide = !matches!(f.kind, Kind::Int(int) if matches!(int.width, Width::W8 | Width::W16));
        let field = Field::new(name, number, f.kind, single);
        wide && *f == field
    };
    let key_kind = matches!(key.kind, Kind::Bool | Kind::String | Kind::Int(_));
    let value_kind = match value.kind {
        Kind::Enum(id) => schema.enumeration(id).values.first().is_none_or(|v| v.number == 0),
        Kind::Message(id) => schema.message(id).shape != Shape::Entry,
        _ => true,
    };
    of.shape == Shape::Entry
        && of.doc.is_empty()
        && of.oneofs.is_empty()
        && key_kind
        && value_kind
        && plain(key, "key", 1)
        && plain(value, "value", 2)
}

/// The word for a kind that is no message or enum.
pub(super) fn scalar(kind: Kind) -> &'static str {
    match kind {
        Kind::Int(int) => match (int.signed, int.width == Width::W64, int.encoding) {
            (true, false, Encoding::Varint) => "int32",
            (true, true, Encoding::Varint) => "int64",
            (true, false, Encoding::Zigzag) => "sint32",
            (true, true, Encoding::Zigzag) => "sint64",
            (true, false, Encoding::Fixed) => "sfixed32",
            (true, true, Encoding::Fixed) => "sfixed64",
            // Zigzag is for signed numbers only.
            (false, false, Encoding::Varint | Encoding::Zigzag) => "uint32",
            (false, true, Encoding::Varint | Encoding::Zigzag) => "uint64",
            (false, false, Encoding::Fixed) => "fixed32",
            (false, true, Encoding::Fixed) => "fixed64",
        },
        Kind::Bool => "bool",
        Kind::Float => "float",
        Kind::Double => "double",
        Kind::String => "string",
        Kind::Bytes | Kind::Enum(_) | Kind::Message(_) => "bytes",
    }
}
