//! The rows of two tables: all requests in `site.requests`, and all counted downloads in
//! `site.downloads`.

use std::path::Path;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, Row};
use warehouse::store::quoted;
use warehouse::{Control, Fault};

use super::agents::Agent;
use super::count::{CountedDownload, Counter, Hit};
use super::episodes::Episode;

/// A download of an episode.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Download<'e> {
    pub episode: &'e Episode,
    /// The time of the request that completed the download, in microseconds since 1970.
    pub time: i64,
    pub listener: i64,
    pub agent: Agent,
    /// The path of the file in the request that completed the download.
    pub path: &'e str,
    /// The number of bytes of the episode that were sent, including those sent in the following 24
    /// hours.
    pub bytes: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRequest {
    /// The time in microseconds since 1970.
    pub time: i64,
    /// The method: `GET` or `HEAD`. `None` for other methods.
    pub method: Option<&'static str>,
    /// The path, in the form in which the site writes public paths.
    pub path: String,
    /// The status of the response.
    pub status: i64,
    /// The number of bytes sent, or `None` if the log does not contain it.
    pub bytes: Option<i64>,
    /// The number of the listener: a keyed hash of address and user agent.
    pub listener: i64,
    /// The user agent, or `None` if the log does not contain it.
    pub agent: Option<String>,
    /// The name of the log that contains the request.
    pub log: String,
    pub line: i64,
}

/// Opens the database of the dataset `site` for reading.
pub fn open(file: &Path) -> Result<Connection, Fault> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags).map_err(Fault::internal)?;
    let patience = std::time::Duration::from_secs(30);
    connection.busy_timeout(patience).map_err(Fault::internal)?;
    Ok(connection)
}

/// Whether a log has ever been imported into the dataset `site`. `at` is the name of the dataset in
/// this connection.
fn has_requests(connection: &Connection, at: &str) -> rusqlite::Result<bool> {
    let sql =
        format!("SELECT count(*) FROM {}.sqlite_schema WHERE name = 'log_requests'", quoted(at));
    connection.query_row(&sql, [], |row| row.get(0))
}

/// Passes all downloads of these episodes to `emit`, ordered by episode, listener and time. `at` is
/// the name of the dataset `site` in this connection: `main`, or the name with which it was
/// attached. To save memory, user agents are classified and not kept as strings.
pub fn downloads<'e>(
    connection: &Connection,
    at: &str,
    episodes: impl IntoIterator<Item = &'e Episode>,
    control: &Control,
    mut emit: impl FnMut(Download<'e>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let explain = |error| control.explain(&error);
    if !has_requests(connection, at).map_err(explain)? {
        return Ok(());
    }
    let agents = Agents::read(connection, at).map_err(explain)?;
    for episode in episodes {
        control.check()?;
        count(connection, at, episode, &agents, control, &mut emit)?;
    }
    Ok(())
}

fn count<'e>(
    connection: &Connection,
    at: &str,
    episode: &'e Episode,
    agents: &Agents,
    control: &Control,
    emit: &mut impl FnMut(Download<'e>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let explain = |error: rusqlite::Error| control.explain(&error);
    let files = paths(connection, at, episode).map_err(explain)?;
    if files.is_empty() {
        return Ok(());
    }
    let needed: Vec<u64> = files.iter().map(|(_, file)| episode.files[*file].needed).collect();
    let numbers: Vec<String> = files.iter().map(|(number, _)| number.to_string()).collect();
    let sql = format!(
        "SELECT path, listener, time, status, bytes, agent FROM {}.log_requests \
         WHERE path IN ({}) AND method = 0 AND status IN (200, 206) ORDER BY listener, time, log, line",
        quoted(at),
        numbers.join(",")
    );
    let mut statement = connection.prepare(&sql).map_err(explain)?;
    let mut rows = statement.query([]).map_err(explain)?;
    let mut counter = Counter::new(&needed);
    let mut tell = |counted: CountedDownload| {
        emit(Download {
            episode,
            time: counted.hit.time,
            listener: counted.hit.listener,
            agent: agents.agent(counted.hit.agent),
            path: &episode.files[files[counted.hit.file].1].path,
            bytes: counted.bytes,
        })
    };
    while let Some(row) = rows.next().map_err(explain)? {
        let Some(hit) = hit(row, &files, &needed).map_err(explain)? else {
            continue;
        };
        if agents.agent(hit.agent).is_listener
            && let Some(counted) = counter.take(hit)
        {
            tell(counted)?;
        }
    }
    counter.finish().map_or(Ok(()), tell)
}

/// Returns the requested files of an episode: the number of the path in the table of paths, and the
/// index of the file in the episode.
fn paths(
    connection: &Connection,
    at: &str,
    episode: &Episode,
) -> rusqlite::Result<Vec<(i64, usize)>> {
    let sql = format!("SELECT id FROM {}.log_paths WHERE text = ?1", quoted(at));
    let mut look_up = connection.prepare_cached(&sql)?;
    let mut found = Vec::new();
    for (index, file) in episode.files.iter().enumerate() {
        let mut rows = look_up.query([&file.path])?;
        if let Some(row) = rows.next()? {
            found.push((row.get(0)?, index));
        }
    }
    Ok(found)
}

