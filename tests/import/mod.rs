//! Shows and blogs from elsewhere: `import`.

pub mod command;
mod complete_imports;
mod contents;
mod folders;
mod hidden;
mod hidden_entries;
mod media;
mod services;
mod wordpress;
