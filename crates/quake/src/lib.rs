//! Earthquakes: SeisComPML and QuakeML in, the compact [Quake](PROTO) out.
//!
//! [`read`] gives the quakes of a document as a batch of the model, with typed [`Note`]s on all that was left out or assumed. The
//! formats that people of this field use are rows of [`FORMATS`], as those of the foundation are of its own table.

mod message;
mod note;
mod read;
mod time;

pub use message::{MESSAGE, PROTO, is_quake, layout, schema};
pub use note::{Note, NoteKind, Severity};
pub use read::{Options, Reader, Reading, read};
pub use time::{Parsed, Time};
