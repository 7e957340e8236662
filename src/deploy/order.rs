//! The order of a deploy: checks and builds the site, lists the files at all destinations, sends
//! media, sends the site, deletes files that no page links to, and sends the notices.

use super::notify::{self, PublishedChanges};
use super::part::{DeployContext, Part, Published, is_same};
use super::{Fault, LocalFile, local_files, stored, without_copies};
use builder::{self, Progress};
use model::{Config, Destination, Diagnostic, Report};
use project::{Options, warn_before_publishing};

/// The options of a deploy.
pub struct Request<'a> {
    pub options: &'a Options,
    pub config: &'a Config,
    /// The destination of the site. `None` means that only media are sent.
    pub site: Option<&'a Destination>,
    /// Whether `site` was chosen for this deploy only, and does not come from `site.toml`.
    pub is_named: bool,
    /// Whether to make plans only, without sending anything.
    pub is_dry_run: bool,
    /// Whether to announce all pages and feeds, even if nothing changed, and even with `--base-url`
    /// or with a `--to` that differs from `site.toml`.
    pub notifies_all: bool,
    /// Whether the deploy may replace the files of another site.
    pub takes_over: bool,
}

/// Receives the events of a deploy.
pub trait Listener {
    fn progress(&self) -> &dyn Progress;
    /// Called with warnings from the build, or about notices that could not be sent.
    fn warned(&self, warnings: &[Diagnostic]);
    /// Called with the plan for each destination. The plan for the site comes last.
    fn planned(&self, parts: &[&Part<'_>]);
    /// Called with the number of files that were added to `content/media.json`.
    fn noted(&self, new: usize);
    /// Called if no notices are sent, because the site was published at an unusual destination or
    /// address.
    fn not_notified(&self);
}

/// The result of a deploy.
pub struct Done {
    /// The result for each destination. The result for the site comes last.
    pub places: Vec<Published>,
    /// The number of notices sent.
    pub notices: usize,
    pub warnings: Vec<Diagnostic>,
    /// Whether the site was published at its usual destination and address, or notices were
    /// requested.
    pub is_announced: bool,
}

/// The errors of a deploy that ended early, and how far the deploy got.
pub struct Stopped {
    pub report: Report,
    pub state: State,
}

/// How far a deploy got before it ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// The site has errors, so nothing was built.
    Unbuilt,
    /// The build failed. The report contains the reason.
    BuildFailed,
    /// Nothing was sent.
    Unsent,
    /// Some files were sent, each of them complete.
    Partly,
    /// All files were sent.
    Sent,
}

fn stopped(fault: Fault, state: State) -> Stopped {
    let mut report = Report::default();
    report.push(fault.into());
    Stopped { report, state }
}

/// Deploys a site. Returns `None` after a dry run.
pub fn run(request: &Request<'_>, listener: &dyn Listener) -> Result<Option<Done>, Stopped> {
    let Request { options, config, .. } = *request;
    let mut warnings = build(options, listener)?;
    // The lock prevents a build from changing the files while they are sent.
    let lock = builder::lock(options);
    let looked = |fault| stopped(fault, State::Unsent);
    let out = builder::out_dir(options, config);
    notify::write_key(&options.root, &out, config)
        .map_err(|error| looked(Fault::cannot_read(out.display(), &error)))?;
    let mut output_files = local_files(&out, config).map_err(looked)?;
    stored::refuse_pointers(&output_files).map_err(looked)?;
    let home = config.deploy.to.as_ref().filter(|_| request.is_named);
    let to_elsewhere = home.zip(request.site).is_some_and(|(home, to)| !is_same(options, home, to));
    let media = config.deploy.media.as_ref().filter(|_| !to_elsewhere);
    let mut separate_media = match media {
        Some(_) => take_media(&mut output_files),
        None => Vec::new(),
    };
    // The deploy of the network sends the media of all shows to their own address.
    if config.content.show().is_some() && config.media_base_url.is_some() {
        take_media(&mut output_files);
    }
    for (to, output_files) in media
        .map(|to| (to, &mut separate_media))
        .into_iter()
        .chain(request.site.map(|to| (to, &mut output_files)))
    {
        if !to.is_served_from_disk() && config.output.precompress {
            without_copies(output_files);
        }
    }
    let list = stored::read_list(&options.root);
    let there = stored::stored_elsewhere(&list, &separate_media);
    let looking =
        DeployContext { options, config, out: &out, list: &list, takes_over: request.takes_over };
    // Lists the files at all destinations before anything is sent.
    let (mut media, mut site) = looking
        .make_plan(
            media.map(|to| (to, separate_media.as_slice(), &there)),
            request.site.map(|to| (to, output_files.as_slice())),
        )
        .map_err(looked)?;
    if request.is_dry_run {
        let parts: Vec<&Part<'_>> = media.iter().chain(&site).collect();
        listener.planned(&parts);
        return Ok(None);
    }
    let is_announced = request.notifies_all || options.base_url.is_none() && !to_elsewhere;
    let announces = request.notifies_all || is_announced && notify::has_receivers(config);
    let progress = listener.progress();
    let cut_off = |fault: Fault| {
        progress.finish();
        stopped(fault, State::Partly)
    };
    let mut places = Vec::new();
    if let Some(media) = &mut media {
        places.push(media.send(progress).map_err(cut_off)?);
        let noted = stored::note(&options.root, list.clone(), &separate_media).map_err(cut_off)?;
        progress.finish();
        listener.noted(noted.new);
        warnings.extend(noted.warning());
    }
    if let Some(site) = &mut site {
        places.push(site.publish(announces, progress).map_err(cut_off)?);
    }
    // Former media are deleted only now, because pages may have linked to them until the new site
    // was published.
    if let (Some(media), [published, _]) = (&mut media, places.as_mut_slice()) {
        media.delete_former(published, progress).map_err(cut_off)?;
    }
    progress.finish();
    let mut notices = 0;
    if let (Some(site), Some(published)) = (&mut site, places.last()) {
        let untold = &published.deployed.untold;
        let new = site.output_files.iter();
        let new = new.filter(|file| request.notifies_all || untold.contains(&file.path));
        let news = PublishedChanges::of(config, new);
        // Sending notices may take a long time. Builds can run in the meantime.
        drop(lock);
        if announces {
            let (count, unheard) = news.notify_all(config);
            listener.warned(&unheard);
            warnings.extend(unheard);
            notices = count;
            site.mark_announced(untold).map_err(|fault| stopped(fault, State::Sent))?;
        } else if notify::has_receivers(config) && !news.is_empty() {
            listener.not_notified();
        }
    }
    let is_announced = is_announced && site.is_some();
    Ok(Some(Done { places, notices, warnings, is_announced }))
}

/// Checks and builds the site. A site with errors is not published.
fn build(options: &Options, listener: &dyn Listener) -> Result<Vec<Diagnostic>, Stopped> {
    let progress = listener.progress();
    let report = builder::check(options, progress).report;
    if report.has_errors() {
        progress.finish();
        return Err(Stopped { report, state: State::Unbuilt });
    }
    let built = builder::run(options, progress);
    progress.finish();
    let mut outcome = built.map_err(|report| Stopped { report, state: State::BuildFailed })?;
    outcome.warnings.extend(warn_before_publishing(options));
    listener.warned(&outcome.warnings);
    Ok(outcome.warnings)
}

/// Moves the media out of `files` and returns them. Their paths lose the prefix `media/`, because
/// the base URL of the media replaces it.
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use builder::Silent;
    use project::read_config;

