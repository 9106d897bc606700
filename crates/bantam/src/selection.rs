//! What takes part in a weigh-in.

use crate::compress::{COMPRESSORS, Choice};
use crate::formats::{Engine, FORMATS, Format, Framing};
use crate::model::{Error, ErrorKind, Result};
use crate::{EachOptions, all_formats, find_format};

/// What takes part.
#[derive(Debug, Clone)]
pub struct Selection {
    /// Formats with their codecs.
    pub formats: Vec<(&'static Format, &'static Engine)>,
    /// Compressors with their levels.
    pub compressors: Vec<Choice>,
    /// The framing; else each format's usual one.
    pub framing: Option<Framing>,
    /// The compressor under which the costs of fields are found; without one, they are in plain bytes only.
    pub fields_under: Option<Choice>,
    /// Weighs each message by itself, too: of the rows with the framing [`Framing::Each`].
    pub each: Option<EachOptions>,
}

impl Default for Selection {
    /// Everything but the formats that are for one kind of records, and the compressors that have to be named.
    fn default() -> Self {
        let formats = FORMATS.iter().flat_map(|f| f.engines.iter().map(|e| (*f, e))).collect();
        let compressors: Vec<_> = COMPRESSORS.iter().filter(|c| c.weighed).map(|c| Choice::of(c)).collect();
        Self { formats, fields_under: first_real(&compressors), compressors, framing: None, each: None }
    }
}

/// The first compressor that compresses.
fn first_real(compressors: &[Choice]) -> Option<Choice> {
    compressors.iter().copied().find(|c| c.compressor.name != "none")
}

impl Selection {
    /// Takes other compressors.
    #[must_use]
    pub fn compressed_by(mut self, compressors: Vec<Choice>) -> Self {
        self.fields_under = self.fields_under.and(first_real(&compressors));
        self.compressors = compressors;
        self
    }

    /// The formats of a list such as `protobuf,json,json/serde_json`; a name alone means all its codecs.
    ///
    /// # Errors
    /// If a name is not in the table, the message lists what is; if there is no name at all.
    pub fn formats_of(list: &str) -> Result<Vec<(&'static Format, &'static Engine)>> {
        let mut found = Vec::new();
        for name in list.split(',').map(str::trim).filter(|n| !n.is_empty()) {
            let (format, engine) = name.split_once('/').map_or((name, None), |(f, e)| (f, Some(e)));
            let format = find_format(format).ok_or_else(|| {
                let names: Vec<_> = all_formats().map(|f| f.name).collect();
                Error::new(ErrorKind::Unsupported, format!("no format `{format}`; there are: {}", names.join(", ")))
            })?;
            if let Some(engine) = engine
                && format.engine(engine).is_none()
            {
                let names: Vec<_> = format.engines.iter().map(|e| e.name).collect();
                let text = format!("{} has no codec `{engine}`; it has: {}", format.name, names.join(", "));
                return Err(Error::new(ErrorKind::Unsupported, text));
            }
            for one in format.engines.iter().filter(|e| engine.is_none_or(|name| e.name == name)) {
                if !found.iter().any(|(f, e): &(&Format, &Engine)| f.name == format.name && e.name == one.name) {
                    found.push((format, one));
                }
            }
        }
        if found.is_empty() {
            return Err(Error::new(ErrorKind::Unsupported, "the list of formats is empty"));
        }
        Ok(found)
    }
}
