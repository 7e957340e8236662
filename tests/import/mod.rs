//! Shows and blogs from elsewhere: `import`.

mod addresses;
pub mod command;
mod complete_imports;
mod contents;
mod folders;
mod hidden;
mod hidden_entries;
pub mod languages;
mod media;
mod planet;
mod services;
mod wordpress;
