//! All APIs that the server provides in addition to the site's public paths. Each API is a separate
//! package and does not depend on another API. Code that several APIs use is in `shared`. The
//! server accesses each API through the trait [`Api`].

use std::path::Path;
use std::sync::Arc;

use server::Api;

pub use editor_api as editor;
#[cfg(feature = "warehouse")]
pub use warehouse_api as warehouse;

/// Returns every API for the site at `root`. Does not write to the disk.
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
