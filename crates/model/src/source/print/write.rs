//! Writing the text that the plan decides.

use super::plan::{FieldPlan, Plan, Type, has_default, scalar, split};
use crate::schema::{Cardinality, Constant, EnumId, EnumValue, Field, Kind, Message, MessageId, Shape, Width};
use crate::source::marks::Mark;
use crate::source::names::{is_word, join};
use std::fmt::Write;

pub(super) struct Writer<'a> {
    plan: &'a Plan<'a>,
    out: String,
    depth: usize,
}

impl<'a> Writer<'a> {
    pub(super) fn new(plan: &'a Plan<'a>) -> Self {
        Self { plan, out: String::new(), depth: 0 }
    }

    pub(super) fn finish(self) -> String {
        self.out
    }

    pub(super) fn file(&mut self) {
        let version = if self.plan.proto3 { 3 } else { 2 };
        self.line(&format!("syntax = \"proto{version}\";"));
        if !self.plan.package.is_empty() {
            self.out.push('\n');
            self.line(&format!("package {};", self.plan.package));
        }
        for &of in self.plan.children(None) {
            self.out.push('\n');
            self.block(of);
        }
    }

    fn line(&mut self, text: &str) {
        let indent = if text.is_empty() { 0 } else { self.depth * 2 };
        let _ = writeln!(self.out, "{:indent$}{text}", "");
    }

    fn comment(&mut self, doc: &str, marks: &[Mark]) {
        for line in doc.lines() {
            self.line(format!("// {line}").trim_end());
        }
        for mark in marks {
            self.line(&format!("// {}", mark.line()));
        }
    }

    fn block(&mut self, of: Type) {
        let placed = &self.plan.placed[&of];
        let mut marks = Vec::new();
        if placed.renamed {
            marks.push(Mark::Name(self.plan.name(of).to_owned()));
        }
        match of {
            Type::Message(id) => {
                let message = self.plan.schema.message(id);
                match message.shape {
                    Shape::Record => {}
                    Shape::Entry => marks.push(Mark::Entry),
                    Shape::Wrapper => marks.push(Mark::List),
                }
                self.comment(&message.doc, &marks);
                self.line(&format!("message {} {{", placed.ident));
                self.body(id);
            }
            Type::Enum(id) => {
                let of = self.plan.schema.enumeration(id);
                if of.open && !self.plan.proto3 {
                    marks.push(Mark::Open);
                }
                self.comment(&of.doc, &marks);
                self.line(&format!("enum {} {{", placed.ident));
                self.values(id);
            }
        }
    }

    fn values(&mut self, id: EnumId) {
        let of = self.plan.schema.enumeration(id);
        self.depth += 1;
        let mut numbers: Vec<_> = of.values.iter().map(|v| v.number).collect();
        numbers.sort_unstable();
        if numbers.windows(2).any(|pair| pair[0] == pair[1]) {
            self.line("option allow_alias = true;");
        }
        let placeholder = EnumValue::default();
        let values = if of.values.is_empty() { std::slice::from_ref(&placeholder) } else { &of.values };
        for (value, ident) in values.iter().zip(&self.plan.values[&id]) {
            let mut marks = Vec::new();
            if of.values.is_empty() {
                marks.push(Mark::Placeholder);
            } else if value.name != *ident {
                marks.push(Mark::Name(value.name.clone()));
            }
            self.comment(&value.doc, &marks);
            self.line(&format!("{ident} = {};", value.number));
        }
        self.depth -= 1;
        self.line("}");
    }

    /// All between a message's braces, and the closing one.
    fn body(&mut self, id: MessageId) {
        let message = self.plan.schema.message(id);
        let plans = &self.plan.fields[&id];
        self.depth += 1;
        let mut done = vec![false; message.oneofs.len()];
        for (at, field) in message.fields.iter().enumerate() {
            match field.oneof.map(|o| o as usize).filter(|&o| o < done.len() && !field.cardinality.is_many()) {
                None => self.field(id, field, &plans[at], false),
                Some(oneof) if !std::mem::replace(&mut done[oneof], true) => self.oneof(id, message, oneof),
                Some(_) => {}
            }
        }
        let groups: Vec<_> = message.fields.iter().zip(plans).filter(|(_, p)| p.group).map(|(f, _)| f.kind).collect();
        let mut first = message.fields.is_empty();
        for &of in self.plan.children(Some(id)) {
            if matches!(of, Type::Message(id) if groups.contains(&Kind::Message(id))) {
                continue;
            }
            if !std::mem::replace(&mut first, false) {
                self.line("");
            }
            self.block(of);
        }
        self.depth -= 1;
        self.line("}");
    }