    struct SilentListener;

    impl Listener for SilentListener {
        fn progress(&self) -> &dyn Progress {
            &Silent
        }

        fn warned(&self, _: &[Diagnostic]) {}

        fn planned(&self, parts: &[&Part<'_>]) {
            assert_eq!(parts.len(), 1);
            assert!(!parts[0].plan.put.is_empty());
        }

        fn noted(&self, _: usize) {}

        fn not_notified(&self) {}
    }

    #[test]
    fn a_dry_run_sends_nothing_and_a_failed_deploy_reports_its_progress() {
        let folder = tempfile::tempdir().unwrap();
        let (root, there) = (folder.path().join("site"), folder.path().join("there"));
        fs::create_dir_all(root.join("content")).unwrap();
        fs::write(
            root.join("site.toml"),
            "base_url = \"https://walks.net\"\n[deploy]\nto = \"folder:../there\"\n",
        )
        .unwrap();
        fs::write(root.join("content/channel.md"), "+++\ntitle = \"Walks\"\n+++\n").unwrap();
        let options = Options::new(&root);
        let (config, _) = read_config(&options);
        let deploy = |is_dry_run| {
            let site = config.deploy.to.as_ref();
            let request = Request {
                options: &options,
                config: &config,
                site,
                is_named: false,
                is_dry_run,
                notifies_all: false,
                takes_over: false,
            };
            run(&request, &SilentListener).map_err(|stopped| stopped.state)
        };
        assert!(deploy(true).unwrap().is_none());
        assert!(!there.exists());
        // The destination is a file instead of a folder, so the deploy fails.
        fs::write(&there, "").unwrap();
        assert_eq!(deploy(false).err(), Some(State::Unsent));
        fs::remove_file(&there).unwrap();
        let done = deploy(false).unwrap().unwrap();
        assert_eq!(done.places[0].deployed.put.len(), done.places[0].files);
        assert!(there.join("index.html").exists());
        fs::write(root.join("content/channel.md"), "+++\ntitle = 1.\n+++\n").unwrap();
        assert_eq!(deploy(false).err(), Some(State::Unbuilt));
    }
}
