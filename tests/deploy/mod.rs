//! Publishing a build: `deploy`.

mod folders_and_branches;
mod hosts;
mod notices;
#[cfg(unix)]
mod over_ssh;
mod shows;
