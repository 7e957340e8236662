//! The content API and the account API.

mod access;
mod account;
mod bad_input;
mod channel;
mod conflicts;
mod documents;
mod feed;
mod idempotency;
mod item_files;
mod items;
mod languages;
mod media;
pub mod pages;
mod publishing_dates;
mod round_trip;
mod search;
mod shows;
mod site_files;
mod upload_security;
