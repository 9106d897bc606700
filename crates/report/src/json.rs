//! `json`: the weighing itself, as the document that [`bantam_weigh::Weighing`] describes.

use std::io::{self, Write};

use bantam_weigh::Weighing;

use crate::{Options, Report};

pub(crate) static JSON: Report =
    Report { name: "json", about: "one document with every figure, whose keys are a promise", render };

fn render(weighing: &Weighing, _options: &Options, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, weighing)?;
    writeln!(out)
}
