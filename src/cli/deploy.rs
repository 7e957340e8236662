//! `feedwright deploy`

mod report;

use std::path::{Path, PathBuf};

use clap::Args;
use jiff::Timestamp;

use super::Failure;
use super::build::What;
use super::output::{Bar, fail, fail_with, print_warnings};
use crate::build::{self, Progress};
use crate::deploy::notify::{self, News};
use crate::deploy::{
    Deployed, Fault, LocalFile, Place, Plan, Stored, local_files, stored, without_copies,
};
use crate::model::{Config, Destination, Diagnostic, Report};
use crate::project::{Options, before_publishing, read_config};

/// What `deploy` takes.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    what: What,
    /// Publish there in place of `[deploy] to`
    #[arg(long, value_name = "ADDRESS")]
    to: Option<String>,
    /// Print what would be sent and deleted, and send nothing
    #[arg(long)]
    dry_run: bool,
    /// Send media to `[deploy.media]`, and leave the site to another machine
    #[arg(long, conflicts_with_all = ["to", "notify"])]
    media: bool,
    /// Tell those whom `[deploy.notify]` names even if nothing changed
    #[arg(long)]
    notify: bool,
    /// Report as JSON on standard output
    #[arg(long)]
    json: bool,
}

/// Builds the site and publishes it.
pub fn run(root: PathBuf, arguments: &Arguments) -> Result<(), Failure> {
    let options = arguments.what.options(root)?;
    let (config, found) = read_config(&options);
    if found.has_errors() {
        return Err(fail_with(found, arguments.json, "; nothing was published"));
    }
    if arguments.media && config.deploy.media.is_none() {
        let words = "site.toml does not say where media go: add [deploy.media] with `to`";
        return Err(Failure::Usage(words.into()));
    }
    let site = match arguments.media {
        true => None,
        false => Some(destination(&config, arguments)?),
    };
    let mut warnings = build(&options, arguments)?;
    // No build may change what is being sent.
    let _lock = build::lock(&options);
    let failed = |fault: Fault, last: &str| {
        let mut report = Report::default();
        report.push(fault.into());
        fail_with(report, arguments.json, last)
    };
    let looked = |fault| failed(fault, "; nothing was sent");
    let out = build::out_dir(&options, &config);
    notify::write_key(&out, &config)
        .map_err(|error| looked(Fault::unread(out.display(), &error)))?;
    let mut here = local_files(&out, &config).map_err(looked)?;
    let media = config
        .deploy
        .media
        .as_ref()
        .filter(|_| arguments.to.is_none());
    let mut apart = match media {
        Some(_) => take_media(&mut here),
        None => Vec::new(),
    };
    for (to, here) in media
        .map(|to| (to, &mut apart))
        .into_iter()
        .chain(site.as_ref().map(|to| (to, &mut here)))
    {
        if !to.is_read_by_servers() && config.output.precompress {
            without_copies(here);
        }
    }
    // All places are looked at before anything is sent; media come first.
    let now = (Timestamp::now(), config.deploy.keep_days);
    let mut parts = Vec::new();
    let list = stored::read_list(&options.root);
    let there = stored::lying_there(&list, &apart);
    let nothing = Stored::new();
    for (to, here, stored) in media
        .map(|to| (to, &apart, &there))
        .into_iter()
        .chain(site.as_ref().map(|to| (to, &here, &nothing)))
    {
        parts.push(Part::look(&options.root, to, (here, stored), now).map_err(looked)?);
    }
    if arguments.dry_run {
        report::tell_plans(&parts, arguments.json);
        return Ok(());
    }
    let bar = Bar::new();
    let mut done = Vec::new();
    for part in parts {
        let published = part.publish(&bar).map_err(|fault| {
            bar.finish();
            failed(
                fault,
                "; what is there is whole, and deploying again finishes",
            )
        })?;
        done.push(published);
    }
    bar.finish();
    if media.is_some() {
        let noted = stored::note(&options.root, list, &apart);
        report::tell_noted(noted.map_err(|fault| failed(fault, ""))?, arguments.json);
    }
    if site.is_none() {
        report::tell(&done, 0, &warnings, arguments.json);
        return Ok(());
    }
    let news = match (arguments.notify, done.last()) {
        (false, Some(site)) => News::of(&config, &site.deployed),
        _ => News::of_all(&config),
    };
    let (told, untold) = news.tell(&config);
    if !arguments.json {
        print_warnings(&untold);
    }
    warnings.extend(untold);
    report::tell(&done, told, &warnings, arguments.json);
    Ok(())
}

/// One of the places that a site goes to, and what is to be done there.
struct Part<'a> {
    to: &'a Destination,
    place: Place,
    plan: Plan<'a>,
    here: &'a [LocalFile],
}

/// What was done at a place.
struct Published<'a> {
    to: &'a Destination,
    deployed: Deployed,
    files: usize,
    unchanged: usize,
    waiting: usize,
    others: usize,
}

impl<'a> Part<'a> {
    fn look(
        root: &Path,
        to: &'a Destination,
        (here, stored): (&'a [LocalFile], &Stored),
        now: (Timestamp, u16),
    ) -> Result<Self, Fault> {
        let mut place = Place::open(root, to)?;
        let plan = place.look(here, stored, now)?;
        Ok(Self {
            to,
            place,
            plan,
            here,
        })
    }

    fn publish(mut self, bar: &Bar) -> Result<Published<'a>, Fault> {
        let (unchanged, waiting, others) = (
            self.plan.unchanged,
            self.plan.waiting.len(),
            self.plan.others,
        );
        let deployed = self.place.deploy(self.here, self.plan, bar)?;
        Ok(Published {
            to: self.to,
            deployed,
            files: self.here.len(),
            unchanged,
            waiting,
            others,
        })
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

/// Where to publish to.
fn destination(config: &Config, arguments: &Arguments) -> Result<Destination, Failure> {
    let Some(to) = &arguments.to else {
        return config.deploy.to.clone().ok_or_else(|| {
            let examples: Vec<&str> = Destination::examples().collect();
            Failure::Usage(format!(
                "site.toml does not say where to publish to: add [deploy] with `to`, one of {}",
                examples.join(", ")
            ))
        });
    };
    let named = Destination::parse(to)
        // It may hold a password, which is not for terminals and logs.
        .map_err(|help| Failure::Usage(format!("--to names no place to deploy to: {help}")))?;
    // What site.toml says of buckets and hosts is true of another one too.
    Ok(match &config.deploy.to {
        Some(known) => named.like(known),
        None => named,
    })
}

/// Checks and builds. Nothing is published of a site that has errors.
fn build(options: &Options, arguments: &Arguments) -> Result<Vec<Diagnostic>, Failure> {
    let bar = Bar::new();
    let report = build::check(options, &bar).report;
    if report.has_errors() {
        bar.finish();
        return Err(fail_with(report, arguments.json, "; nothing was published"));
    }
    let built = build::run(options, &bar);
    bar.finish();
    let mut outcome = built.map_err(|report| fail(report, arguments.json))?;
    outcome.warnings.extend(before_publishing(options));
    if !arguments.json {
        print_warnings(&outcome.warnings);
    }
    Ok(outcome.warnings)
}
