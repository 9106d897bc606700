//! Lets the generators of buffa and quick-protobuf write their types; neither needs protoc.

use buffa_codegen::{CodeGenConfig, MapRepr};
use buffa_descriptor::generated::descriptor::feature_set::{FieldPresence, MessageEncoding, RepeatedFieldEncoding};
use buffa_descriptor::generated::descriptor::field_descriptor_proto::{Label, Type};
use buffa_descriptor::generated::descriptor::{
    DescriptorProto, Edition, FeatureSet, FieldDescriptorProto, FieldOptions, FileDescriptorProto, MessageOptions,
};
use std::path::{Path, PathBuf};

/// A message: its name, its fields, and whether it is an entry of a map and lies in another.
struct Message {
    name: &'static str,
    entry_of: Option<&'static str>,
    fields: &'static [Field],
}

/// A field; its features are those of the editions.
struct Field {
    name: &'static str,
    number: i32,
    kind: Type,
    /// The message that it holds, with the names around it.
    of: Option<&'static str>,
    label: Label,
    presence: Option<FieldPresence>,
    packed: bool,
    group: bool,
}

include!("messages.rs");

fn main() {
    println!("cargo:rerun-if-changed=messages.rs");
    println!("cargo:rerun-if-changed=records.proto");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it"));
    buffa(&out);
    // Which is not there if quick-protobuf cannot hold the records.
    let schema = Path::new("records.proto");
    if schema.exists() {
        quick(schema, &out.join("quick_owned.rs"), true);
        quick(schema, &out.join("quick_borrowed.rs"), false);
    }
}

fn quick(schema: &Path, to: &Path, owned: bool) {
    let config = pb_rs::ConfigBuilder::new(&[schema], Some(&to), None, &[Path::new(".")]).expect("the schema is there");
    let config = config.single_module(true).headers(false).dont_use_cow(owned);
    pb_rs::types::FileDescriptor::run(&config.build()).expect("quick-protobuf takes the schema");
}

/// From a descriptor that is made here.
fn buffa(out: &Path) {
    let file = FileDescriptorProto {
        name: Some("records.proto".to_owned()),
        syntax: Some("editions".to_owned()),
        edition: Some(Edition::EDITION_2023),
        message_type: MESSAGES.iter().filter(|m| m.entry_of.is_none()).map(message).collect(),
        ..Default::default()
    };
    // As the other contenders: maps in the order of their keys, fields that are not in the schema dropped.
    let mut config = CodeGenConfig::default();
    config.preserve_unknown_fields = false;
    config.map_fields = vec![(".".to_owned(), MapRepr::BTreeMap)];
    config.file_per_package = true;
    config.emit_register_fn = false;
    config.generate_with_setters = false;
    let files = buffa_codegen::generate(&[file], &["records.proto".to_owned()], &config).expect("buffa takes the schema");
    let text: String = files.into_iter().map(|file| file.content).collect();
    std::fs::write(out.join("buffa.rs"), text).expect("cargo made the folder");
}

fn message(of: &Message) -> DescriptorProto {
    DescriptorProto {
        name: Some(of.name.to_owned()),
        field: of.fields.iter().map(field).collect(),
        nested_type: MESSAGES.iter().filter(|m| m.entry_of == Some(of.name)).map(message).collect(),
        options: MessageOptions { map_entry: of.entry_of.map(|_| true), ..Default::default() }.into(),
        ..Default::default()
    }
}

fn field(of: &Field) -> FieldDescriptorProto {
    let packed = if of.packed { RepeatedFieldEncoding::PACKED } else { RepeatedFieldEncoding::EXPANDED };
    let group = if of.group { MessageEncoding::DELIMITED } else { MessageEncoding::LENGTH_PREFIXED };
    let features = FeatureSet {
        field_presence: of.presence,
        repeated_field_encoding: (of.label == Label::LABEL_REPEATED).then_some(packed),
        message_encoding: of.of.map(|_| group),
        ..Default::default()
    };
    FieldDescriptorProto {
        name: Some(of.name.to_owned()),
        number: Some(of.number),
        label: Some(of.label),
        r#type: Some(of.kind),
        type_name: of.of.map(str::to_owned),
        options: FieldOptions { features: features.into(), ..Default::default() }.into(),
        ..Default::default()
    }
}
