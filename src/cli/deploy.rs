//! `feedwright deploy`: builds the site and publishes it.

mod report;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::build::BuildSelection;
use super::output::{Bar, fail, fail_with, print_warnings, say};
use super::{Failure, shows};
use builder::Progress;
use deploy::{self, Listener, Part, Request, State, Stopped};
use model::{Config, Destination, Diagnostic, Report};
use project::{LastDeploy, Live, Options, read_config, show_configs};
use source::show_folders::{settings_file, show_folders};

/// The arguments of `deploy`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  feedwright deploy --dry-run
  feedwright deploy --all-shows
  feedwright deploy --to folder:/tmp/try")]
pub struct Arguments {
    #[command(flatten)]
    what: BuildSelection,
    /// Deploy only this show with a `base_url` in show.toml
    #[arg(long, value_name = "NAME")]
    show: Option<String>,
    /// Deploy all shows that have [deploy] in show.toml
    #[arg(
        long,
        conflicts_with_all = ["show", "to", "media", "out", "base_url", "json", "take_over"]
    )]
    all_shows: bool,
    /// Destination, instead of `[deploy] to` in site.toml
    #[arg(long, value_name = "DESTINATION")]
    to: Option<String>,
    /// List files to send and delete, but send nothing
    #[arg(long)]
    dry_run: bool,
    /// Publish only media, to the destination in `[deploy.media]`
    #[arg(long, conflicts_with_all = ["to", "notify", "show"])]
    media: bool,
    /// Send all notifications in `[deploy.notify]`, even without changes
    #[arg(long)]
    notify: bool,
    /// Allow replacing another site, or this site with another base URL
    #[arg(long)]
    take_over: bool,
    /// Check the published site afterwards [default address: base_url]
    #[arg(
        long,
        value_name = "URL",
        num_args = 0..=1,
        default_missing_value = "",
        conflicts_with_all = ["dry_run", "media"]
    )]
    check_live: Option<String>,
    /// Print JSON on standard output
    #[arg(long)]
    json: bool,
}

/// Builds the site or shows and publishes them.
pub fn run(root: PathBuf, arguments: &Arguments) -> Result<(), Failure> {
    let mut options = arguments.what.options(root)?;
    if arguments.all_shows {
        return run_shows(&options, arguments);
    }
    options.show = shows::option(&options.root, arguments.show.as_deref())?;
    let help = "run `feedwright deploy`, or add `base_url` and [deploy] to its show.toml";
    shows::require_own_address(&options, help)?;
    run_one(&options, arguments)
}

/// Deploys each show that has its own destination. If a show has errors, the others are deployed.
fn run_shows(options: &Options, arguments: &Arguments) -> Result<(), Failure> {
    if arguments.check_live.as_ref().is_some_and(|url| !url.is_empty()) {
        let words = "--check-live takes no address with --all-shows: each show has its own";
        return Err(Failure::Usage(words.into()));
    }
    let (site, mut found) = read_config(options);
    let (shows, of_shows) = show_configs(options, &site, show_folders(&options.root).iter());
    found.extend(of_shows);
    if found.has_errors() {
        return Err(fail_with(found, false, "; nothing was published"));
    }
    let (shows, without_destination) = split_by_destination(shows);
    if shows.is_empty() {
        say!("No show has a deploy destination in its show.toml: no show was deployed");
    }
    let mut result = Ok(());
    for show in shows {
        let options = Options { show: Some(show.content), ..options.clone() };
        match run_one(&options, arguments) {
            Ok(()) => {}
            Err(Failure::Usage(message)) => {
                say!("error: {message}");
                result = Err(Failure::Errors);
            }
            Err(failure) => result = Err(failure),
        }
    }
    report_shows("Skipped", &without_destination, "no deploy destination in show.toml");
    result
}

/// Returns the shows with their own address: those with a deploy destination, and those without.
fn split_by_destination(shows: Vec<Config>) -> (Vec<Config>, Vec<Config>) {
    let own = shows.into_iter().filter(|show| show.own_url.is_some());
    own.partition(Config::is_deployed_apart)
}

/// Prints the names of shows, if there are any.
fn report_shows(label: &str, shows: &[Config], note: &str) {
    let names: Vec<&str> = shows.iter().filter_map(|show| show.content.show()).collect();
    if !names.is_empty() {
        say!("{label}: {} ({note})", names.join(", "));
    }
}

