//! Theme packages and their templates.

mod built_in;
mod commands;
mod extends;
mod options;
mod packages;
mod slots;
mod template_data;
