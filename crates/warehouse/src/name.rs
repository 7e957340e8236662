//! The names of datasets and tables.

use std::fmt;

use super::error::Fault;

/// The name of a dataset: up to 200 ASCII letters, digits and underscores. The name is
/// case-sensitive. If it starts with an underscore, the dataset is hidden.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DatasetId(String);

/// The name of a table within its dataset: up to 1,024 bytes of letters and digits of any script,
/// underscores, dashes and spaces. The name is case-sensitive.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableId(String);

/// The full name of a table: the dataset's name and the table's name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableName {
    pub dataset: DatasetId,
    pub table: TableId,
}

/// Maximum length of a table's name, in bytes. Dataset names are shorter, because each dataset is a
/// file, and most file systems limit file names to 255 bytes.
const MAX_LENGTH: usize = 1024;
const MAX_FILE_LENGTH: usize = 200;

impl DatasetId {
    /// The dataset for live tables and the program's own data. Statements and loads cannot write to
    /// it.
    pub const SITE: &'static str = "site";

    pub fn parse(text: &str) -> Result<Self, Fault> {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if !text.is_empty() && text.len() <= MAX_FILE_LENGTH && text.chars().all(is_word) {
            Ok(Self(text.to_owned()))
        } else {
            Err(Fault::invalid(format!(
                "invalid dataset name {text:?}: use 1 to {MAX_FILE_LENGTH} letters, digits and underscores"
            )))
        }
    }

    /// Returns the name of the dataset `site`.
    pub fn site() -> Self {
        Self(Self::SITE.to_owned())
    }

    /// Returns the name of the hidden dataset for a job's result.
    pub fn of_job(job: &str) -> Self {
        let digest = xxhash_rust::xxh3::xxh3_128(job.as_bytes());
        Self(format!("_{digest:032x}"))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether the dataset is omitted from listings.
    pub fn is_hidden(&self) -> bool {
        self.0.starts_with('_')
    }
}

impl TableId {
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ');
        let is_name =
            !text.trim().is_empty() && text.len() <= MAX_LENGTH && text.chars().all(is_part);
        if is_name {
            Ok(Self(text.to_owned()))
        } else {
            Err(Fault::invalid(format!(
                "invalid table name {text:?}: use 1 to {MAX_LENGTH} bytes of letters, digits, underscores, dashes and spaces"
            )))
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TableName {
    pub fn parse(dataset: &str, table: &str) -> Result<Self, Fault> {
        Ok(Self { dataset: DatasetId::parse(dataset)?, table: TableId::parse(table)? })
    }
}

impl fmt::Display for DatasetId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for TableName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.dataset, self.table)
    }
}
