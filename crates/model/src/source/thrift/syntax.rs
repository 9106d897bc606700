//! What a Thrift file declares, before names are resolved.

use super::lex::Pos;
use std::collections::HashMap;

/// One file.
#[derive(Debug, Default)]
pub(super) struct Document {
    /// The paths of `include`, as written.
    pub(super) includes: Vec<(String, Pos)>,
    pub(super) items: HashMap<String, Item>,
    /// The names of the items, in the order of the file.
    pub(super) order: Vec<String>,
}

#[derive(Debug)]
pub(super) enum Item {
    Typedef(Type),
    /// The type is left out: what counts is that of the field whose default it is.
    Const(Value),
    Enum(EnumItem),
    Struct(StructItem),
}

#[derive(Debug)]
pub(super) struct EnumItem {
    pub(super) values: Vec<(String, i32, String)>,
    pub(super) doc: String,
}

/// A struct, union or exception.
#[derive(Debug)]
pub(super) struct StructItem {
    pub(super) fields: Vec<FieldItem>,
    pub(super) union: bool,
    pub(super) doc: String,
}

#[derive(Debug)]
pub(super) struct FieldItem {
    pub(super) id: i32,
    pub(super) required: bool,
    pub(super) of: Type,
    pub(super) name: String,
    pub(super) default: Option<Value>,
    pub(super) doc: String,
    pub(super) at: Pos,
}

#[derive(Debug, Clone)]
pub(super) struct Type {
    pub(super) of: TypeOf,
    pub(super) at: Pos,
}

#[derive(Debug, Clone)]
pub(super) enum TypeOf {
    Bool,
    I8,
    I16,
    I32,
    I64,
    Double,
    String,
    Binary,
    Named(String),
    List(Box<Type>),
    Set(Box<Type>),
    Map(Box<Type>, Box<Type>),
}

#[derive(Debug, Clone)]
pub(super) struct Value {
    pub(super) of: ValueOf,
    pub(super) at: Pos,
}

#[derive(Debug, Clone)]
pub(super) enum ValueOf {
    Int(i64),
    Double(f64),
    Text(String),
    Name(String),
    List(Vec<Value>),
    Map(Vec<(Value, Value)>),
}
