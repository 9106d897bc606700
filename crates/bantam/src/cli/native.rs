//! `bantam weigh --native`: the lane of generated code.

use super::note;
use super::stop::Stop;
use bantam::Dataset;
use bantam::native::{self, Error, Native, Step};
use std::path::PathBuf;

/// The rows of the native lane.
pub(super) fn lane(dataset: &Dataset<'_>, quick: bool) -> Result<Native, Stop> {
    let cache = cache()?;
    native::weigh(&dataset.batch, &cache, quick, &mut |step| match step {
        Step::Build(folder) => {
            note(&format!("building the native lane in {}; the first time takes minutes", folder.display()));
        }
        Step::Run(allocator) => note(&format!("measuring the native lane, allocator {allocator}")),
    })
    .map_err(|error| match error {
        Error::NoCargo => Stop::Usage(format!("--native: {error}")),
        _ => Stop::Failed { what: "--native".to_owned(), error: error.to_string() },
    })
}

/// The folder that is kept between runs, by the XDG base directory specification.
fn cache() -> Result<PathBuf, Stop> {
    let set = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let caches = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME").or_else(|| set("LOCALAPPDATA"))?.join(".cache")));
    match caches {
        Some(caches) => Ok(caches.join("bantam").join("native")),
        None => Err(Stop::Usage("--native: no cache folder: set XDG_CACHE_HOME".to_owned())),
    }
}
