//! Selects the episodes to transcribe.

use std::path::Path;

use super::super::Failure;
use super::Arguments;
use model::{Config, Item, ItemId, SitePath, folded};
use render::transcript_files;
use source::sources::Sources;
use transcripts::Format;

/// An episode to transcribe.
pub struct Job {
    pub id: ItemId,
    /// The item's file.
    pub item: SitePath,
    pub recording: SitePath,
    pub seconds: Option<f64>,
    /// ISO 639 code, or `auto`.
    pub language: String,
    /// The transcript.
    pub target: SitePath,
    /// Whether the item already refers to the transcript, which is replaced.
    pub replaces: bool,
}

/// The content folder of the site or of a show.
pub struct Folder {
    pub config: Config,
    pub sources: Sources,
}

/// The episodes to transcribe, and the number of episodes whose recording is elsewhere.
pub struct Selection {
    pub jobs: Vec<Job>,
    pub remote: usize,
}

impl Selection {
    pub fn of(root: &Path, folders: &[Folder], arguments: &Arguments) -> Result<Self, Failure> {
        let job = |(folder, item): (&Folder, &Item)| {
            let site_language = folder.sources.channel.language.as_deref();
            job(&folder.config, site_language, item, arguments.force)
        };
        let items = || {
            let of_folder = |folder| items_of(folder).map(move |item| (folder, item));
            folders.iter().flat_map(of_folder)
        };
        if arguments.items.is_empty() {
            let episodes = items()
                .filter(|(_, item)| item.is_episode() && item.podcast.transcripts.is_empty());
            let jobs: Vec<_> = episodes.map(job).collect();
            let remote = jobs.iter().filter(|job| job.is_err()).count();
            return Ok(Self { jobs: jobs.into_iter().flatten().collect(), remote });
        }
        let jobs = arguments.items.iter().map(|wanted| {
            let named =
                items().filter(|(folder, item)| is_named(root, &folder.config, item, wanted));
            let item = match named.collect::<Vec<_>>().as_slice() {
                [item] => *item,
                [] => {
                    let words = format!("item {wanted:?} not found: write its id, slug or file");
                    return Err(Failure::Usage(words));
                }
                several => {
                    let files = several.iter().map(|(_, item)| item.source.as_str());
                    let files = files.collect::<Vec<_>>().join(", ");
                    let words = format!("several items are named {wanted:?}: write one of {files}");
                    return Err(Failure::Usage(words));
                }
            };
            job(item).map_err(|why| Failure::Usage(format!("{wanted}: {why}")))
        });
        Ok(Self { jobs: jobs.collect::<Result<_, _>>()?, remote: 0 })
    }
}

fn items_of(folder: &Folder) -> impl Iterator<Item = &Item> {
    folder.sources.items.iter().map(|(item, _)| &**item)
}

/// Returns whether an item has this id, slug or former slug, or its text or recording is this file.
fn is_named(root: &Path, config: &Config, item: &Item, wanted: &str) -> bool {
    let names = [item.id.to_string(), item.segment()];
    let mut names = names.into_iter().chain(item.aliases.iter().map(ToString::to_string));
    let real = Path::new(wanted).canonicalize().ok();
    let is_file = |path: &SitePath| {
        path.as_str() == wanted || real.is_some() && path.on_disk(root).canonicalize().ok() == real
    };
    names.any(|name| folded(&name) == folded(wanted))
        || is_file(&item.source)
        || recording(config, item).is_some_and(is_file)
}

/// Returns the recording of an item, if it is a file of the site.
fn recording<'i>(config: &Config, item: &'i Item) -> Option<&'i SitePath> {
    let attachment = item.attachment.as_ref()?;
    config.medium(&item.media, &attachment.url).map(|file| &file.source)
}

/// Returns the job of an item, or the reason why it cannot be transcribed.
fn job(
    config: &Config,
    site_language: Option<&str>,
    item: &Item,
    replaces: bool,
) -> Result<Job, String> {
    let attachment = item.attachment.as_ref().filter(|_| item.is_episode());
    let attachment = attachment.ok_or("the item has no recording")?;
    let recording = recording(config, item);
    let recording = recording.ok_or_else(|| {
        format!(
            "{} is not a file of the site; save the recording in the site first",
            attachment.url
        )
    })?;
    let existing = &item.podcast.transcripts;
    let target = match (existing.is_empty(), replaces) {
        (true, _) => {
            let folder = recording.parent().unwrap_or_default();
            SitePath::parse(&format!("{folder}/{}.vtt", recording.stem())).ok_or("invalid path")?
        }
        (false, false) => {
            return Err("the item has a transcript; replace it with --force".to_owned());
        }
        (false, true) => {
            let mut files = transcript_files(config, item);
            let webvtt = files.find(|own| own.format == Format::Vtt);
            let webvtt =
                webvtt.ok_or("its transcript is not WebVTT; remove it from `transcripts`")?;
            webvtt.file.clone()
        }
    };
    let language = item.language.as_deref().or(site_language).unwrap_or("auto");
    // Whisper knows Norwegian, and Nynorsk, but not Bokmål.
    let language = match language.split(['-', '_']).next().unwrap_or_default() {
        "nb" => "no",
        language => language,
    };
    Ok(Job {
        id: item.id.clone(),
        item: item.source.clone(),
        recording: recording.clone(),
        seconds: attachment.duration_in_seconds,
        language: language.to_ascii_lowercase(),
        target,
        replaces: !existing.is_empty(),
    })
}
