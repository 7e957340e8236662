//! Publishing: what a build wrote becomes what is out there, with as little as possible sent. [`run()`] in `order.rs` has
//! the order of the steps. Only the site's own webhooks are left to its caller.
//!
//! ```text
//! local (what is here) ─┐
//! place (what is there) ├─plan─▶ steps ─run─▶ place
//! record (what it was) ─┘
//! ```
//!
//! 1. [`local`] lists the files of the output folder with their hashes, and how each is sent.
//! 2. A [`Target`] lists what lies out there. Each kind of place has a file in [`destinations`].
//! 3. The [`Record`] of earlier deploys lies out there too, so that any machine can go on. It is believed only as far as
//!    the list bears it out.
//! 4. [`plan`] is pure: from these three, what is to be put and what is to be deleted.
//! 5. [`run`](mod@run) does it: media first, then what pages are drawn with, pages, and last what names them; what the site no longer
//!    has is deleted when nobody can need it any more.
//!
//! A [`host`] with an API of its own takes a site as a whole instead. A [`Place`] is the one or the other.
//!
//! After it, [`notify`] tells those whom the site names.
//!
//! However it is cut off, each file out there is a former or a new one, whole, nothing out there names what is not there
//! yet, and the next deploy finishes.

mod destinations;
mod fault;
mod host;
mod in_the_way;
mod local;
pub mod notify;
mod order;
mod part;
mod place;
mod plan;
mod record;
mod run;
#[cfg(test)]
mod simulated;
pub mod stored;

#[cfg(test)]
use destinations::Sent;
pub use destinations::{RemoteFile, Target};
pub use fault::Fault;
pub use local::{LocalFile, Stage, local_files, without_copies};
pub use order::{Listener, Request, State, Stopped, run};
pub use part::{Part, Published};
pub use place::Place;
pub use plan::{Plan, Put, Stored, Terms};
pub use record::{Entry, RECORD, Record};
pub use run::Deployed;
