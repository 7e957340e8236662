//! `feedwright deploy`

mod part;
mod report;

use std::path::PathBuf;

use clap::Args;

use super::Failure;
use super::build::What;
use super::output::{Bar, fail, fail_with, print_warnings};
use crate::builder::{self, Progress};
use crate::deploy::notify::{self, News};
use crate::deploy::{Fault, LocalFile, local_files, stored, without_copies};
use crate::model::{Config, Destination, Diagnostic, Report};
use crate::project::{Options, before_publishing, read_config};

use part::{Looking, Part, Published};

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
    /// Tell those whom `[deploy.notify]` names of all pages and feeds, even if nothing changed
    #[arg(long)]
    notify: bool,
    /// Publish where another site was published to, or this one under a former address
    #[arg(long)]
    take_over: bool,
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
    let lock = builder::lock(&options);
    let failed = |fault: Fault, last: &str| {
        let mut report = Report::default();
        report.push(fault.into());
        fail_with(report, arguments.json, last)
    };
    let looked = |fault| failed(fault, "; nothing was sent");
    let out = builder::out_dir(&options, &config);
    notify::write_key(&options.root, &out, &config)
        .map_err(|error| looked(Fault::unread(out.display(), &error)))?;
    let mut here = local_files(&out, &config).map_err(looked)?;
    stored::refuse_pointers(&here).map_err(looked)?;
    let home = config.deploy.to.as_ref().filter(|_| arguments.to.is_some());
    let to_elsewhere =
        (home.zip(site.as_ref())).is_some_and(|(home, to)| !part::is_same(&options, home, to));
    let media = config.deploy.media.as_ref().filter(|_| !to_elsewhere);
    let mut apart = match media {
        Some(_) => take_media(&mut here),
        None => Vec::new(),
    };
    for (to, here) in
        media.map(|to| (to, &mut apart)).into_iter().chain(site.as_ref().map(|to| (to, &mut here)))
    {
        if !to.is_read_by_servers() && config.output.precompress {
            without_copies(here);
        }
    }
    let list = stored::read_list(&options.root);
    let there = stored::lying_there(&list, &apart);
    let looking = Looking {
        options: &options,
        config: &config,
        out: &out,
        list: &list,
        takes_over: arguments.take_over,
    };
    // All places are looked at before anything is sent.
    let (mut media, mut site) = looking
        .look(
            media.map(|to| (to, apart.as_slice(), &there)),
            site.as_ref().map(|to| (to, here.as_slice())),
        )
        .map_err(looked)?;
    if arguments.dry_run {
        let parts: Vec<&Part<'_>> = media.iter().chain(&site).collect();
        report::tell_plans(&parts, arguments.json);
        return Ok(());
    }
    let is_elsewhere = options.base_url.is_some() || to_elsewhere;
    let tells = arguments.notify || !is_elsewhere && notify::has_someone(&config);
    let bar = Bar::new();
    let cut_off = |fault: Fault| {
        bar.finish();
        failed(fault, "; what is there is whole, and deploying again finishes")
    };
    let mut done = Vec::new();
    if let Some(media) = &mut media {
        done.push(media.send(&bar).map_err(cut_off)?);
        let noted = stored::note(&options.root, list.clone(), &apart).map_err(cut_off)?;
        bar.finish();
        report::tell_noted(noted.new, arguments.json);
        warnings.extend(noted.warning());
    }
    if let Some(site) = &mut site {
        done.push(site.publish(tells, &bar).map_err(cut_off)?);
    }
    // Until now, a page out there may have named them.
    if let (Some(media), [published, _]) = (&mut media, done.as_mut_slice()) {
        media.delete_former(published, &bar).map_err(cut_off)?;
    }
    bar.finish();
    let mut told = 0;
    if let (Some(site), Some(published)) = (&mut site, done.last()) {
        let untold = &published.deployed.untold;
        let new = site.here.iter();
        let new = new.filter(|file| arguments.notify || untold.contains(&file.path));
        let news = News::of(&config, new);
        // Whom the site names may let us wait; a build need not.
        drop(lock);
        if tells {
            let (count, unheard) = news.tell(&config);
            if !arguments.json {
                print_warnings(&unheard);
            }
            warnings.extend(unheard);
            told = count;
            site.told(untold).map_err(|fault| failed(fault, ""))?;
        } else if notify::has_someone(&config) && !news.is_empty() {
            report::tell_silence(arguments.json);
        }
    }
    report::tell(&done, told, &warnings, arguments.json);
    #[cfg(feature = "serve")]
    if site.is_some() && (arguments.notify || !is_elsewhere) {
        tell_webhooks(&options, &config, &done)?;
    }
    Ok(())
}

/// What cannot be told now waits for the next command.
#[cfg(feature = "serve")]
fn tell_webhooks(
    options: &Options,
    config: &Config,
    done: &[Published<'_>],
) -> Result<(), Failure> {
    let done = crate::webhooks::Deploy {
        url: config.url("/"),
        put: done.iter().map(|place| place.deployed.put.len()).sum(),
        deleted: done.iter().map(|place| place.deployed.deleted).sum(),
    };
    super::webhooks::report(&crate::webhooks::tell(options, config, "deploy.done", &done)?);
    Ok(())
}

/// The media among the files, which go to a place of their own. `[media] base_url` stands in place of `/media`.
fn take_media(files: &mut Vec<LocalFile>) -> Vec<LocalFile> {
    let all = std::mem::take(files);
    let (mut media, others): (Vec<LocalFile>, _) =
        all.into_iter().partition(|file| file.path.starts_with("media/"));
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
    let report = builder::check(options, &bar).report;
    if report.has_errors() {
        bar.finish();
        return Err(fail_with(report, arguments.json, "; nothing was published"));
    }
    let built = builder::run(options, &bar);
    bar.finish();
    let mut outcome = built.map_err(|report| fail(report, arguments.json))?;
    outcome.warnings.extend(before_publishing(options));
    if !arguments.json {
        print_warnings(&outcome.warnings);
    }
    Ok(outcome.warnings)
}
