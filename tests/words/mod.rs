//! Words, dates and numbers in the language of a page.

mod pages;
mod table;
mod templates;
