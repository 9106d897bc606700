//! `.proto` text and binary descriptor sets, through protox.
//!
//! Follows the language guides for proto2 and proto3. Editions are not read, since protox does not: the error
//! says so. Extensions and custom options are checked and then left out: a schema has no place for them.

use super::names::is_ident;
use super::skim::{Piece, Skim, too_deep};
use super::{MOST_FILES, check_size, descriptor, find, in_file};
use crate::error::{Error, ErrorKind, Result};
use crate::schema::Schema;
use miette::Diagnostic;
use prost_types::{
    DescriptorProto, EnumDescriptorProto, EnumValueDescriptorProto, FieldDescriptorProto, FileDescriptorProto,
    FileDescriptorSet, OneofDescriptorProto,
};
use protox::Compiler;
use protox::file::{File, FileResolver, GoogleFileResolver};
use protox::prost::Message as _;
use protox::prost_reflect::DescriptorPool;
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Nesting of brackets in a file. protox takes messages 31 deep; options may nest a little more.
const MOST_DEPTH: usize = 64;

/// Files that import each other in a row: protox recurses over them.
const MOST_IMPORT_DEPTH: usize = 100;

/// Reads the `.proto` text `text`, which other files would import as `name`.
pub(super) fn read(shown: &str, name: &str, text: &str, dirs: &[PathBuf]) -> Result<Schema> {
    let failure = Rc::default();
    let files = Files {
        shown: shown.into(),
        // protox takes no other separator, and no folder above.
        name: name.replace('\\', "/"),
        text: text.into(),
        dirs: dirs.into(),
        opened: Cell::new(0),
        depths: RefCell::default(),
        failure: Rc::clone(&failure),
    };
    let own = files.name.clone();
    let mut compiler = Compiler::with_file_resolver(files);
    if let Err(error) = compiler.open_file(&own) {
        let failure = failure.take();
        return Err(failure.unwrap_or_else(|| of_protox(&error, shown, &own, text, dirs)));
    }
    descriptor::schema(&compiler.descriptor_pool(), shown, |file| file == own)
}

/// Reads a binary `FileDescriptorSet`. Its own files are those that no other of the set imports.
pub(super) fn read_set(shown: &str, bytes: &[u8]) -> Result<Schema> {
    let wrong = |text: String| Error::new(ErrorKind::Schema, text + &in_file(shown));
    let set = FileDescriptorSet::decode(bytes)
        .map_err(|e| Error::new(ErrorKind::Syntax, format!("no FileDescriptorSet: {e}{}", in_file(shown))))?;
    if set.file.is_empty() {
        return Err(wrong("the FileDescriptorSet has no file".into()));
    }
    if set.file.len() > MOST_FILES {
        return Err(Error::new(ErrorKind::Limit, format!("more than {MOST_FILES} files{}", in_file(shown))));
    }
    if let Some(file) = set.file.iter().find(|f| !matches!(f.syntax(), "" | "proto2" | "proto3")) {
        let text = format!("{} has the syntax `{}`; proto2 and proto3 are read", file.name(), file.syntax());
        return Err(Error::new(ErrorKind::Unsupported, text + &in_file(shown)));
    }
    if let Some(name) = set.file.iter().find_map(illegal_name) {
        return Err(wrong(format!("{name:?} is no name of Protocol Buffers")));
    }
    let imported: HashSet<_> = set.file.iter().flat_map(|f| f.dependency.iter().cloned()).collect();
    let names: HashSet<_> = set.file.iter().map(|f| f.name().to_owned()).collect();
    // protoc leaves the well-known types out unless it is asked for all imports.
    let mut pool = DescriptorPool::new();
    for name in imported.iter().filter(|name| !names.contains(*name)) {
        let Ok(file) = GoogleFileResolver::new().open_file(name) else {
            let hint = "make the set with protoc --include_imports";
            return Err(wrong(format!("the import `{name}` is not in the FileDescriptorSet; {hint}")));
        };
        // Imported well-known files import none but each other, and a missing one is reported right below.
        let _ = pool.add_file_descriptor_proto(file.file_descriptor_proto().clone());
    }
    pool.add_file_descriptor_set(set).map_err(|e| wrong(e.to_string()))?;
    let own = |file: &str| names.contains(file) && !imported.contains(file);
    descriptor::schema(&pool, shown, own)
}

/// The first name of a file of a descriptor set that no `.proto` text could give. prost-reflect does not look, and
/// panics over some: of a message `a.b` it looks for the part after the dot in a message `a`.
fn illegal_name(file: &FileDescriptorProto) -> Option<String> {
    let package = file.package().split('.').filter(|_| file.package.is_some() && !file.package().is_empty());
    let extensions = file.extension.iter().map(FieldDescriptorProto::name);
    let own = package.chain(extensions).find(|name| !is_ident(name)).map(str::to_owned);
    let mut open: Vec<&DescriptorProto> = file.message_type.iter().collect();
    let mut enums: Vec<&EnumDescriptorProto> = file.enum_type.iter().collect();
    let mut found = own;
    while let Some(message) = open.pop() {
        open.extend(&message.nested_type);
        enums.extend(&message.enum_type);
        let fields = message.field.iter().chain(&message.extension).map(FieldDescriptorProto::name);
        let oneofs = message.oneof_decl.iter().map(OneofDescriptorProto::name);
        let mut names = fields.chain(oneofs).chain([message.name()]);
        found = found.or_else(|| names.find(|name| !is_ident(name)).map(str::to_owned));
    }
    let of_enum = |of: &&EnumDescriptorProto| {
        let mut names = of.value.iter().map(EnumValueDescriptorProto::name).chain([of.name()]);
        names.find(|name| !is_ident(name)).map(str::to_owned)
    };
    found.or_else(|| enums.iter().find_map(of_enum))
}

