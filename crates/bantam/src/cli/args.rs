//! The definitions of the command line, from which help, completions and the man page come.

use bantam::compress::{COMPRESSORS, Choice, Dictionary};
use bantam::formats::Framing;
use bantam::model::Limits;
use bantam::report::REPORTS;
use bantam::sample::SAMPLES;
use bantam::weigh::Speed;
use bantam::{Input, all_formats};
use clap::builder::{PossibleValuesParser, RangedI64ValueParser};
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// Makes structured data smaller and faster, and proves it on your own data.
#[derive(Debug, Parser)]
#[command(
    name = "bantam",
    version,
    max_term_width = 100,
    after_help = "Exit codes: 0 all well, 1 some input failed, 2 wrong usage.\n\
                  Results go to standard output, notes and progress to standard error."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Weigh every format on this data: sizes and speeds, each read back and compared
    Weigh(Weigh),
    /// Convert files, folders or streams from any format to any other
    Convert(Convert),
    /// Show or infer schemas
    Schema(Schema),
    /// Make sample records, or list the samples
    Sample(Sample),
    /// List what can be read and written
    Formats(Listing),
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the man page
    Man,
}

fn readable() -> PossibleValuesParser {
    PossibleValuesParser::new(all_formats().filter(|f| f.reads()).map(|f| f.name))
}

fn writable() -> PossibleValuesParser {
    PossibleValuesParser::new(all_formats().filter(|f| f.writes()).map(|f| f.name))
}

fn framing_names() -> PossibleValuesParser {
    PossibleValuesParser::new(Framing::ALL.map(Framing::name))
}

fn depth() -> RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=i64::from(Limits::MOST_DEPTH))
}

fn dictionary_size() -> RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(Dictionary::LEAST as i64..=Dictionary::MOST as i64)
}

/// What every command that reads records takes.
#[derive(Debug, Args)]
pub(crate) struct Reading {
    /// Schema file (.proto, .thrift, descriptor set) or sample:NAME; a second one of another kind stands
    /// for the formats of that kind, its fields matched by name. Without one, the schema is inferred
    #[arg(long, short, value_name = "FILE")]
    pub(crate) schema: Vec<String>,
    /// The message that the records are, by full or short name
    #[arg(long, short, value_name = "NAME")]
    pub(crate) message: Option<String>,
    /// Folder in which imports of schema files are looked for
    #[arg(long, short = 'I', value_name = "DIR")]
    pub(crate) include: Vec<PathBuf>,
    /// The format of the input, else found by content and extension
    #[arg(long, short, value_name = "FORMAT", value_parser = readable())]
    pub(crate) from: Option<String>,
    /// The place of the records in a JSON document, such as `statuses` or `result.items`
    #[arg(long, value_name = "PATH")]
    pub(crate) at: Option<String>,
    /// Of SeisComPML and QuakeML: keep arrivals and station magnitudes that were not used, marked as such
    #[arg(long)]
    pub(crate) keep_unused: bool,
    /// Of SeisComPML and QuakeML: refuse what can be read with a warning only
    #[arg(long)]
    pub(crate) strict: bool,
    /// Nesting that a reader accepts, in messages
    #[arg(long, value_name = "N", default_value_t = Limits::DEPTH, value_parser = depth())]
    pub(crate) max_depth: u32,
    /// Bytes that a compressed input may expand to
    #[arg(long, value_name = "BYTES", default_value_t = Input::MOST_BYTES)]
    pub(crate) max_expanded: usize,
}

#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  bantam weigh events.json\n  bantam weigh --sample dns\n  \
    bantam weigh twitter.json --at statuses --formats protobuf,json --compress zlib,zstd:19\n  \
    bantam weigh events.json --html report.html --link 100Mbit/s\n  \
    bantam weigh events.json --each --compress zlib,zstd:3,zstd:19 --dictionary 4096\n  \
    bantam sample dns | bantam weigh - --schema sample:dns --json")]
