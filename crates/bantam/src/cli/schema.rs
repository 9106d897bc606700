//! `bantam schema`: show and infer.

use super::args::SchemaCommand;
use super::files::{format, read, shown};
use super::stop::Stop;
use super::{note, print};
use bantam::model::infer::At;
use bantam::model::source::to_proto;
use bantam::{Dataset, Input, Request, Schemas};

pub(super) fn run(command: &SchemaCommand) -> Result<u8, Stop> {
    match command {
        SchemaCommand::Show { file, message, include } => {
            let mut schemas = Schemas::none();
            schemas.add(file, include).map_err(|e| Stop::in_schema(file, &e))?;
            let schemas = schemas.message(message.clone());
            let schema = schemas.schema();
            let root = match message {
                Some(_) => Some(schemas.main().map_err(|e| Stop::Usage(e.to_string()))?.1),
                None => schemas.main().ok().map(|(_, root)| root),
            };
            print(to_proto(schema, root).as_bytes())
        }
        SchemaCommand::Infer { file, from, at } => {
            let input = read(file, Input::MOST_BYTES)?;
            let at = match at {
                Some(path) => Some(At::parse(path).map_err(|e| Stop::Usage(format!("--at {path}: {e}")))?),
                None => None,
            };
            let request = Request { from: format(from.as_deref()), at, ..Request::default() };
            let dataset = Dataset::read(&input, &request).map_err(|e| Stop::in_file(shown(file), &e))?;
            dataset.notes.iter().for_each(|n| note(&n.to_string()));
            let (schema, root) = dataset.schemas.main()?;
            print(to_proto(schema, Some(root)).as_bytes())
        }
    }
}
