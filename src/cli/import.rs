//! `feedwright import`: imports a show or blog from elsewhere.

mod report;
mod site;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use clap::{Args, Subcommand};
use fetch::Client;

use super::Failure;
use super::output::{Bar, say};
use builder::Progress;
use import::{self, Found, Generator, Key, Run, Service};
use project::Options;
use project::read_config;

/// The arguments of `import`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  feedwright import rss https://show.example/feed.xml --media --site walks
  feedwright import hugo old-site --site walks")]
pub struct Arguments {
    #[command(subcommand)]
    from: From,
}

#[derive(Debug, Subcommand)]
enum From {
    /// Import an RSS, Atom or JSON feed
    #[command(after_help = "Example:
  feedwright import rss https://show.example/feed.xml --media --site walks")]
    Rss(Source),
    /// Import a WordPress export (Tools → Export → All content)
    #[command(after_help = "Example:
  feedwright import wordpress tides.wordpress.xml --media --site tides")]
    Wordpress(Source),
    /// Import a Ghost site from its export or URL
    #[command(after_help = "Examples:
  feedwright import ghost tides.ghost.json --base-url https://tides.example
  feedwright import ghost https://tides.example --key-file ghost.key")]
    Ghost(ServiceSource),
    /// Import a microfeed site from its feed.json or URL
    #[command(after_help = "Example:
  feedwright import microfeed https://tides.example --media --site tides")]
    Microfeed(ServiceSource),
    /// Import a Podlove Publisher show from its exports or URL
    #[command(after_help = "Examples:
  feedwright import podlove https://tides.example --key-file podlove.key
  feedwright import podlove tides.wordpress.xml tides.podlove.xml.gz --media")]
    Podlove(Podlove),
    /// Import a Castopod show from its URL
    #[command(after_help = "Example:
  feedwright import castopod https://cast.example/@walks --media --site walks")]
    Castopod(ServiceSource),
    /// Import a Hugo site from its folder
    #[command(after_help = "Example:
  feedwright import hugo old-site --site walks")]
    Hugo(Folder),
    /// Import a Jekyll site from its folder
    #[command(after_help = "Example:
  feedwright import jekyll old-site --site walks")]
    Jekyll(Folder),
    /// Import a Zola site from its folder
    #[command(after_help = "Example:
  feedwright import zola old-site --site walks")]
    Zola(Folder),
    /// Import an Eleventy site from its folder
    #[command(after_help = "Example:
  feedwright import eleventy old-site --site walks")]
    Eleventy(Folder),
}

#[derive(Debug, Args)]
struct Folder {
    /// Folder of the old site, which stays unchanged
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    #[command(flatten)]
    options: ImportOptions,
}

#[derive(Debug, Args)]
struct Source {
    /// File or URL to import
    #[arg(value_name = "FILE|URL")]
    source: String,
    #[command(flatten)]
    options: ImportOptions,
}

#[derive(Debug, Args)]
struct ServiceSource {
    /// Export file, or URL of the site
    #[arg(value_name = "FILE|URL")]
    source: String,
    /// Environment variable with the key [default: FEEDWRIGHT_IMPORT_KEY]
    #[arg(long, value_name = "VARIABLE", conflicts_with = "key_file")]
    key_env: Option<String>,
    /// File with the key
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
    #[command(flatten)]
    options: ImportOptions,
}

#[derive(Debug, Args)]
struct Podlove {
    #[command(flatten)]
    site: ServiceSource,
    /// Podlove export that belongs to the WordPress export
    #[arg(value_name = "PODLOVE-EXPORT")]
    beside: Option<String>,
}

/// The options that apply to every source.
#[derive(Debug, Args)]
struct ImportOptions {
    /// Download recordings, pictures, chapters and transcripts
    #[arg(long)]
    media: bool,
    /// Base URL of a new site [default: the source's URL]
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// Maximum seconds to wait for data from a server
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,
    /// Print JSON on standard output
    #[arg(long)]
    json: bool,
}

impl ImportOptions {
    fn client(&self, source: &str) -> Client {
        import::client(source, Duration::from_secs(self.timeout))
    }
}

