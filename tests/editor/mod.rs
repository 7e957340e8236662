//! The editor's server side, and the tools of agents.

mod access;
mod agents;
mod calendar;
pub mod documents;
mod hostile_git;
mod media;
#[cfg(unix)]
mod publish;
mod recording;
mod records;
#[cfg(unix)]
mod refused_requests;
mod site_files;
