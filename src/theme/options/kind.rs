//! What an option can be.

use super::colour::Colour;

/// What an option can be.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    Text,
    Boolean,
    Number,
    Choice(Vec<String>),
    Colour(Papers),
    Font,
    /// A local picture.
    Picture,
    /// Any local file.
    File,
    /// A local file of HTML, which is written into pages.
    Html,
    /// Style sheets, local or from elsewhere.
    Styles,
    /// Scripts, local or from elsewhere.
    Scripts,
    Links,
    /// Links, among which `"pages"` stands for the Pages in navigation.
    Menu,
    /// Links to profiles on networks.
    Profiles,
}

/// What a colour stands on: it has `least` contrast to all of them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Papers {
    pub light: Vec<Colour>,
    pub dark: Vec<Colour>,
    pub least: f64,
}
