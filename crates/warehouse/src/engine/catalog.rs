//! Looks up datasets and tables, both stored and live.

use super::Engine;
use crate::store::{self, Dataset, Table};
use crate::{DatasetId, Fault, TableName};

impl Engine<'_> {
    /// Returns a dataset, or an error if it does not exist.
    pub fn dataset(&self, id: &DatasetId) -> Result<Dataset, Fault> {
        self.store.dataset(id)?.ok_or_else(|| store::no_dataset(id))
    }

    /// Returns every table and view of a dataset, sorted by name. Returns an error if the dataset
    /// does not exist.
    pub fn tables(&self, dataset: &DatasetId) -> Result<Vec<Table>, Fault> {
        let mut tables = self.store.tables(dataset)?;
        if dataset.as_str() == DatasetId::SITE {
            tables.extend(self.live.all());
        }
        tables.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(tables)
    }

    /// Returns a table or view, or an error if it does not exist.
    pub fn table(&self, name: &TableName) -> Result<Table, Fault> {
        let live = if name.dataset.as_str() == DatasetId::SITE {
            self.live.find(&name.table)
        } else {
            None
        };
        match live {
            Some(table) => Ok(table),
            None => self.store.table(name)?.ok_or_else(|| store::no_table(name)),
        }
    }
}
