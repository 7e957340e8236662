//! `feedwright search`: searches items and pages.

use std::path::PathBuf;

use clap::Args;
use search::{Hit, Kind, Query, Segment};
use serde_json::json;

use super::output::{fail_with, print_json, say};
use super::{Failure, table};
use api_shared::Finder;
use render::text::excerpt;
use server::Live;
use site::Snapshot;

/// The arguments of `search`.
#[derive(Debug, Args)]
#[command(after_help = r#"Examples:
  feedwright search ferry
  feedwright search 'ferry "long way"' --limit 5"#)]
pub struct Arguments {
    /// Words and "phrases in quotes" to find
    query: String,
    /// Maximum number of results, 1 to 100
    #[arg(long, value_name = "COUNT", default_value_t = 20)]
    limit: usize,
    /// Print JSON on standard output
    #[arg(long)]
    json: bool,
}

/// Searches the titles and bodies of items and pages, including drafts.
pub fn run(root: PathBuf, arguments: &Arguments) -> Result<(), Failure> {
    let finder = Finder::new(&root);
    let live = Live::read(super::options(root)?)
        .map_err(|report| fail_with(report, arguments.json, "; the search did not run"))?;
    let moment = live.now();
    let query = Query {
        types: vec![Kind::Item, Kind::Page],
        limit: arguments.limit,
        ..Query::new(&arguments.query)
    };
    let found =
        finder.search(&moment, &query).map_err(|error| Failure::Usage(error.to_string()))?;
    let snapshot = &moment.site.snapshot;
    if arguments.json {
        let hits = found.hits.iter().map(|hit| {
            json!({
                "type": if hit.kind == Kind::Item { "item" } else { "page" },
                "id": hit.id,
                "file": file(snapshot, hit),
                "title": text(&hit.title),
                "excerpt": text(&hit.content_text),
            })
        });
        print_json(&hits.collect());
        return Ok(());
    }
    let row = |hit: &Hit| {
        let title = match text(&hit.title) {
            title if title.is_empty() => excerpt(&text(&hit.content_text), 60),
            title => title,
        };
        vec![file(snapshot, hit).unwrap_or_default(), title]
    };
    table::print(&found.hits.iter().map(row).collect::<Vec<_>>());
    if found.hits.is_empty() {
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
