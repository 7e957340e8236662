//! The scopes of API keys.

use std::fmt;
use std::str::FromStr;

use source::fields::nearest;

/// A permission of a key. A scope includes another scope only if its documentation says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scope(&'static str);

impl Scope {
    /// Read the whole feed, items, pages and site files, including drafts, and search them.
    pub const CONTENT_READ: Self = Self("content:read");
    /// Create, change and delete items, pages, site files, the channel and media.
    pub const CONTENT_WRITE: Self = Self("content:write");
    /// Read webhooks.
    pub const REALTIME: Self = Self("realtime");
    /// Read webhooks, as their administrator.
    pub const REALTIME_ADMIN: Self = Self("realtime_admin");
    /// Read and change calendars and their events.
    pub const CALENDAR: Self = Self("calendar");
    /// Read calendars and their events.
    pub const CALENDAR_READONLY: Self = Self("calendar.readonly");
    /// Read and change events.
    pub const CALENDAR_EVENTS: Self = Self("calendar.events");
    /// Read events.
    pub const CALENDAR_EVENTS_READONLY: Self = Self("calendar.events.readonly");
    /// Read and change events of calendars that the client owns.
    pub const CALENDAR_EVENTS_OWNED: Self = Self("calendar.events.owned");
    /// Read events of calendars that the client owns.
    pub const CALENDAR_EVENTS_OWNED_READONLY: Self = Self("calendar.events.owned.readonly");
    /// Read public events of public calendars.
    pub const CALENDAR_EVENTS_PUBLIC_READONLY: Self = Self("calendar.events.public.readonly");
    /// Read the times of events, without other details.
    pub const CALENDAR_EVENTS_FREEBUSY: Self = Self("calendar.events.freebusy");
    /// Read and change all calendars except the primary one.
    pub const CALENDAR_APP_CREATED: Self = Self("calendar.app.created");
    /// Run all kinds of warehouse jobs, and change the warehouse's datasets and tables.
    pub const WAREHOUSE: Self = Self("warehouse");
    /// Read the warehouse's datasets, tables, rows and jobs, and run queries that only read.
    pub const WAREHOUSE_READ_ONLY: Self = Self("warehouse.read_only");
    /// Start warehouse jobs. The actions of a job need another scope.
    /// [`WAREHOUSE`](Self::WAREHOUSE) and [`CLOUD_PLATFORM`](Self::CLOUD_PLATFORM) include this
    /// scope.
    pub const WAREHOUSE_JOBS_CREATE: Self = Self("warehouse.jobs.create");
    /// The same as [`WAREHOUSE`](Self::WAREHOUSE). Clients of the warehouse request this scope.
    pub const CLOUD_PLATFORM: Self = Self("cloud-platform");
    /// Read and write the files that the warehouse's jobs load and export.
    pub const STORAGE_FULL_CONTROL: Self = Self("devstorage.full_control");
    /// Read the files that the warehouse's jobs load.
    pub const STORAGE_READ_ONLY: Self = Self("devstorage.read_only");
    /// Read and write the files that the warehouse's jobs load and export.
    pub const STORAGE_READ_WRITE: Self = Self("devstorage.read_write");

    pub const ALL: [Self; 20] = [
        Self::CONTENT_READ,
        Self::CONTENT_WRITE,
        Self::REALTIME,
        Self::REALTIME_ADMIN,
        Self::CALENDAR,
        Self::CALENDAR_READONLY,
        Self::CALENDAR_EVENTS,
        Self::CALENDAR_EVENTS_READONLY,
        Self::CALENDAR_EVENTS_OWNED,
        Self::CALENDAR_EVENTS_OWNED_READONLY,
        Self::CALENDAR_EVENTS_PUBLIC_READONLY,
        Self::CALENDAR_EVENTS_FREEBUSY,
        Self::CALENDAR_APP_CREATED,
        Self::WAREHOUSE,
        Self::WAREHOUSE_READ_ONLY,
        Self::WAREHOUSE_JOBS_CREATE,
        Self::CLOUD_PLATFORM,
        Self::STORAGE_FULL_CONTROL,
        Self::STORAGE_READ_ONLY,
        Self::STORAGE_READ_WRITE,
    ];

    /// Returns whether an operation in the API of a show needs the scope.
    pub fn is_of_shows(self) -> bool {
        [Self::CONTENT_READ, Self::CONTENT_WRITE].contains(&self)
    }

    pub fn as_str(self) -> &'static str {
        self.0
    }
}

/// The error for a name that is not a scope.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no scope {0:?}{remedy}", remedy = remedy(.0))]
pub struct UnknownScope(pub String);

impl FromStr for Scope {
    type Err = UnknownScope;

    fn from_str(text: &str) -> Result<Self, UnknownScope> {
        Self::ALL
            .into_iter()
            .find(|scope| scope.0 == text)
            .ok_or_else(|| UnknownScope(text.to_owned()))
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

fn remedy(unknown: &str) -> String {
    let names = Scope::ALL.map(Scope::as_str);
    match nearest(unknown, &names) {
        Some(name) => format!("; did you mean {name:?}?"),
        None => format!("; the scopes are {}", names.join(", ")),
    }
}
