//! Commands that have no folder of their own, and what the terminal shows.

mod colours;
mod documentation_pages;
mod help_texts;
mod init_ci;
mod init_language;
mod init_template;
mod new_accessibility;
mod new_episode;
mod new_language;
mod readme;
mod schemas;
mod search;
pub mod serve;
mod shell_and_manual;
mod transcribe;