/// Converts a row to a request that can be part of a download. Returns `None` for a partial
/// response if the log does not contain the number of bytes sent.
fn hit(row: &Row<'_>, files: &[(i64, usize)], needed: &[u64]) -> rusqlite::Result<Option<Hit>> {
    let path: i64 = row.get(0)?;
    let file = files.iter().position(|(number, _)| *number == path);
    let file = file.unwrap_or_default();
    let bytes: Option<i64> = row.get(4)?;
    let is_whole = row.get_ref(3)? == ValueRef::Integer(200);
    let bytes = match bytes {
        Some(bytes) => bytes.unsigned_abs(),
        None if is_whole => needed[file],
        None => return Ok(None),
    };
    Ok(Some(Hit {
        listener: row.get(1)?,
        time: row.get(2)?,
        file,
        agent: row.get::<_, Option<u32>>(5)?.unwrap_or(0),
        bytes,
    }))
}

/// The classified user agents, by number. The number 0 means that the log contains no user agents.
struct Agents {
    kinds: Vec<Agent>,
    of: Vec<u16>,
}

impl Agents {
    fn read(connection: &Connection, at: &str) -> rusqlite::Result<Self> {
        let mut agents = Self { kinds: vec![Agent::of(None)], of: vec![0] };
        let sql = format!("SELECT id, text FROM {}.log_agents ORDER BY id", quoted(at));
        let mut statement = connection.prepare(&sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let agent = Agent::of(Some(row.get_ref(1)?.as_str()?));
            let known = agents.kinds.iter().position(|kind| *kind == agent);
            let kind = known.unwrap_or_else(|| {
                agents.kinds.push(agent);
                agents.kinds.len() - 1
            });
            agents.of.resize(row.get::<_, u32>(0)? as usize, 0);
            agents.of.push(u16::try_from(kind).unwrap_or(0));
        }
        Ok(agents)
    }

    fn agent(&self, number: u32) -> Agent {
        let kind = self.of.get(number as usize).copied().unwrap_or(0);
        self.kinds[usize::from(kind)]
    }
}

/// Passes all stored requests to `emit`, ordered by file, listener and time.
pub fn requests(
    connection: &Connection,
    at: &str,
    control: &Control,
    mut emit: impl FnMut(StoredRequest) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let explain = |error| control.explain(&error);
    if !has_requests(connection, at).map_err(explain)? {
        return Ok(());
    }
    let at = quoted(at);
    let sql = format!(
        "SELECT r.time, r.method, p.text, r.status, r.bytes, r.listener, a.text, l.name, r.line \
         FROM {at}.log_requests r CROSS JOIN {at}.log_paths p ON p.id = r.path \
         LEFT JOIN {at}.log_agents a ON a.id = r.agent LEFT JOIN {at}.logs l ON l.id = r.log \
         ORDER BY r.path, r.listener, r.time, r.log, r.line"
    );
    let mut statement = connection.prepare(&sql).map_err(explain)?;
    let mut rows = statement.query([]).map_err(explain)?;
    while let Some(row) = rows.next().map_err(explain)? {
        emit(stored(row).map_err(explain)?)?;
    }
    Ok(())
}

fn stored(row: &Row<'_>) -> rusqlite::Result<StoredRequest> {
    Ok(StoredRequest {
        time: row.get(0)?,
        method: match row.get(1)? {
            0 => Some("GET"),
            1 => Some("HEAD"),
            _ => None,
        },
        path: row.get(2)?,
        status: row.get(3)?,
        bytes: row.get(4)?,
        listener: row.get(5)?,
        agent: row.get(6)?,
        log: row.get(7)?,
        line: row.get(8)?,
    })
}

/// Returns a query in parentheses that selects all stored requests with the columns `time`,
/// `method`, `path`, `status`, `bytes`, `listener`, `agent`, `log` and `line`.
pub fn requests_query(connection: &Connection, at: &str) -> Result<String, Fault> {
    let at_name = quoted(at);
    if !has_requests(connection, at).map_err(Fault::internal)? {
        return Ok("(SELECT NULL AS \"time\", NULL AS method, NULL AS path, NULL AS status, NULL AS bytes, \
                   NULL AS listener, NULL AS agent, NULL AS log, NULL AS line WHERE 0)"
            .into());
    }
    Ok(format!(
        "(SELECT r.\"time\", CASE r.method WHEN 0 THEN 'GET' WHEN 1 THEN 'HEAD' END AS method, \
         (SELECT text FROM {at_name}.log_paths WHERE id = r.path) AS path, r.status, r.bytes, r.listener, \
         (SELECT text FROM {at_name}.log_agents WHERE id = r.agent) AS agent, \
         (SELECT name FROM {at_name}.logs WHERE id = r.log) AS log, r.line \
         FROM {at_name}.log_requests AS r)"
    ))
}
