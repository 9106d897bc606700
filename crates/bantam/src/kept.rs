//! What reading and writing keep from one input for the next.

use crate::formats::{Codec, Format};
use crate::model::{Batch, Layout, Limits, Result};
use crate::quake;
use std::sync::Arc;

/// Codecs that were built, with what they have learned. Schemas that are inferred have a layout an input, so the oldest
/// codecs have to go.
#[derive(Default)]
pub(crate) struct Codecs(Vec<(&'static str, Arc<Layout>, Box<dyn Codec>)>);

impl Codecs {
    /// Codecs in use at once are those of an input's formats, and of its own layout for some.
    const MOST: usize = 8;

    /// A format's usual codec for records of a layout.
    pub(crate) fn of(&mut self, format: &Format, layout: &Arc<Layout>) -> Result<&mut dyn Codec> {
        let found = self.0.iter().position(|(name, of, _)| *name == format.name && Arc::ptr_eq(of, layout));
        let at = if let Some(at) = found {
            at
        } else {
            let codec = (format.engines[0].build)(layout)?;
            if self.0.len() == Self::MOST {
                self.0.remove(0);
            }
            self.0.push((format.name, layout.clone(), codec));
            self.0.len() - 1
        };
        Ok(self.0[at].2.as_mut())
    }
}

/// What reading keeps: codecs, the reader of quakes, and a batch's memory.
#[derive(Default)]
pub(crate) struct Kept {
    pub(crate) codecs: Codecs,
    quakes: Option<(quake::Options, quake::Reader)>,
    memory: Option<Batch<'static>>,
}

impl Kept {
    /// An empty batch, in the memory of an earlier one if there is one of this layout.
    pub(crate) fn batch<'a>(&mut self, layout: &Arc<Layout>, limits: &Limits) -> Batch<'a> {
        let kept = self.memory.take().filter(|b| Arc::ptr_eq(b.layout(), layout) && b.limits() == limits);
        kept.unwrap_or_else(|| Batch::with_limits(layout.clone(), limits.clone())).renew()
    }

    /// Takes the memory of a batch that is no longer needed.
    pub(crate) fn give_back(&mut self, batch: Batch<'_>) {
        self.memory = Some(batch.renew());
    }

    /// The reader of quakes.
    pub(crate) fn quakes(&mut self, options: &quake::Options) -> &mut quake::Reader {
        if self.quakes.as_ref().is_none_or(|(kept, _)| kept != options) {
            self.quakes = Some((options.clone(), quake::Reader::new(options.clone())));
        }
        &mut self.quakes.as_mut().expect("just put there").1
    }
}
