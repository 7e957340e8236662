//! Downloads of episodes: access logs of every kind in, what counts out.

mod command;
mod counting;
mod formats;
mod imports;
mod random_requests;

use std::io::Read;

use feedwright::project;
use feedwright::stats::log::Format;
use feedwright::stats::{self, Episodes, Imported, StoredRequest};
use feedwright::tables::open_warehouse;
use jiff::Timestamp;
use warehouse::{Control, DatasetId, Fault, Store};

use crate::support::small_site::{SmallSite, site};

/// Bytes of a minute of the episode `one`.
pub const MINUTE: u64 = 600_000;
pub const OVERCAST: &str = "Overcast/3.0 (+http://overcast.fm/; iOS podcast app)";
/// 2026-11-01T00:00:00Z in seconds.
pub const START: i64 = 1_793_491_200;

/// A site with two episodes: `one` has a size and a duration and another version, `two` has neither.
pub fn podcast() -> SmallSite {
    site()
        .with("site.toml", "base_url = \"https://example.com/show\"\n")
        .with(
            "content/redirects.toml",
            "\"/old/one.mp3\" = \"/media/one.mp3\"\n",
        )
        .with(
            "content/items/one.md",
            "+++\nid = \"one\"\ntitle = \"One\"\ndate_published = \"2026-11-01T00:00:00Z\"\n\
             attachment = { url = \"https://example.com/show/media/one.mp3\", size_in_bytes = 6000000, duration_in_seconds = 600 }\n\
             [podcast]\nalternateEnclosures = [{ sources = [\"https://cdn.example/one.opus\"], type = \"audio/ogg\", length = 3000000 }]\n\
             +++\nFirst\n",
        )
        .with(
            "content/items/two.md",
            "+++\nid = \"two\"\ntitle = \"Two\"\ndate_published = \"2026-11-02T00:00:00Z\"\n\
             attachment = \"https://cdn.example/two%20b.mp3\"\n+++\nSecond\n",
        )
}

/// A site and its warehouse.
pub struct Audience {
    pub site: SmallSite,
    pub store: Store,
    pub episodes: Episodes,
}

pub fn audience() -> Audience {
    Audience::of(podcast())
}

/// A download as tests tell it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedDownload {
    pub item: String,
    /// Seconds after [`START`].
    pub at: i64,
    pub app: &'static str,
    pub bytes: u64,
    pub path: String,
}

impl Audience {
    pub fn of(site: SmallSite) -> Self {
        let (built, report) = project::read(&site.options(), &|| ());
        assert!(!report.has_errors(), "{:?}", report.sorted());
        let store = open_warehouse(site.root()).unwrap();
        Self { episodes: Episodes::of(&built.unwrap().snapshot, site.root()), store, site }
    }

    pub fn import(&self, name: &str, log: impl AsRef<[u8]>) -> Result<Imported, Fault> {
        self.import_as(None, name, log.as_ref())
    }

    pub fn import_as(
        &self,
        format: Option<Format>,
        name: &str,
        log: impl Read + Send,
    ) -> Result<Imported, Fault> {
        let control = Control::default();
        stats::import(&self.store, name, log, format, &self.episodes, &control)
    }

    pub fn downloads(&self) -> Vec<CountedDownload> {
        let connection = stats::open(&self.store.file(&DatasetId::site()).unwrap()).unwrap();
        let mut told = Vec::new();
        let control = Control::default();
        let episodes = self.episodes.all();
        stats::downloads(&connection, "main", episodes, &control, |download| {
            told.push(CountedDownload {
                item: download.episode.item_id.clone(),
                at: download.time / 1_000_000 - START,
                app: download.agent.app,
                bytes: download.bytes,
                path: download.path.to_owned(),
            });
            Ok(())
        })
        .unwrap();
        told.sort_by(|a, b| (a.at, &a.item).cmp(&(b.at, &b.item)));
        told
    }

    pub fn requests(&self) -> Vec<StoredRequest> {
        let connection = stats::open(&self.store.file(&DatasetId::site()).unwrap()).unwrap();
        let mut told = Vec::new();
        stats::requests(&connection, "main", &Control::default(), |request| {
            told.push(request);
            Ok(())
        })
        .unwrap();
        told
    }
}

/// A request as tests write it.
#[derive(Debug, Clone)]
pub struct TestRequest {
    pub at: i64,
    pub address: String,
    pub request: String,
    pub status: u16,
    pub bytes: u64,
    pub agent: String,
}

/// A GET of a whole file, by one listener, so many seconds after [`START`].
pub fn ask(at: i64, path: &str) -> TestRequest {
    TestRequest {
        at,
        address: "192.0.2.7".into(),
        request: format!("GET {path} HTTP/1.1"),
        status: 200,
        bytes: 6_000_000,
        agent: OVERCAST.into(),
    }
}

impl TestRequest {
    pub fn bytes(self, bytes: u64) -> Self {
        Self { bytes, ..self }
    }

    pub fn status(self, status: u16) -> Self {
        Self { status, ..self }
    }

    pub fn agent(self, agent: &str) -> Self {
        let agent = agent.into();
        Self { agent, ..self }
    }

    pub fn from(self, address: &str) -> Self {
        let address = address.into();
        Self { address, ..self }
    }

    pub fn line(&self) -> String {
        let time = Timestamp::from_second(START + self.at).unwrap();
        let time = time.strftime("%d/%b/%Y:%H:%M:%S +0000");
        format!(
            "{} - - [{time}] \"{}\" {} {} \"-\" \"{}\"\n",
            self.address, self.request, self.status, self.bytes, self.agent
        )
    }
}

/// A combined log.
pub fn log(asks: &[TestRequest]) -> String {
    asks.iter().map(TestRequest::line).collect()
}
