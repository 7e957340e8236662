//! Pictures in pages and feeds: the sizes that browsers choose from, and the artwork of a show or
//! item.

pub mod artwork;
pub mod cards;
pub(super) mod shown;
