//! Inferring a schema from the records of a format that has none.

use crate::formats::{Format, yaml};
use crate::model::infer::{self, Inference, Inferred};
use crate::model::{Error, ErrorKind, Limits, Result};

/// Infers the schema of all records in files, which are names with bytes. The message is named after the first.
///
/// # Errors
/// [`ErrorKind::Ambiguous`] for formats that need a schema to be read; else what is wrong with the records, as
/// [`Inference`] says, of several files with the file's name.
pub fn infer(format: &Format, files: &[(&str, &[u8])], limits: &Limits) -> Result<Inferred> {
    let observe = match format.name {
        "json" | "json-spaced" | "json-pretty" | "ndjson" => json,
        "yaml" | "yaml-flow" => documents,
        "csv" => csv,
        _ => {
            let text = format!(
                "{} is read by a schema; give one with --schema FILE (of earthquakes: --schema sample:quake)",
                format.name
            );
            return Err(Error::new(ErrorKind::Ambiguous, text));
        }
    };
    let mut inference = Inference::new(infer::Options::default().limits(limits.clone()));
    for (name, bytes) in files {
        let seen = observe(&mut inference, bytes, limits);
        seen.map_err(|e| if files.len() > 1 { e.in_file(name) } else { e })?;
    }
    if let ("csv", 0, Some((_, bytes))) = (format.name, inference.records(), files.first()) {
        // Column names without a row: a row of empty cells shows the columns.
        inference.observe_text_row(&columns(&mut csv_reader(bytes))?, &[""; 0])?;
    }
    inference.finish(&message_name(files.first().map_or("", |(name, _)| name)))
}

fn json(inference: &mut Inference, bytes: &[u8], _: &Limits) -> Result<()> {
    observe_json(inference, bytes).map_err(|e| placed(e, bytes))
}

/// Gives an error of the parser, which says the place only in its text, a position.
fn placed(error: Error, bytes: &[u8]) -> Error {
    let parsed = |text: &str| {
        // `at line 2 column 8` in one library, `at line 2, column 8` and perhaps more in the other.
        let (text, place) = text.split_once(" at line ")?;
        let mut numbers = place.split(|c: char| !c.is_ascii_digit()).filter(|n| !n.is_empty());
        let mut number = || numbers.next()?.parse::<usize>().ok();
        Some((text.to_owned(), number()?, number()?))
    };
    let Some((text, line, column)) = parsed(error.message()).filter(|_| error.kind() == ErrorKind::Syntax) else {
        return error;
    };
    let before: usize = bytes.split_inclusive(|&b| b == b'\n').take(line.saturating_sub(1)).map(<[u8]>::len).sum();
    let found = Error::new(ErrorKind::Syntax, text).at_byte((before + column.saturating_sub(1)).min(bytes.len()));
    let found = if let Some(record) = error.position().record { found.in_record(record as usize) } else { found };
    found.with_lines(bytes)
}

fn observe_json(inference: &mut Inference, bytes: &[u8]) -> Result<()> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut document = serde_json::Deserializer::from_slice(bytes);
    // The inference has a limit of its own, which the user can set.
    document.disable_recursion_limit();
    if bytes.trim_ascii_start().starts_with(b"[") {
        inference.observe_list(&mut document)?;
        return document.end().map_err(|e| Error::new(ErrorKind::Syntax, e.to_string()));
    }
    while document.end().is_err() {
        inference.observe(&mut document)?;
    }
    Ok(())
}

/// A document that is a list of records, or a document a record.
fn documents(inference: &mut Inference, bytes: &[u8], limits: &Limits) -> Result<()> {
    yaml::untyped(
        bytes,
        limits,
        |document, alone| {
            if alone { inference.observe_list(document) } else { inference.observe(document) }
        },
    )
}

