//! The APIs that the server answers in addition to the site's public paths, one package each. They do not use each
//! other; what several need is in `shared`. The server knows them as [`Api`]s.

use std::path::Path;
use std::sync::Arc;

use server::Api;

pub use editor_api as editor;
#[cfg(feature = "warehouse")]
pub use warehouse_api as warehouse;

/// Every API, for the site at `root`. Nothing is written to the disk before a request needs it.
pub fn all(root: &Path) -> Vec<Arc<dyn Api>> {
    vec![
        Arc::new(content_api::ContentApi::new(root)),
        Arc::new(account_api::AccountApi),
        Arc::new(calendar_api::CalendarApi::default()),
        Arc::new(hooks_api::RealtimeHooks),
        Arc::new(editor_api::Editor::new(root)),
        Arc::new(webhooks::Webhooks::default()),
        #[cfg(feature = "warehouse")]
        Arc::new(warehouse_api::WarehouseApi::new(root)),
    ]
}
