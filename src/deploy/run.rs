//! A deploy: the site is checked and built, all places are looked at, and then media, feeds and pages are sent, former
//! files deleted, and notices sent.

use std::fs::File;
use std::sync::{Mutex, PoisonError};

use super::notify::{self, News};
use super::part::{Looking, is_same};
use super::{Fault, LocalFile, Part, Published, local_files, stored, without_copies};
use crate::build::{self, Progress};
use crate::model::{Config, Destination, Diagnostic, Report};
use crate::project::{Options, before_publishing, read_config};
use crate::source::program::Stop;
use crate::source::stored_media::StoredMedia;

/// What a deploy is asked to do.
#[derive(Default)]
pub struct Wish {
    /// The place, instead of `[deploy] to`.
    pub to: Option<String>,
    /// Whether it only looks at the places.
    pub dry_run: bool,
    /// Whether only media are sent.
    pub media: bool,
    /// Whether notices are sent for all pages and feeds.
    pub notify: bool,
    /// Whether a place with another site is taken.
    pub take_over: bool,
    /// Ends the programs that it runs.
    pub stop: Stop,
    /// The lock of the output folder while files are sent.
    pub lock: Mutex<Option<File>>,
}

/// Follows a deploy.
pub trait Audience {
    fn progress(&self) -> &dyn Progress;

    /// Is called as soon as something is known.
    fn note(&self, note: &Note<'_>);
}

/// A fact that a person is told while the deploy runs.
pub enum Note<'a> {
    /// The plans of a dry run, the site last.
    Plans(&'a [&'a Part<'a>]),
    Warnings(&'a [Diagnostic]),
    /// The number of media that are new in `content/media.json`.
    NewMedia(usize),
    /// Notices were due, but this is not the place and address of `site.toml`.
    NobodyTold,
}

/// What a deploy did.
#[derive(Default)]
pub struct Done {
    /// The places, the site last.
    pub places: Vec<Published>,
    /// The number of notices that were sent.
    pub told: usize,
    pub warnings: Vec<Diagnostic>,
    /// The address of the site, if webhooks are to be told.
    pub tells_webhooks_of: Option<String>,
}

/// Why a deploy did not end.
pub enum Failed {
    /// It was asked for what this site cannot do.
    Usage(String),
    /// The site could not be built.
    Build(Report),
    /// It has these errors, and the words say what was done by then.
    Deploy(Report, &'static str),
}

const NOT_PUBLISHED: &str = "; nothing was published";
const NOT_SENT: &str = "; nothing was sent";
const CUT_OFF: &str = "; what is there is whole, and deploying again finishes";

impl Failed {
    fn after(last: &'static str) -> impl Fn(Fault) -> Self {
        move |fault| {
            let mut report = Report::default();
            report.push(fault.into());
            Self::Deploy(report, last)
        }
    }
}

/// Builds a site and publishes it.
///
/// # Errors
///
/// When the site has errors, or a place does not take it. What was sent stays, and the next deploy sends the rest.
pub fn run(options: &Options, wish: &Wish, audience: &dyn Audience) -> Result<Done, Failed> {
    let (config, found) = read_config(options);
    if found.has_errors() {
        return Err(Failed::Deploy(found, NOT_PUBLISHED));
    }
    let site = wish.destination(&config).map_err(Failed::Usage)?;
    let warnings = build(options, audience)?;
    // No build may change what is being sent.
    wish.hold(build::lock(options));
    let not_sent = Failed::after(NOT_SENT);
    let out = build::out_dir(options, &config);
    notify::write_key(&options.root, &out, &config)
        .map_err(|error| not_sent(Fault::unread(out.display(), &error)))?;
    let home = config.deploy.to.as_ref().filter(|_| wish.to.is_some());
    let to_elsewhere =
        (home.zip(site.as_ref())).is_some_and(|(home, to)| !is_same(options, home, to));
    let media = config.deploy.media.as_ref().filter(|_| !to_elsewhere);
    let mut here = local_files(&out, &config).map_err(&not_sent)?;
    stored::refuse_pointers(&here).map_err(&not_sent)?;
    let mut apart = match media {
        Some(_) => take_media(&mut here),
        None => Vec::new(),
    };
    for (to, files) in [(media, &mut apart), (site.as_ref(), &mut here)] {
        if to.is_some_and(|to| !to.is_read_by_servers()) && config.output.precompress {
            without_copies(files);
        }
    }
    let list = stored::read_list(&options.root);
    let there = stored::lying_there(&list, &apart);
    let looking = Looking {
        options,
        config: &config,
        out: &out,
        list: &list,
        takes_over: wish.take_over,
        stop: wish.stop.clone(),
    };
    // All places are looked at before anything is sent.
    let (media, site) = looking
        .look(
            media.map(|to| (to, apart.as_slice(), &there)),
            site.as_ref().map(|to| (to, here.as_slice())),
        )
        .map_err(&not_sent)?;
    if wish.dry_run {
        let parts: Vec<&Part<'_>> = media.iter().chain(&site).collect();
        audience.note(&Note::Plans(&parts));
        return Ok(Done::default());
    }
    let sending = Sending {
        options,
        config: &config,
        wish,
        audience,
        is_elsewhere: options.base_url.is_some() || to_elsewhere,
    };
    sending.send(media, site, &list, warnings)
}

/// A deploy whose places were looked at.
struct Sending<'a> {
    options: &'a Options,
    config: &'a Config,
    wish: &'a Wish,
    audience: &'a dyn Audience,
    is_elsewhere: bool,
}

impl Sending<'_> {
    fn send(
        &self,
        mut media: Option<Part<'_>>,
        mut site: Option<Part<'_>>,
        list: &StoredMedia,
        warnings: Vec<Diagnostic>,
    ) -> Result<Done, Failed> {
        let (config, progress) = (self.config, self.audience.progress());
        let tells = self.wish.notify || !self.is_elsewhere && notify::has_someone(config);
        let cut_off = Failed::after(CUT_OFF);
        let mut done = Done {
            warnings,
            ..Done::default()
        };
        if let Some(media) = &mut media {
            done.places.push(media.send(progress).map_err(&cut_off)?);
            let noted = stored::note(&self.options.root, list.clone(), media.here);
            let noted = noted.map_err(&cut_off)?;
            self.audience.note(&Note::NewMedia(noted.new));
            done.warnings.extend(noted.warning());
        }
        if let Some(site) = &mut site {
            let published = site.publish(tells, progress).map_err(&cut_off)?;
            done.places.push(published);
        }
        // Until now, a page out there may have named them.
        if let (Some(media), [published, _]) = (&mut media, done.places.as_mut_slice()) {
            media.delete_former(published, progress).map_err(&cut_off)?;
        }
        progress.finish();
        if let Some(site) = &mut site {
            self.tell(site, tells, &mut done)?;
            let tells_webhooks = self.wish.notify || !self.is_elsewhere;
            done.tells_webhooks_of = tells_webhooks.then(|| config.url("/"));
        }
        Ok(done)
    }

    /// Sends notices of what is new.
    fn tell(&self, site: &mut Part<'_>, tells: bool, done: &mut Done) -> Result<(), Failed> {
        let Some(published) = done.places.last() else {
            return Ok(());
        };
        let untold = &published.deployed.untold;
        let new = site.here.iter();
        let new = new.filter(|file| self.wish.notify || untold.contains(&file.path));
        let news = News::of(self.config, new);
        // Whom the site names may let us wait; a build need not.
        self.wish.hold(None);
        if tells {
            let (count, unheard) = news.tell(self.config);
            self.audience.note(&Note::Warnings(&unheard));
            done.told = count;
            done.warnings.extend(unheard);
            site.told(untold).map_err(Failed::after(""))?;
        } else if notify::has_someone(self.config) && !news.is_empty() {
            self.audience.note(&Note::NobodyTold);
        }
        Ok(())
    }
}

/// The media among the files, which go to a place of their own. `[media] base_url` stands in place of `/media`.
fn take_media(files: &mut Vec<LocalFile>) -> Vec<LocalFile> {
    let all = std::mem::take(files);
    let (mut media, others): (Vec<LocalFile>, _) = all
        .into_iter()
        .partition(|file| file.path.starts_with("media/"));
    for file in &mut media {
        file.path.drain(.."media/".len());
    }
    *files = others;
    media
}

impl Wish {
    /// Keeps a lock in place of the one before.
    pub fn hold(&self, lock: Option<File>) {
        *self.lock.lock().unwrap_or_else(PoisonError::into_inner) = lock;
    }

