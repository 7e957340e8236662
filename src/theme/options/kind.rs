//! Kinds of theme options.

use crate::colour::Colour;

/// Kind of an option.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    Text,
    Boolean,
    Number,
    Choice(Vec<String>),
    Colour(Backgrounds),
    Font,
    /// A local picture.
    Picture,
    /// Any local file.
    File,
    /// A local HTML file whose text is inserted into pages.
    Html,
    /// Style sheets, local or external.
    Styles,
    /// Scripts, local or external.
    Scripts,
    Links,
    /// Links. The entry `"pages"` is replaced by links to the pages in navigation.
    Menu,
    /// Links to profiles on networks.
    Profiles,
}

/// Background colours of a colour option. The colour must have a contrast of at least
/// `min_contrast` with each of these backgrounds.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Backgrounds {
    pub light: Vec<Colour>,
    pub dark: Vec<Colour>,
    pub min_contrast: f64,
}
