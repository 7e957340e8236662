//! The editor's server side, and the tools of agents.

mod access;
mod agents;
mod calendar;
pub mod documents;
#[cfg(unix)]
mod go_online;
mod hostile_git;
mod media;
mod new_items;
#[cfg(unix)]
mod publish;
mod recording;
mod records;
#[cfg(unix)]
mod refused_requests;
mod shows;
#[cfg(unix)]
mod shows_apart;
mod site_files;