/// Imports into the existing site, or creates a new one.
pub fn run(named: Option<PathBuf>, arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.from {
        From::Rss(own) | From::Wordpress(own) => {
            let client = own.options.client(&own.source);
            let found = import::read_whole_feed(&own.source, &client).map_err(Failure::Usage)?;
            bring(named, found, &client, &own.options)
        }
        From::Ghost(own) => service(named, Service::Ghost, own, None),
        From::Microfeed(own) => service(named, Service::Microfeed, own, None),
        From::Podlove(own) => {
            let beside = own.beside.as_deref();
            service(named, Service::Podlove, &own.site, beside)
        }
        From::Castopod(own) => service(named, Service::Castopod, own, None),
        From::Hugo(own) => folder(named, Generator::Hugo, own),
        From::Jekyll(own) => folder(named, Generator::Jekyll, own),
        From::Zola(own) => folder(named, Generator::Zola, own),
        From::Eleventy(own) => folder(named, Generator::Eleventy, own),
    }
}

fn service(
    named: Option<PathBuf>,
    service: Service,
    own: &ServiceSource,
    beside: Option<&str>,
) -> Result<(), Failure> {
    let client = own.options.client(&own.source);
    let read = key(own).and_then(|key| {
        let base_url = own.options.base_url.as_deref();
        let source = (&*own.source, beside);
        import::read_service(service, source, key, base_url, &client)
    });
    bring(named, read.map_err(Failure::Usage)?, &client, &own.options)
}

/// The default environment variable for the key.
const KEY: &str = "FEEDWRIGHT_IMPORT_KEY";

/// Reads the key of the source. The key is never a command-line argument, because other users of
/// the machine can see command lines.
fn key(own: &ServiceSource) -> Result<Option<Key>, String> {
    let text = match (&own.key_file, &own.key_env) {
        (Some(file), _) => std::fs::read_to_string(file)
            .map_err(|error| format!("the key in {} cannot be read: {error}", file.display()))?,
        (None, Some(name)) => std::env::var(name)
            .map_err(|_| format!("the environment variable {name} is not set"))?,
        (None, None) => std::env::var(KEY).unwrap_or_default(),
    };
    Ok(Key::new(&text))
}

fn folder(named: Option<PathBuf>, generator: Generator, own: &Folder) -> Result<(), Failure> {
    let target = named.clone().unwrap_or_else(|| PathBuf::from("."));
    let real = |path: &Path| path.canonicalize().ok();
    if real(&target).is_some() && real(&target) == real(&own.folder) {
        let message = "the new site would be in the imported folder: choose another folder, such as --site ../new-site";
        return Err(Failure::Usage(message.to_owned()));
    }
    let found = import::read_folder(generator, &own.folder).map_err(Failure::Usage)?;
    bring(named, found, &own.options.client(""), &own.options)
}

fn bring(
    named: Option<PathBuf>,
    mut found: Found,
    client: &Client,
    options: &ImportOptions,
) -> Result<(), Failure> {
    let (root, is_new) = site::find_or_create_site(named, &mut found, options.base_url.as_deref())?;
    let (config, report) = read_config(&Options::new(&root));
    if report.has_errors() {
        return Err(super::output::fail(report, options.json));
    }
    let summary = report::ImportSummary::of(&found, &root, is_new);
    let bar = Bar::new();
    let announced = found.announced();
    bar.phase("Importing", found.items.len() + found.pages.len());
    let received = Mutex::new(HashMap::new());
    let outcome = import::bring(
        found,
        &Run {
            root: &root,
            config: &config,
            media: options.media.then_some(client),
            done: &|_| bar.tick(),
            progress: &|url, bytes| {
                let mut received = received.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                received.insert(url.to_owned(), bytes);
                bar.bytes(received.values().sum(), announced);
            },
        },
    );
    bar.finish();
    summary.print(&outcome, &config, options.json);
    match &outcome.stopped {
        Some(why) => {
            say!(
                "error: {why}\n  help: run the same command again to continue; the files already written are complete"
            );
            Err(Failure::Errors)
        }
        None => Ok(()),
    }
}