pub(crate) struct Weigh {
    /// Files with records of one kind, `-` for standard input
    #[arg(value_name = "FILE", required_unless_present = "sample", conflicts_with = "sample")]
    pub(crate) files: Vec<String>,
    /// Weigh a sample's records
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(SAMPLES.iter().map(|s| s.name)))]
    pub(crate) sample: Option<String>,
    /// Records of the sample, or events of a document
    #[arg(long, visible_alias = "events", value_name = "N", requires = "sample")]
    pub(crate) records: Option<usize>,
    /// Seed of the sample
    #[arg(long, value_name = "S", requires = "sample", default_value_t = 1)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Formats that take part, such as `protobuf,json,json/serde_json`; all by default
    #[arg(long, value_name = "LIST")]
    pub(crate) formats: Option<String>,
    /// Compressors with levels, such as `none,zlib:9,zstd:19`; all by default
    #[arg(long, value_name = "LIST", value_delimiter = ',', help = compressors_help())]
    pub(crate) compress: Vec<Choice>,
    /// How several records lie in one file; each format's usual way by default
    #[arg(long, value_name = "FRAMING", value_parser = framing_names())]
    pub(crate) framing: Option<String>,
    /// Every record by itself, as messages on a queue: bytes and times of a message at the median and the 99th percentile,
    /// compressed one by one, and with a dictionary of zstd that is trained on other messages
    #[arg(long)]
    pub(crate) each: bool,
    /// Size of the trained dictionary; by default a hundredth of what it is trained on, and 1024 at least
    #[arg(long, value_name = "BYTES", requires = "each", value_parser = dictionary_size())]
    pub(crate) dictionary: Option<u32>,
    /// A first look: fewer rounds, wider intervals
    #[arg(long)]
    pub(crate) quick: bool,
    /// Weigh other libraries' compiled code, too: types are generated from the schema and built in the cache folder, the first time
    /// for some minutes. Needs cargo
    #[arg(long)]
    pub(crate) native: bool,
    /// What is best over a link of that speed, such as 100Mbit/s or 12.5MB/s; may be given several times
    #[arg(long, value_name = "SPEED")]
    pub(crate) link: Vec<Speed>,
    /// Write a page with charts and sortable tables beside the report; one file that needs no network
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<String>,
    /// Keep the weighing as JSON in this file, to hold later ones against it
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<String>,
    /// Compare with a weighing that was kept: sizes and allocations exactly, times by their intervals
    #[arg(long, value_name = "FILE")]
    pub(crate) against: Option<String>,
    /// Exit with 1 unless these bounds are kept, such as `protobuf<=15KB, decode protobuf<=1.1x`; with `x`,
    /// times the figure of the weighing that --against names. Figures are size, encode, decode, round-trip,
    /// encode-allocations, decode-allocations, encode-memory and decode-memory; a time breaks its bound only beyond noise
    #[arg(long, value_name = "LIST")]
    pub(crate) budget: Option<String>,
    #[command(flatten)]
    pub(crate) report: Report,
}

fn compressors_help() -> String {
    let names: Vec<_> = COMPRESSORS.iter().filter(|c| c.weighed).map(|c| c.name).collect();
    let others: Vec<_> = COMPRESSORS.iter().filter(|c| !c.weighed).map(|c| c.name).collect();
    format!(
        "Compressors with levels, such as `zlib:9,zstd:19` [default: {}; with --quick without gzip; there is {} also]",
        names.join(","),
        others.join(", ")
    )
}

/// How a weigh-in is shown.
#[derive(Debug, Args)]
#[group(multiple = false)]
pub(crate) struct Report {
    /// One JSON document (same as --report json)
    #[arg(long)]
    pub(crate) json: bool,
    /// A CSV line for each row and compressor (same as --report csv)
    #[arg(long)]
    pub(crate) csv: bool,
    /// How to show the figures
    #[arg(long = "report", value_name = "NAME", value_parser = PossibleValuesParser::new(REPORTS.iter().map(|r| r.name)))]
    pub(crate) name: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_long_help = "One record is written as the bare message, as protoc would write it, several in the \
    format's usual framing. A binary input's framing is the one that fits the schema without unknown fields.\n\n\
    Of a folder, all files below it are converted, on past bad ones. If OUT is a folder, or a new name that ends in `/` or has no \
    extension, each becomes a file of its own there. Else OUT is one document with the records of all: a stream where it \
    is binary, which takes no more memory for more files; or the format's usual framing, and a list is collected in memory, up to \
    2 GiB. Records without a schema of their own need --schema then.\n\n\
    Examples:\n  bantam convert records.json records.pb\n  \
    bantam convert records.pb - --to yaml --schema records.proto\n  \
    bantam convert logs/ small/ --to protobuf --schema log.proto --framing stream\n  \
    bantam convert 2015/ quakes/ --to protobuf --only xml --newer\n  \
    bantam convert 2015/ 2015.pb.zst --latest\n  \
    bantam convert in.pb out.pb --from-framing list --to-framing stream --schema s.proto")]
