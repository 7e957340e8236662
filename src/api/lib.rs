//! The APIs that the server answers beside the site's public paths, one folder each. They share only
//! what lies in [`shared`]. The server knows them as [`Api`]s.

mod account;
mod calendar;
pub mod content;
pub mod editor;
mod hooks;
mod shared;
#[cfg(feature = "warehouse")]
pub mod warehouse;

use std::path::Path;
use std::sync::Arc;

use server::Api;

pub use shared::Finder;

/// Every API, for the site at `root`. Nothing is written to the disk before a request needs it.
pub fn all(root: &Path) -> Vec<Arc<dyn Api>> {
    vec![
        Arc::new(content::ContentApi::new(root)),
        Arc::new(account::AccountApi),
        Arc::new(calendar::CalendarApi::default()),
        Arc::new(hooks::RealtimeHooks),
        Arc::new(editor::Editor::new(root)),
        Arc::new(webhooks::Webhooks::default()),
        #[cfg(feature = "warehouse")]
        Arc::new(warehouse::WarehouseApi::new(root)),
    ]
}