    /// Where the site goes. None if only media are sent.
    fn destination(&self, config: &Config) -> Result<Option<Destination>, String> {
        if self.media {
            return match config.deploy.media {
                Some(_) => Ok(None),
                None => Err(
                    "site.toml does not say where media go: add [deploy.media] with `to`".into(),
                ),
            };
        }
        let Some(to) = &self.to else {
            return config.deploy.to.clone().map(Some).ok_or_else(|| {
                let examples: Vec<&str> = Destination::examples().collect();
                format!(
                    "site.toml does not say where to publish to: add [deploy] with `to`, one of {}",
                    examples.join(", ")
                )
            });
        };
        let named = Destination::parse(to)
            // It may hold a password, which is not for terminals and logs.
            .map_err(|help| format!("--to names no place to deploy to: {help}"))?;
        // What site.toml says of buckets and hosts is true of another one too.
        Ok(Some(match &config.deploy.to {
            Some(known) => named.like(known),
            None => named,
        }))
    }
}

/// Checks and builds. Nothing is published of a site that has errors.
fn build(options: &Options, audience: &dyn Audience) -> Result<Vec<Diagnostic>, Failed> {
    let progress = audience.progress();
    let report = build::check(options, progress).report;
    if report.has_errors() {
        return Err(Failed::Deploy(report, NOT_PUBLISHED));
    }
    let mut outcome = build::run(options, progress).map_err(Failed::Build)?;
    outcome.warnings.extend(before_publishing(options));
    audience.note(&Note::Warnings(&outcome.warnings));
    Ok(outcome.warnings)
}
