//! `feedwright search`: searches items, pages and transcripts.

use std::path::PathBuf;

use clap::Args;
use search::{Filter, Hit, Kind, Query, Segment, TextQuery};
use serde_json::json;

use super::output::{fail_with, print_json, say};
use super::{Failure, table};
use api_shared::{Finder, in_language};
use render::text::{clock, excerpt};
use render::{ShownTranscript, local_transcripts};
use server::Live;
use site::{ItemEntry, Snapshot};
use source::disk::read_within;

/// The arguments of `search`.
#[derive(Debug, Args)]
#[command(after_help = r#"Examples:
  feedwright search ferry
  feedwright search 'ferry "long way"' --limit 5"#)]
pub struct Arguments {
    /// Words and "phrases in quotes" to find
    query: String,
    /// Search only in this language, such as de
    #[arg(long, value_name = "TAG")]
    language: Option<String>,
    /// Maximum number of results, 1 to 100
    #[arg(long, value_name = "COUNT", default_value_t = 20)]
    limit: usize,
    /// Print JSON on standard output
    #[arg(long)]
    json: bool,
}

/// Maximum number of results in one transcript.
const PLACES: usize = 3;

/// Searches the titles and bodies of items and pages, including drafts, then the transcripts.
pub fn run(root: PathBuf, arguments: &Arguments) -> Result<(), Failure> {
    let finder = Finder::new(&root);
    let live = Live::read(super::options(root)?)
        .map_err(|report| fail_with(report, arguments.json, "; the search did not run"))?;
    let moment = live.now();
    let snapshot = &moment.site.snapshot;
    let accepts = arguments.language.as_deref().map(|name| (name, in_language(snapshot, name)));
    let filter = accepts.as_ref().map(|(name, accepts)| Filter { name, accepts });
    let query = Query {
        filter,
        types: vec![Kind::Item, Kind::Page],
        limit: arguments.limit,
        ..Query::new(&arguments.query)
    };
    let found =
        finder.search(&moment, &query).map_err(|error| Failure::Usage(error.to_string()))?;
    let query = TextQuery::new(&arguments.query);
    let accepts = |id: &str| filter.is_none_or(|filter| (filter.accepts)(Kind::Item, id));
    let said = snapshot.entries.iter().filter(|entry| accepts(entry.item.id.as_str()));
    let said = said.flat_map(|entry| places(snapshot, entry, &query));
    let said: Vec<Place<'_>> = said.take(arguments.limit - found.hits.len()).collect();
    if arguments.json {
        let hits = found.hits.iter().map(|hit| {
            json!({
                "type": if hit.kind == Kind::Item { "item" } else { "page" },
                "id": hit.id,
                "file": file(snapshot, hit),
                "language": language(snapshot, hit),
                "title": text(&hit.title),
                "excerpt": text(&hit.content_text),
            })
        });
        print_json(&hits.chain(said.iter().map(Place::json)).collect());
        return Ok(());
    }
    let row = |hit: &Hit| {
        let title = match text(&hit.title) {
            title if title.is_empty() => excerpt(&text(&hit.content_text), 60),
            title => title,
        };
        vec![file(snapshot, hit).unwrap_or_default(), title]
    };
    let rows = found.hits.iter().map(row).chain(said.iter().map(Place::row));
    table::print(&rows.collect::<Vec<_>>());
    if found.hits.is_empty() && said.is_empty() {
        say!("nothing found");
    }
    Ok(())
}

fn text(segments: &[Segment]) -> String {
    segments.iter().map(|part| part.text.as_str()).collect()
}

/// Returns the file of a search result.
fn file(snapshot: &Snapshot, hit: &Hit) -> Option<String> {
    match hit.kind {
        Kind::Item => Some(snapshot.find(&hit.id)?.item.source.to_string()),
        Kind::Page => Some(snapshot.page(&hit.id)?.page.source.as_ref()?.to_string()),
    }
}

/// Returns the language of a search result, if the site or the result states it.
fn language<'s>(snapshot: &'s Snapshot, hit: &Hit) -> Option<&'s str> {
    let stated = match hit.kind {
        Kind::Item => snapshot.find(&hit.id)?.item.language.as_deref(),
        Kind::Page => snapshot.page(&hit.id)?.page.language.as_deref(),
    };
    snapshot.language_of(stated)
}

/// A place in the transcript of an item.
struct Place<'s> {
    entry: &'s ItemEntry,
    file: String,
    /// Seconds since the start of the recording.
    start: Option<u64>,
    excerpt: String,
}

impl Place<'_> {
    fn row(&self) -> Vec<String> {
        #[expect(clippy::cast_precision_loss, reason = "a recording has fewer than 2^52 seconds")]
        let time = self.start.map(|start| format!("{} ", clock(start as f64)));
        vec![self.file.clone(), time.unwrap_or_default() + &self.excerpt]
    }

    fn json(&self) -> serde_json::Value {
        json!({
            "type": "transcript",
            "id": self.entry.item.id,
            "file": self.file,
            "title": self.entry.item.title,
            "excerpt": self.excerpt,
            "start": self.start,
        })
    }
}

/// Returns the first places in the transcripts of an item that have everything in the query.
fn places<'s>(snapshot: &Snapshot, entry: &'s ItemEntry, query: &TextQuery) -> Vec<Place<'s>> {
    let all = local_transcripts(&snapshot.config, &entry.item).into_iter().flat_map(|own| {
        let file = own.file.on_disk(&snapshot.root);
        let bytes = read_within(&file, ShownTranscript::LIMIT).unwrap_or_default();
        let mut transcript = transcripts::read(&bytes, own.format);
        let passages = transcript.passages(ShownTranscript::PARAGRAPH_WORDS);
        let found = passages.filter_map(|passage| {
            let excerpt = text(&query.find(&passage.text)?);
            let start = passage.start.map(|start| start / 1000);
            Some(Place { entry, file: own.file.to_string(), start, excerpt })
        });
        found.take(PLACES).collect::<Vec<_>>()
    });
    all.collect()
}
