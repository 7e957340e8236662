//! The warehouse: its API, jobs, and the site as SQL tables.

mod access;
mod configurations;
mod datasets;
mod jobs;
mod killed_server;
mod limits;
mod queries;
mod recovery;
mod served;
mod site;
mod site_sql;
mod uploads;
mod upstream;