fn csv(inference: &mut Inference, bytes: &[u8], _: &Limits) -> Result<()> {
    let mut reader = csv_reader(bytes);
    let names = columns(&mut reader)?;
    let mut row = csv::StringRecord::new();
    while reader.read_record(&mut row).map_err(|e| csv_error(&e))? {
        let cells: Vec<&str> = row.iter().collect();
        let line = row.position().map_or(0, csv::Position::line);
        inference.observe_text_row(&names, &cells).map_err(|e| e.at_line(line, 1))?;
    }
    Ok(())
}

fn csv_reader(bytes: &[u8]) -> csv::Reader<&[u8]> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    csv::ReaderBuilder::new().from_reader(bytes)
}

fn columns(reader: &mut csv::Reader<&[u8]>) -> Result<Vec<String>> {
    let names: Vec<_> = reader.headers().map_err(|e| csv_error(&e))?.iter().map(str::to_owned).collect();
    if names.is_empty() {
        let text = "the input is empty, where a line of column names is expected";
        return Err(Error::new(ErrorKind::Truncated, text));
    }
    let twice = names.iter().enumerate().find(|(at, name)| names[..*at].contains(name));
    match twice {
        Some((_, name)) => Err(Error::new(ErrorKind::Schema, format!("two columns are named `{name}`")).at_line(1, 1)),
        None => Ok(names),
    }
}

fn csv_error(error: &csv::Error) -> Error {
    let found = match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            Error::new(ErrorKind::Mismatch, format!("{len} cells, but {expected_len} columns have a name"))
        }
        csv::ErrorKind::Utf8 { .. } => Error::new(ErrorKind::Text, "the text is not UTF-8"),
        _ => Error::new(ErrorKind::Syntax, error.to_string()),
    };
    match error.position() {
        Some(at) => found.at_line(at.line(), 1),
        None => found,
    }
}

/// A message's name from a file's: `dns-records.json` is `DnsRecords`.
fn message_name(file: &str) -> String {
    let file = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let stem = file.split('.').next().unwrap_or(file);
    let mut name = String::new();
    for word in stem.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty()) {
        let (first, rest) = word.split_at(1);
        name.push_str(&first.to_ascii_uppercase());
        name.push_str(rest);
    }
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) { name } else { "Record".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn yaml_comes_back_as_it_was_written() {
        use crate::{Dataset, Input, Request, formats};
        for (input, fields, json) in [
            (
                "- {id: 007, on: yes, n: 1, x: .inf}\n- {id: 08, on: off, n: -2, x: 1.5, day: 2015-01-02}\n",
                "string, string, int32, double, string",
                r#"[{"id":"007","on":"yes","n":1,"x":"Infinity"},{"id":"08","on":"off","n":-2,"x":1.5,"day":"2015-01-02"}]"#,
            ),
            (
                "--- {id: '1', b: true}\n---\nid: '0x1F'\nb: False\n",
                "string, bool",
                "{\"id\":\"1\",\"b\":true}\n{\"id\":\"0x1F\",\"b\":false}\n",
            ),
            (
                "- &a {zip: 01234, n: 0x1F}\n- {<<: *a, n: 0o17}\n- *a\n",
                "string, uint32",
                r#"[{"zip":"01234","n":31},{"zip":"01234","n":15},{"zip":"01234","n":31}]"#,
            ),
        ] {
            let input = Input::new("a.yaml", input.as_bytes().to_vec()).unwrap();
            let dataset = Dataset::read(&input, &Request::default()).unwrap();
            let slots = &dataset.batch.layout().root().slots;
            let kinds: Vec<_> = slots.iter().map(|slot| slot.kind.to_string()).collect();
            assert_eq!(kinds.join(", "), fields);
            let mut out = Vec::new();
            let codec = (formats::find("json").unwrap().engines[0].build)(dataset.batch.layout());
            codec.unwrap().encode(&dataset.batch, dataset.files[0].1, &mut out).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), json);
        }
    }

    #[test]
    fn a_message_is_named_after_its_file() {
        for (file, name) in [("a/dns-records.json", "DnsRecords"), ("-", "Record"), ("2015.json", "Record"), ("x", "X")]
        {
            assert_eq!(message_name(file), name);
        }
    }
}
