//! Why a command stops early, and with which exit code.

use super::{ALL_WELL, SOME_FAILED, USAGE, printable};
use bantam::model::{Error, ErrorKind};
use std::io::{self, Write};
use std::process::ExitCode;

/// Why a command stops early.
#[derive(Debug)]
pub(crate) enum Stop {
    /// Input or output failed: what, and the error.
    Failed { what: String, error: String },
    /// The arguments do not fit together.
    Usage(String),
    /// Nobody reads standard output any more.
    BrokenPipe,
}

impl Stop {
    /// An error of the model or a codec in a file. What only the user can tell is asked for, as wrong usage.
    pub(crate) fn in_file(name: &str, error: &Error) -> Self {
        match error.kind() {
            ErrorKind::Ambiguous => Self::Usage(format!("{name}: {error}")),
            _ => Self::Failed { what: name.to_owned(), error: error.to_string() },
        }
    }

    /// An error of a schema file, which may be in a file that it imports, and mostly names the file itself.
    pub(crate) fn in_schema(name: &str, error: &Error) -> Self {
        let text = error.to_string();
        if error.message().starts_with("cannot read") {
            return Self::Failed { what: String::new(), error: text };
        }
        match text.strip_suffix(&format!(" (in {name})")) {
            Some(text) => Self::Failed { what: name.to_owned(), error: text.to_owned() },
            None => Self::in_file(name, error),
        }
    }

    /// An error of the system about a file.
    pub(crate) fn io(name: &str, error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::BrokenPipe;
        }
        Self::Failed { what: name.to_owned(), error: error.to_string() }
    }

    /// Says why on standard error, unless it is a broken pipe; gives the exit code.
    pub(crate) fn report(self) -> ExitCode {
        let (text, code) = match self {
            Self::BrokenPipe => return ExitCode::from(ALL_WELL),
            Self::Failed { what, error } if what.is_empty() => (error, SOME_FAILED),
            Self::Failed { what, error } => (format!("{}: {error}", printable(&what)), SOME_FAILED),
            Self::Usage(text) => (text, USAGE),
        };
        self::error(&text);
        ExitCode::from(code)
    }
}

/// Writes an error to standard error.
pub(crate) fn error(text: &str) {
    let style = anstyle::AnsiColor::Red.on_default().bold();
    // Of several lines, such as another program's, each is made safe by itself.
    let text = text.lines().map(printable).collect::<Vec<_>>().join("\n");
    // An error that cannot be written has no reader; the exit code says it, too.
    let _ = writeln!(anstream::stderr(), "{style}error{style:#}: {text}");
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::io("standard output", &error)
    }
}

/// Errors about arguments, such as an unknown name or a choice that the user has to make.
impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        match error.kind() {
            ErrorKind::Ambiguous | ErrorKind::Unsupported => Self::Usage(error.to_string()),
            _ => Self::Failed { what: String::new(), error: error.to_string() },
        }
    }
}
