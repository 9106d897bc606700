//! Converting inputs one after another.

use crate::dataset::format_of;
use crate::formats::{Format, Framing};
use crate::kept::Kept;
use crate::model::{Batch, Error, ErrorKind, Layout, Result};
use crate::{Dataset, Input, Note, Request, Schemas, Target, quake};

/// What is asked of a conversion.
#[derive(Debug, Clone)]
pub struct Job {
    /// What is said of the inputs.
    pub request: Request,
    /// What is written.
    pub target: Target,
    /// The framing of binary inputs, where the request names none.
    pub binary_framing: Option<Framing>,
    /// Drop the unknown fields of Protocol Buffers, which are else kept from protobuf to protobuf.
    pub drop_unknown: bool,
}

/// An input in another format.
#[derive(Debug)]
pub struct Converted {
    /// One document, or with [`Framing::Each`] one for each record.
    pub documents: Vec<Vec<u8>>,
    /// The format of the input.
    pub from: &'static Format,
    /// How many records there are.
    pub records: usize,
    /// Whether they are quakes.
    pub quakes: bool,
    /// What was found, assumed, left out or lowered.
    pub notes: Vec<Note>,
}

/// Converts inputs one after another. It keeps its memory and what its codecs have learned, so that an input costs
/// nothing but its own work; what comes out is the same as from a session of its own for each.
///
/// ```
/// use bantam::{Input, Job, Request, Session, Target};
///
/// let protobuf = bantam::find_format("protobuf").expect("a row of the table");
/// let target = Target { format: protobuf, framing: None };
/// let mut session = Session::new(Job { request: Request::default(), target, binary_framing: None, drop_unknown: false });
/// for port in ["80", "443"] {
///     let input = Input::new("port.json", format!(r#"{{"port":{port}}}"#).into_bytes())?;
///     assert_eq!(session.convert(&input)?.records, 1);
/// }
/// # Ok::<(), bantam::model::Error>(())
/// ```
pub struct Session {
    job: Job,
    kept: Kept,
}

impl Session {
    /// A session that has learned nothing yet.
    pub fn new(job: Job) -> Self {
        Self { job, kept: Kept::default() }
    }

    /// What is asked.
    pub fn job(&self) -> &Job {
        &self.job
    }

    /// Reads and writes an input.
    ///
    /// # Errors
    /// As [`Dataset::read`] and [`Target::convert`].
    pub fn convert(&mut self, input: &Input) -> Result<Converted> {
        let dataset = self.read(input)?;
        self.write(dataset)
    }

    /// Reads an input.
    ///
    /// # Errors
    /// As [`Dataset::read`].
    pub fn read<'a>(&mut self, input: &'a Input) -> Result<Dataset<'a>> {
        let Job { request, target, binary_framing, drop_unknown } = &self.job;
        let source = format_of(input, request)?;
        let mut request = Request { from: Some(source), ..request.clone() };
        let assumed = request.schemas.is_none() && target.format.only() == Some(quake::MESSAGE);
        if assumed {
            request.schemas = Schemas::quake();
        }
        if request.framing.is_none() && !source.text {
            request.framing = *binary_framing;
        }
        request.keep_unknown = source.name == "protobuf" && target.format.name == "protobuf" && !drop_unknown;
        let dataset = Dataset::read_keeping(input, &request, &mut self.kept)?;
        if assumed && dataset.skipped > 0 && dataset.batch.rows().all(|row| row.fields().next().is_none()) {
            let text = format!("the records have no field of a quake, and {} holds quakes only", target.format.name);
            return Err(Error::new(ErrorKind::Mismatch, text));
        }
        Ok(dataset)
    }

    /// Writes what was read, and takes its memory for the next.
    ///
    /// # Errors
    /// As [`Target::convert`].
    pub fn write(&mut self, dataset: Dataset<'_>) -> Result<Converted> {
        let Dataset { format, schemas, batch, lowered, mut notes, .. } = dataset;
        let written = self.job.target.write_keeping(&batch, &schemas, &mut self.kept.codecs);
        let (records, quakes) = (batch.len(), are_quakes(batch.layout()));
        self.give_back(batch);
        let written = written?;
        notes.extend(lowered.or(written.lowered).texts().map(|t| Note::Text(t.to_owned())));
        Ok(Converted { documents: written.documents, from: format, records, quakes, notes })
    }

    /// Takes the memory of a batch that is no longer needed, for the next input.
    pub fn give_back(&mut self, batch: Batch<'_>) {
        self.kept.give_back(batch);
    }
}

/// Whether records are quakes, with their unknown fields or without.
pub(crate) fn are_quakes(layout: &Layout) -> bool {
    layout.schema().message(layout.root().id).name == quake::MESSAGE
}
