//! Inferring a schema from the records of a format that has none.

use crate::formats::Format;
use crate::model::infer::{Inference, Inferred, Options};
use crate::model::{Error, ErrorKind, Limits, Result};

/// Infers the schema of all records in the files. The message is named after the first file's `name`.
///
/// # Errors
/// [`ErrorKind::Schema`] for formats that need a schema to be read; else what is wrong with the records, as
/// [`Inference`] says.
pub fn infer(format: &Format, files: &[&[u8]], name: &str, limits: &Limits) -> Result<Inferred> {
    let mut inference = Inference::new(Options::default().limits(limits.clone()));
    for &bytes in files {
        match format.name {
            "json" | "json-spaced" | "json-pretty" | "ndjson" => json(&mut inference, bytes)?,
            "yaml" | "yaml-flow" => yaml(&mut inference, bytes)?,
            "csv" => csv(&mut inference, bytes)?,
            _ => {
                let text = format!("{} is read by a schema; give one with --schema FILE", format.name);
                return Err(Error::new(ErrorKind::Schema, text));
            }
        }
    }
    inference.finish(&message_name(name))
}

fn json(inference: &mut Inference, bytes: &[u8]) -> Result<()> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut document = serde_json::Deserializer::from_slice(bytes);
    if bytes.trim_ascii_start().starts_with(b"[") {
        inference.observe_list(&mut document)?;
        return document.end().map_err(|e| syntax(&e));
    }
    while document.end().is_err() {
        inference.observe(&mut document)?;
    }
    Ok(())
}

/// A document that is a list of records, or one document a record.
fn yaml(inference: &mut Inference, bytes: &[u8]) -> Result<()> {
    let text = std::str::from_utf8(bytes)
        .map_err(|e| Error::new(ErrorKind::Text, "the text is not UTF-8").at_byte(e.valid_up_to()).with_lines(bytes))?;
    serde_saphyr::with_deserializer_from_str(text, |document| {
        inference.observe_list(document).map_err(serde::de::Error::custom)
    })
    .map_err(|e| Error::new(ErrorKind::Syntax, e.to_string()))
}

fn syntax(error: &serde_json::Error) -> Error {
    Error::new(ErrorKind::Syntax, error.to_string()).at_line(error.line() as u64, error.column() as u64)
}

fn csv(inference: &mut Inference, bytes: &[u8]) -> Result<()> {
    let wrong = |e: csv::Error| {
        let error = Error::new(ErrorKind::Syntax, e.to_string());
        match e.position() {
            Some(at) => error.at_line(at.line(), 1),
            None => error,
        }
    };
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut reader = csv::ReaderBuilder::new().from_reader(bytes);
    let names: Vec<String> = reader.headers().map_err(wrong)?.iter().map(str::to_owned).collect();
    let mut row = csv::StringRecord::new();
    while reader.read_record(&mut row).map_err(wrong)? {
        let cells: Vec<&str> = row.iter().collect();
        inference.observe_text_row(&names, &cells)?;
    }
    Ok(())
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
    fn a_message_is_named_after_its_file() {
        for (file, name) in [("a/dns-records.json", "DnsRecords"), ("-", "Record"), ("2015.json", "Record"), ("x", "X")]
        {
            assert_eq!(message_name(file), name);
        }
    }
}
