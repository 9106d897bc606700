//! The schema files that stand for one kind of record.

use crate::formats::Format;
use crate::model::source::{self, Source};
use crate::model::{Error, ErrorKind, Idl, Layout, MessageId, Result, Schema};
use crate::{find_format, quake};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// The schema of some records, and perhaps a second one for the formats with another kind of schema file:
/// a `.thrift` beside a `.proto`, whose fields are matched by name.
#[derive(Debug, Clone, Default)]
pub struct Schemas {
    sources: Vec<Source>,
    message: Option<String>,
    /// Compiled when first asked for, and shared by all copies.
    layouts: Arc<Layouts>,
}

/// The layouts of some schemas.
#[derive(Debug, Default)]
struct Layouts {
    plain: OnceLock<Arc<Layout>>,
    keeping: OnceLock<Arc<Layout>>,
    own: OnceLock<Arc<Layout>>,
}

/// The layout that is there, or else is made.
fn once(cell: &OnceLock<Arc<Layout>>, make: impl FnOnce() -> Result<Layout>) -> Result<Arc<Layout>> {
    if let Some(layout) = cell.get() {
        return Ok(layout.clone());
    }
    let layout = Arc::new(make()?);
    Ok(cell.get_or_init(|| layout).clone())
}

impl Schemas {
    /// None: the schema is inferred.
    pub fn none() -> Self {
        Self::default()
    }

    /// The schema of quakes, which is built in.
    pub fn quake() -> Self {
        Self {
            sources: vec![Source { schema: quake::schema(), idl: Idl::Proto }],
            message: Some(quake::MESSAGE.to_owned()),
            layouts: Arc::default(),
        }
    }

    /// Adds a schema file, or a sample's own ones by `sample:NAME`. The first one is the main schema.
    ///
    /// # Errors
    /// If it cannot be read; [`ErrorKind::Ambiguous`] for a second one of a kind, or a sample that there is not.
    pub fn add(&mut self, name: &str, include: &[PathBuf]) -> Result<()> {
        if let Some(sample) = name.strip_prefix("sample:") {
            let found = crate::sample::find(sample).ok_or_else(|| {
                let names: Vec<_> = crate::sample::SAMPLES.iter().map(|s| s.name).collect();
                Error::new(ErrorKind::Ambiguous, format!("no sample `{sample}`; there are: {}", names.join(", ")))
            })?;
            if let crate::sample::Make::Document { format, .. } = found.make {
                debug_assert_eq!(find_format(format).and_then(Format::only), Some(quake::MESSAGE));
                self.message.get_or_insert_with(|| quake::MESSAGE.to_owned());
                return self.push(Source { schema: quake::schema(), idl: Idl::Proto });
            }
            return found.schemas.iter().try_for_each(|s| self.push(source::read(s.name, s.text.as_bytes(), include)?));
        }
        self.push(source::load(Path::new(name), include)?)
    }

    fn push(&mut self, source: Source) -> Result<()> {
        if self.sources.iter().any(|s| s.idl == source.idl) {
            let text = "a second schema file of this kind; a second file stands for the formats of another kind";
            return Err(Error::new(ErrorKind::Ambiguous, text));
        }
        self.sources.push(source);
        self.layouts = Arc::default();
        Ok(())
    }

    /// Names the message that the records are, by its full or short name.
    #[must_use]
    pub fn message(mut self, name: Option<String>) -> Self {
        self.message = name.or(self.message);
        self.layouts = Arc::default();
        self
    }

    /// A schema that was inferred, or made by hand.
    pub fn of(schema: Arc<Schema>) -> Self {
        Self { sources: vec![Source { schema, idl: Idl::Proto }], ..Self::default() }
    }

    /// Whether there is no schema.
    pub fn is_none(&self) -> bool {
        self.sources.is_empty()
    }

    /// The main schema and the message that the records are.
    ///
    /// # Errors
    /// If there is none, or if the message is not told by name and several could be meant.
    pub fn main(&self) -> Result<(&Arc<Schema>, MessageId)> {
        let source = self.sources.first().ok_or_else(|| Error::new(ErrorKind::Schema, "no schema is given"))?;
        let root = match &self.message {
            Some(name) => source.schema.find(name)?,
            None => source.schema.root()?,
        };
        Ok((&source.schema, root))
    }

    /// The main schema.
    ///
    /// # Panics
    /// If there is none; see [`Schemas::is_none`].
    pub fn schema(&self) -> &Arc<Schema> {
        &self.sources[0].schema
    }

    /// The layout of the main schema.
    ///
    /// # Errors
    /// As [`Schemas::main`], and if the schema contradicts itself.
    pub fn layout(&self) -> Result<Arc<Layout>> {
        let (schema, root) = self.main()?;
        let quakes = quake::layout();
        if Arc::ptr_eq(schema, quakes.schema()) && root == quakes.root().id {
            return Ok(quakes);
        }
        once(&self.layouts.plain, || Layout::new(schema.clone(), root))
    }

    /// The layout of the main schema that also keeps unknown fields.
    ///
    /// # Errors
    /// As [`Schemas::layout`].
    pub fn keeping_layout(&self) -> Result<Arc<Layout>> {
        let (schema, root) = self.main()?;
        once(&self.layouts.keeping, || Layout::keeping_unknown(schema.clone(), root))
    }

    /// The layout that a format's own kind of schema file asks for, if there is one beside the main schema.
    ///
    /// # Errors
    /// As [`Schemas::layout`].
    pub fn own_layout(&self, format: &Format) -> Result<Option<Arc<Layout>>> {
        let own = self.sources.iter().skip(1).find(|s| format.idl == Some(s.idl));
        let Some(source) = own else { return Ok(None) };
        let (schema, root) = self.main()?;
        let name = schema.message(root).short_name();
        // There are two kinds of schema files, so there is one besides the main one's.
        let own = once(&self.layouts.own, || {
            let root = source.schema.find(name).or_else(|_| source.schema.root())?;
            Layout::new(source.schema.clone(), root)
        })?;
        Ok(Some(own))
    }
}
