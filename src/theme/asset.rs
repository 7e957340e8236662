//! Files that pages load.

/// A file of a theme that pages load.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asset {
    /// Path in the package.
    pub path: String,
    /// Path below the folder in which the site publishes the theme's assets.
    pub address: String,
    pub bytes: Vec<u8>,
    /// Whether only formulas need the asset. Such an asset is published only if a body has a
    /// formula.
    pub is_for_formulas: bool,
}

impl Asset {
    /// Creates an asset whose address is its path in the package.
    pub fn at(path: String, bytes: Vec<u8>) -> Self {
        Self { address: path.clone(), path, bytes, is_for_formulas: false }
    }
}
