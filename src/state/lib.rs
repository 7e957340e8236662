//! The SQLite database of a site, `.feedwright/state.sqlite`: its tables, and the functions that
//! read and write them.
//!
//! The database contains API keys, sessions of the editor, the journal of writes, idempotency keys,
//! prepared uploads, received hooks, jobs, the queue of webhook messages, the state of each
//! resource that webhooks report, and proposals of agents.
//!
//! Acknowledged data survives a power cut. Several processes may have the database open: a key
//! created while the server runs is valid immediately. No secret is stored, only its SHA-256.
//! Functions that need the current time take it as an argument. All functions block during disk
//! access, so async code must call them where blocking is allowed.

mod database;
mod delivery;
mod endpoints;
mod error;
mod events;
mod idempotency;
mod in_flight;
mod intent;
mod jobs;
mod journal;
mod key;
mod keys;
mod messages;
mod proposals;
mod resources;
mod scope;
mod secret;
mod session;
mod upload;

pub use database::State;
pub use delivery::{DELIVERY_MEMORY, Delivery, Receipt, ShowUpdate};
pub use error::{KeyError, StateError};
pub use events::{EventChange, EventChangeKind};
pub use idempotency::{Answer, RETRY_WINDOW, Reservation, Ticket};
pub use intent::{FileStep, RecordedWrite};
pub use journal::{JournalEntry, JournalQuery};
pub use key::{ENVIRONMENT_KEY, Key, KeyStatus, Window};
pub use scope::Scope;
pub use session::{INVITATION, SESSION, Session};
pub use upload::Upload;

pub use error::is_full;
pub use events::{EventLedger, EventVersion, RETENTION};
pub use intent::Intent;
pub use jobs::{JobQuery, JobRecord, JobState};
pub use messages::{Attempt, Message, MessageState, NewMessage};
pub use proposals::{MAX_PROPOSALS, Proposal};
pub use resources::{LedgerChange, Resource};
pub use scope::UnknownScope;
pub use secret::{Secret, random_id};
pub use upload::Transfer;