/// Gives protox the files it asks for.
struct Files {
    shown: String,
    name: String,
    text: String,
    dirs: Vec<PathBuf>,
    opened: Cell<usize>,
    /// How many files in a row lead to a file, at most.
    depths: RefCell<HashMap<String, usize>>,
    /// protox hides what it cannot know, so Bantam's own errors go past it.
    failure: Rc<RefCell<Option<Error>>>,
}

impl Files {
    fn open(&self, name: &str) -> Result<Option<String>> {
        self.opened.set(self.opened.get() + 1);
        if self.opened.get() > MOST_FILES {
            return Err(Error::new(ErrorKind::Limit, format!("more than {MOST_FILES} files{}", in_file(&self.shown))));
        }
        if name == self.name {
            check_text(&self.shown, &self.text)?;
            return Ok(Some(self.text.clone()));
        }
        let Some((path, text)) = find(name, &self.dirs)? else { return Ok(None) };
        check_text(&path.display().to_string(), &text)?;
        Ok(Some(text))
    }
}

impl Files {
    fn check_depth(&self, name: &str, file: &File) -> Result<()> {
        let mut depths = self.depths.borrow_mut();
        let depth = depths.get(name).copied().unwrap_or(0);
        if depth > MOST_IMPORT_DEPTH {
            let text = format!("more than {MOST_IMPORT_DEPTH} files import each other in a row{}", in_file(name));
            return Err(Error::new(ErrorKind::Limit, text));
        }
        for import in &file.file_descriptor_proto().dependency {
            let known = depths.entry(import.clone()).or_default();
            *known = (*known).max(depth + 1);
        }
        Ok(())
    }

    fn fail(&self, error: Error) -> protox::Error {
        let shown = error.to_string();
        self.failure.replace(Some(error));
        protox::Error::new(shown)
    }
}

impl FileResolver for Files {
    /// Only the main file is opened by path, and its path is its name.
    fn resolve_path(&self, path: &Path) -> Option<String> {
        path.to_str().map(Into::into)
    }

    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        match self.open(name) {
            Ok(Some(text)) => {
                let file = File::from_source(name, &text)?;
                self.check_depth(name, &file).map_err(|e| self.fail(e))?;
                Ok(file)
            }
            Ok(None) => GoogleFileResolver::new().open_file(name),
            Err(error) => Err(self.fail(error)),
        }
    }
}

/// Checks what protox does not, or not as clearly.
fn check_text(shown: &str, text: &str) -> Result<()> {
    check_size(shown, text.len())?;
    if let Some(at) = too_deep(text, MOST_DEPTH) {
        let message = format!("brackets nested more than {MOST_DEPTH} deep{}", in_file(shown));
        return Err(Error::new(ErrorKind::Limit, message).at_byte(at).with_lines(text.as_bytes()));
    }
    if let Some((at, Piece::Word("edition"))) = Skim::new(text).next() {
        let message = "editions are not read yet; expected `syntax = \"proto2\";` or \"proto3\"";
        return Err(Error::new(ErrorKind::Unsupported, message.to_owned() + &in_file(shown))
            .at_byte(at)
            .with_lines(text.as_bytes()));
    }
    Ok(())
}

/// An error of protox, with the place of its first label.
fn of_protox(error: &protox::Error, shown: &str, own: &str, text: &str, dirs: &[PathBuf]) -> Error {
    let file = error.file().map_or(shown, |file| if file == own { shown } else { file });
    let kind = if error.is_parse() { ErrorKind::Syntax } else { ErrorKind::Schema };
    let mut message = error.to_string();
    if error.is_file_not_found() {
        let dirs: Vec<_> = dirs
            .iter()
            .map(|d| format!("`{}`", if d.as_os_str().is_empty() { Path::new("./") } else { d }.join("").display()))
            .collect();
        message += &match &dirs[..] {
            [] => "; no include folder is given".to_owned(),
            dirs => [" in ", &dirs.join(", ")].concat(),
        };
    }
    let found = Error::new(kind, message + &in_file(file));
    let span = error.labels().and_then(|mut labels| labels.next()).map(|label| *label.inner());
    if let (Some(span), Some(code)) = (span, error.source_code())
        && let Ok(place) = code.read_span(&span, 0, 0)
    {
        return found.at_line(place.line() as u64 + 1, place.column() as u64 + 1);
    }
    // The one error of the grammar without a label is a file that ends too early.
    if error.is_parse() && file == shown { found.at_byte(text.len()).with_lines(text.as_bytes()) } else { found }
}