/// Builds the site, or one show, and publishes it.
fn run_one(options: &Options, arguments: &Arguments) -> Result<(), Failure> {
    let (config, found) = read_config(options);
    if found.has_errors() {
        return Err(fail_with(found, arguments.json, "; nothing was published"));
    }
    if arguments.media && config.deploy.media.is_none() {
        let words = "site.toml has no destination for media: add [deploy.media] with `to`";
        return Err(Failure::Usage(words.into()));
    }
    let site = match arguments.media {
        true => None,
        false => Some(destination(&config, arguments)?),
    };
    let request = Request {
        options,
        config: &config,
        site: site.as_ref(),
        is_named: arguments.to.is_some(),
        is_dry_run: arguments.dry_run,
        notifies_all: arguments.notify,
        takes_over: arguments.take_over,
    };
    // The editor shows the last deploy of the site or show.
    let to = site.as_ref().filter(|_| arguments.to.is_none());
    let last = to.map(|to| LastDeploy::begin(&options.root, to.address()));
    let printer = Printer { bar: Bar::new(), as_json: arguments.json };
    let Stopped { report, state } = match deploy::run(&request, &printer) {
        Err(stopped) => stopped,
        Ok(None) => {
            report_other_shows(options, &config, arguments);
            return Ok(());
        }
        Ok(Some(done)) => {
            let live = arguments.check_live.as_deref();
            let found = live.map(|url| check_live(options, url, &printer)).unwrap_or_default();
            let has_errors = found.has_errors();
            let mut warnings = done.warnings;
            warnings.extend(found);
            report::report_result(&done.places, done.notices, &warnings, arguments.json);
            report_other_shows(options, &config, arguments);
            if done.is_announced {
                // The site is published even if the editor cannot show it.
                let _ = last.map(|last| last.write(options));
                #[cfg(feature = "serve")]
                notify_webhooks(options, &config, &done.places)?;
            }
            return if has_errors { Err(Failure::Errors) } else { Ok(()) };
        }
    };
    let last = match state {
        State::Unbuilt => "; nothing was published",
        State::BuildFailed => return Err(fail(report, arguments.json)),
        State::Unsent => "; nothing was sent",
        State::Partly => {
            "; some files were not sent: deploy again to finish; the files already sent are complete"
        }
        State::Sent => "",
    };
    Err(fail_with(report, arguments.json, last))
}

/// Reports the shows that a deploy of the site left out.
fn report_other_shows(options: &Options, config: &Config, arguments: &Arguments) {
    if options.show.is_some() || arguments.json || arguments.media {
        return;
    }
    let (shows, _) = show_configs(options, config, show_folders(&options.root).iter());
    let (apart, without_destination) = split_by_destination(shows);
    let label = "Not deployed with the site";
    report_shows(label, &apart, "run `feedwright deploy --all-shows`");
    report_shows(label, &without_destination, "no deploy destination in show.toml");
}

/// Maximum time to wait until the server sends the deployed feed.
const MAX_WAIT: Duration = Duration::from_mins(3);

/// Checks the published site, as soon as the server sends the deployed feed.
fn check_live(options: &Options, url: &str, printer: &Printer) -> Report {
    let url = Some(url.to_owned()).filter(|url| !url.is_empty());
    let live = Live { wait: MAX_WAIT, ..Live::new(url) };
    let found = builder::check_live(options, &live, &printer.bar);
    if !printer.as_json {
        print_warnings(&found.clone().sorted());
    }
    found
}

/// Prints the events of a deploy.
struct Printer {
    bar: Bar,
    as_json: bool,
}

impl Listener for Printer {
    fn progress(&self) -> &dyn Progress {
        &self.bar
    }

    fn warned(&self, warnings: &[Diagnostic]) {
        if !self.as_json {
            print_warnings(warnings);
        }
    }

    fn planned(&self, parts: &[&Part<'_>]) {
        report::report_plans(parts, self.as_json);
    }

    fn noted(&self, new: usize) {
        report::report_new_media(new, self.as_json);
    }

    fn not_notified(&self) {
        report::report_no_notices(self.as_json);
    }
}

/// Sends webhook messages about the deploy. Messages that cannot be delivered now are queued for
/// the next command.
#[cfg(feature = "serve")]
fn notify_webhooks(
    options: &Options,
    config: &Config,
    done: &[deploy::Published],
) -> Result<(), Failure> {
    let done = webhooks::Deploy {
        url: config.url("/"),
        put: done.iter().map(|place| place.deployed.put.len()).sum(),
        deleted: done.iter().map(|place| place.deployed.deleted).sum(),
    };
    super::webhooks::report(&webhooks::tell(options, config, "deploy.done", &done)?);
    Ok(())
}

/// Returns the destination to publish to.
fn destination(config: &Config, arguments: &Arguments) -> Result<Destination, Failure> {
    let Some(to) = &arguments.to else {
        return config.deploy.to.clone().ok_or_else(|| {
            let examples: Vec<&str> = Destination::examples().collect();
            let file = settings_file(&config.content).map(|file| file.to_string());
            Failure::Usage(format!(
                "{} has no deploy destination: add [deploy] with `to`, such as {}",
                file.unwrap_or_default(),
                examples.join(", ")
            ))
        });
    };
    let named = Destination::parse(to)
        // The message omits the address, because passwords in the address must not appear in
        // terminals and logs.
        .map_err(|help| Failure::Usage(format!("invalid destination in --to: {help}")))?;
    // The settings for buckets and hosts in `site.toml` also apply to a destination from `--to`.
    Ok(match &config.deploy.to {
        Some(known) => named.like(known),
        None => named,
    })
}