    fn oneof(&mut self, id: MessageId, message: &Message, oneof: usize) {
        let ident = &self.plan.oneofs[&id][oneof];
        if *ident != message.oneofs[oneof] {
            self.comment("", &[Mark::Name(message.oneofs[oneof].clone())]);
        }
        self.line(&format!("oneof {ident} {{"));
        self.depth += 1;
        for (field, plan) in message.fields.iter().zip(&self.plan.fields[&id]) {
            if field.oneof == Some(oneof as u32) && !field.cardinality.is_many() {
                self.field(id, field, plan, true);
            }
        }
        self.depth -= 1;
        self.line("}");
    }

    fn field(&mut self, message: MessageId, field: &Field, plan: &FieldPlan, in_oneof: bool) {
        let marks = self.marks(message, field, plan);
        self.comment(&field.doc, &marks);
        let mut line = String::from(if in_oneof { "" } else { self.label(field) });
        let scope = &self.plan.placed[&Type::Message(message)].path;
        if let (Kind::Message(of), true) = (field.kind, plan.group) {
            let ident = &self.plan.placed[&Type::Message(of)].ident;
            let _ = write!(line, "group {ident} = {} {{", plan.number);
            self.line(&line);
            self.body(of);
            return;
        }
        if let (Kind::Message(entry), Some(_)) = (field.kind, &plan.entry) {
            let [key, value] = &self.plan.schema.message(entry).fields[..] else { return };
            let _ = write!(line, "map<{}, {}>", self.kind(scope, key.kind), self.kind(scope, value.kind));
        } else {
            line += &self.kind(scope, field.kind);
        }
        let _ = write!(line, " {} = {}", plan.ident, plan.number);
        let options = self.options(field, plan);
        if !options.is_empty() {
            let _ = write!(line, " [{}]", options.join(", "));
        }
        line.push(';');
        self.line(&line);
    }

