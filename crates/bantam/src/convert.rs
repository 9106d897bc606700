//! Writing records in another format.

use crate::formats::{Format, Framing};
use crate::kept::Codecs;
use crate::model::{Batch, Layout, Lowerings, Result};
use crate::{Dataset, Schemas, find_format, quake};

/// What the user asks for.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// The format to write.
    pub format: &'static Format,
    /// The framing; else one record is written by itself, and several in the format's usual one.
    pub framing: Option<Framing>,
}

/// What was written, and what was lowered or left out on the way.
#[derive(Debug)]
pub struct Conversion {
    /// One document, or with [`Framing::Each`] one for each record.
    pub documents: Vec<Vec<u8>>,
    /// The framing that was used.
    pub framing: Framing,
    /// How the format lowered the records.
    pub lowered: Lowerings,
}

/// The format that is meant for these records: the CSV of quakes has one line an event, as the plain one has no lists.
fn for_records(format: &'static Format, layout: &Layout) -> &'static Format {
    let events = find_format("event-csv").filter(|_| format.name == "csv" && quake::is_quake(layout));
    events.unwrap_or(format)
}

impl Target {
    /// Writes the records of a dataset.
    ///
    /// # Errors
    /// If the format cannot hold the schema or a value, or does not have the framing.
    pub fn convert(&self, dataset: &Dataset<'_>) -> Result<Conversion> {
        self.write(&dataset.batch, &dataset.schemas)
    }

    /// Writes the records of a batch.
    ///
    /// # Errors
    /// As [`Target::convert`].
    pub fn write(&self, batch: &Batch<'_>, schemas: &Schemas) -> Result<Conversion> {
        self.write_keeping(batch, schemas, &mut Codecs::default())
    }

    /// As [`Target::write`], with the codecs of earlier batches.
    pub(crate) fn write_keeping(
        &self,
        batch: &Batch<'_>,
        schemas: &Schemas,
        codecs: &mut Codecs,
    ) -> Result<Conversion> {
        let format = for_records(self.format, batch.layout());
        if let Some(framing) = self.framing.filter(|&f| !format.has(f)) {
            return Err(format.no_framing(framing));
        }
        let own = match schemas.own_layout(format)? {
            Some(layout) => Some(batch.converted(&layout)?),
            None if format.only() == Some(quake::MESSAGE) && !quake::is_quake(batch.layout()) => {
                Some(batch.converted(&quake::layout())?)
            }
            None => None,
        };
        let batch = own.as_ref().unwrap_or(batch);
        let framing = self.framing.unwrap_or(match batch.len() {
            1 => Framing::Each,
            _ => format.framings[0],
        });
        let codec = codecs.of(format, batch.layout())?;
        let mut documents = Vec::new();
        if framing == Framing::Each {
            for (at, row) in batch.rows().enumerate() {
                let mut out = Vec::new();
                codec.encode_each(row, &mut out).map_err(|e| e.in_record(at))?;
                documents.push(out);
            }
        } else {
            let mut out = Vec::new();
            codec.encode(batch, framing, &mut out)?;
            documents.push(out);
        }
        let lowered = Lowerings::called_for(batch).and(format.lowers.or(format.forgets));
        Ok(Conversion { documents, framing, lowered })
    }
}
