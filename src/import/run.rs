//! The input and the outcome of an import.

use std::path::Path;

use fetch::Client;

use super::found::{Hidden, Note};
use model::Config;

pub struct Run<'a> {
    pub root: &'a Path,
    pub config: &'a Config,
    /// Client that downloads media. `None` means that media are not downloaded.
    pub media: Option<&'a Client>,
    /// Callback that receives the number of entries processed so far.
    pub done: &'a (dyn Fn(usize) + Sync),
    /// Callback that receives a media address, and the number of bytes received from it.
    pub progress: &'a (dyn Fn(&str, u64) + Sync),
}

#[derive(Debug, Default)]
pub struct Outcome {
    pub items: usize,
    pub pages: usize,
    /// Number of entries that already existed in the site.
    pub known: usize,
    /// Number of entries whose body stays HTML, completely or in part.
    pub with_html: usize,
    pub media: usize,
    /// Items and pages that are not public at the source.
    pub hidden: Vec<Hidden>,
    pub notes: Vec<Note>,
    /// The reason why the run stopped early.
    pub stopped: Option<String>,
}