pub(crate) struct Convert {
    /// File or folder, `-` for standard input
    #[arg(value_name = "IN")]
    pub(crate) input: String,
    /// File or folder, `-` for standard output; a file appears whole or not at all
    #[arg(value_name = "OUT")]
    pub(crate) output: String,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// The format of the output, else by its extension; a compressor's after it, as in `.json.gz`, compresses
    #[arg(long, short, value_name = "FORMAT", value_parser = writable())]
    pub(crate) to: Option<String>,
    /// How several records lie in one file, both in a binary input and in the output
    #[arg(long, value_name = "FRAMING", value_parser = framing_names())]
    pub(crate) framing: Option<String>,
    /// The input's framing alone
    #[arg(long, value_name = "FRAMING", value_parser = framing_names())]
    pub(crate) from_framing: Option<String>,
    /// The output's framing alone; with `each`, OUT is a folder unless there is one record
    #[arg(long, value_name = "FRAMING", value_parser = framing_names())]
    pub(crate) to_framing: Option<String>,
    /// Drop the unknown fields of Protocol Buffers, which are else kept from protobuf to protobuf
    #[arg(long)]
    pub(crate) drop_unknown: bool,
    /// Print what came of it as one JSON document on standard output, instead of notes and summary
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) folder: OfFolder,
}

/// What is asked of folders.
#[derive(Debug, Args)]
pub(crate) struct OfFolder {
    /// Of a folder: pass over what is up to date, so that a run that was stopped goes on where it was. That is an output which is
    /// not older than its input; of one document for all files, a document which is not older than any of them
    #[arg(long, help_heading = "Folders")]
    pub(crate) newer: bool,
    /// Of a folder of quakes: keep only the latest update of each, by its modification time; of several with that time, the last
    /// in the order of the files. The files are read twice
    #[arg(long, help_heading = "Folders")]
    pub(crate) latest: bool,
    /// Of a folder: read only files with these extensions, also before that of a compressor: `xml` takes a.xml and a.xml.gz
    #[arg(long, value_name = "EXT,…", value_delimiter = ',', help_heading = "Folders")]
    pub(crate) only: Vec<String>,
    /// Of a folder: threads that convert; by default as many as there are processors
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024), help_heading = "Folders")]
    pub(crate) jobs: Option<u32>,
}

#[derive(Debug, Args)]
pub(crate) struct Schema {
    #[command(subcommand)]
    pub(crate) command: SchemaCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SchemaCommand {
    /// Print a schema file (.proto, .thrift, descriptor set) or sample:NAME as .proto
    Show {
        /// The schema file
        file: String,
        /// Only this message and what it needs
        #[arg(long, short, value_name = "NAME")]
        message: Option<String>,
        /// Folder in which imports are looked for
        #[arg(long, short = 'I', value_name = "DIR")]
        include: Vec<PathBuf>,
    },
    /// Infer the schema of records in JSON, NDJSON, YAML or CSV and print it as .proto
    Infer {
        /// File with the records, `-` for standard input
        file: String,
        /// The format, else found by content and extension
        #[arg(long, short, value_name = "FORMAT", value_parser = readable())]
        from: Option<String>,
        /// The place of the records in a JSON document
        #[arg(long, value_name = "PATH")]
        at: Option<String>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Sample {
    /// The sample; without a name, the samples are listed
    #[arg(value_name = "NAME", value_parser = PossibleValuesParser::new(SAMPLES.iter().map(|s| s.name)))]
    pub(crate) name: Option<String>,
    /// Records, or events of a document
    #[arg(long, visible_alias = "events", short = 'n', value_name = "N")]
    pub(crate) records: Option<usize>,
    /// Seed: the same seed makes the same records
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// The format, else by the output's extension, else json; a document stays as it is
    #[arg(long, short, value_name = "FORMAT", value_parser = writable())]
    pub(crate) to: Option<String>,
    /// How several records lie in one file; with `each`, the output is a folder unless there is one record
    #[arg(long, value_name = "FRAMING", value_parser = framing_names())]
    pub(crate) framing: Option<String>,
    /// The file to write, else standard output
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<String>,
    /// List the samples as JSON
    #[arg(long, conflicts_with = "name")]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Listing {
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}
