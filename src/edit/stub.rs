//! Stands in until the branch lands.
#![allow(missing_docs, unused_variables)]
use crate::model::{Diagnostic, SitePath, Source};
use serde_json::Value;
use std::io;
use std::path::Path;
pub struct Change {
    pub path: Vec<String>,
    pub to: Option<Value>,
}
impl Change {
    pub fn set(path: &[&str], to: Value) -> Self {
        Self {
            path: path.iter().map(|p| (*p).to_owned()).collect(),
            to: Some(to),
        }
    }
    pub fn remove(path: &[&str]) -> Self {
        Self {
            path: path.iter().map(|p| (*p).to_owned()).collect(),
            to: None,
        }
    }
}
pub enum Replaced {
    Done,
    Changed,
}
pub fn apply(
    source: Source<'_>,
    changes: &[Change],
    body: Option<&str>,
) -> Result<String, Vec<Diagnostic>> {
    Ok(source.text.to_owned())
}
pub fn replace_if(path: &Path, old: &[u8], new: &[u8]) -> io::Result<Replaced> {
    Ok(Replaced::Done)
}
pub fn remove_to_trash(root: &Path, path: &SitePath, now: jiff::Timestamp) -> io::Result<SitePath> {
    Ok(path.clone())
}
pub fn free_name(root: &Path, folder: &str, stem: &str, extension: &str) -> SitePath {
    SitePath::parse(&format!("{folder}/{stem}.{extension}")).unwrap_or_else(|| unreachable!())
}