    fn label(&self, field: &Field) -> &'static str {
        match field.cardinality {
            Cardinality::Required => "required ",
            Cardinality::Repeated | Cardinality::Set => "repeated ",
            Cardinality::Map => {
                if self.is_written_out(field) {
                    "repeated "
                } else {
                    ""
                }
            }
            // Messages tell their presence without the word.
            Cardinality::Optional if self.plan.proto3 && matches!(field.kind, Kind::Message(_)) => "",
            Cardinality::Implicit if self.plan.proto3 => "",
            Cardinality::Optional | Cardinality::Implicit => "optional ",
        }
    }

    fn is_written_out(&self, field: &Field) -> bool {
        matches!(field.kind, Kind::Message(id) if self.plan.placed.contains_key(&Type::Message(id)))
    }

    fn marks(&self, message: MessageId, field: &Field, plan: &FieldPlan) -> Vec<Mark> {
        let mut marks = Vec::new();
        if plan.ident != field.name {
            marks.push(Mark::Name(field.name.clone()));
        }
        if plan.number != field.number {
            marks.push(Mark::Number(field.number));
        }
        match field.cardinality {
            Cardinality::Set => marks.push(Mark::Set),
            // Of messages, and in a oneof, presence is told anyway unless this line says otherwise.
            Cardinality::Implicit
                if !self.plan.proto3 || field.oneof.is_some() || matches!(field.kind, Kind::Message(_)) =>
            {
                marks.push(Mark::Implicit);
            }
            _ => {}
        }
        if let Kind::Int(int) = field.kind
            && matches!(int.width, Width::W8 | Width::W16)
        {
            marks.push(Mark::Narrow { signed: int.signed, width: int.width });
        }
        if field.group && !plan.group {
            marks.push(Mark::Group);
        }
        if let (Some(default), false) = (&field.default, self.has_default(field)) {
            marks.push(Mark::Default(default.clone()));
        }
        if let (Kind::Message(entry), Some(path)) = (field.kind, &plan.entry) {
            let outer = &self.plan.schema.message(message).name;
            let name = &self.plan.schema.message(entry).name;
            if join(outer, split(path).1) != *name {
                marks.push(Mark::EntryName(name.clone()));
            }
        }
        marks
    }

    fn has_default(&self, field: &Field) -> bool {
        !self.plan.proto3 && has_default(self.plan.schema, field)
    }

    fn options(&self, field: &Field, plan: &FieldPlan) -> Vec<String> {
        let mut options = Vec::new();
        if let (Some(default), true) = (&field.default, self.has_default(field)) {
            options.push(format!("default = {}", self.constant(field, default)));
        }
        let list = matches!(field.cardinality, Cardinality::Repeated | Cardinality::Set);
        let packable = list && !matches!(field.kind, Kind::String | Kind::Bytes | Kind::Message(_));
        if packable && field.packed != self.plan.proto3 {
            options.push(format!("packed = {}", field.packed));
        }
        if let Some(json) = &plan.json {
            options.push(format!("json_name = {}", literal(json.as_bytes(), true)));
        }
        options
    }

    fn constant(&self, field: &Field, value: &Constant) -> String {
        match (field.kind, value) {
            (Kind::Enum(id), Constant::Int(number)) => {
                let values = &self.plan.schema.enumeration(id).values;
                let at = values.iter().position(|v| i128::from(v.number) == *number);
                at.map(|at| self.plan.values[&id][at].clone()).unwrap_or_default()
            }
            (_, Constant::Bool(value)) => value.to_string(),
            (_, Constant::Int(value)) => value.to_string(),
            (_, Constant::Float(value)) if value.is_nan() => "nan".into(),
            (_, Constant::Float(value)) => format!("{value:?}"),
            (_, Constant::String(text)) => literal(text.as_bytes(), true),
            (_, Constant::Bytes(bytes)) => literal(bytes, false),
            (_, Constant::List(_) | Constant::Map(_)) => String::new(),
        }
    }

    fn kind(&self, scope: &str, kind: Kind) -> String {
        match kind {
            Kind::Message(id) => self.refer(scope, Type::Message(id)),
            Kind::Enum(id) => self.refer(scope, Type::Enum(id)),
            kind => scalar(kind).to_owned(),
        }
    }

    /// The shortest name that finds the type from a scope: the first word is looked for in the innermost
    /// scope first, and whatever has that name there is taken.
    fn refer(&self, scope: &str, of: Type) -> String {
        let Some(placed) = self.plan.placed.get(&of) else { return String::new() };
        let path = &placed.path;
        let starts = path.rmatch_indices('.').map(|(at, _)| at + 1).chain([0]);
        for start in starts {
            let short = &path[start..];
            let first = short.split('.').next().unwrap_or_default();
            let meant = &path[..start + first.len()];
            if !is_word(first) && self.first_found(scope, first).as_deref() == Some(meant) {
                return short.to_owned();
            }
        }
        format!(".{path}")
    }

    fn first_found(&self, scope: &str, word: &str) -> Option<String> {
        let mut scope = Some(scope);
        while let Some(outer) = scope {
            let name = join(outer, word);
            if self.plan.declared.contains(&name) {
                return Some(name);
            }
            scope = if outer.is_empty() { None } else { Some(split(outer).0.unwrap_or_default()) };
        }
        None
    }
}

/// A string of `.proto`, with escapes; text keeps what is not ASCII.
fn literal(bytes: &[u8], text: bool) -> String {
    let mut out = Vec::with_capacity(bytes.len() + 2);
    out.push(b'"');
    for &byte in bytes {
        match byte {
            b'"' | b'\\' => out.extend([b'\\', byte]),
            b'\n' => out.extend(b"\\n"),
            b' '..=b'~' => out.push(byte),
            0x80.. if text => out.push(byte),
            // Three octal digits, so that a digit after it is no part of it.
            _ => out.extend(format!("\\{byte:03o}").bytes()),
        }
    }
    out.push(b'"');
    String::from_utf8(out).unwrap_or_default()
}
