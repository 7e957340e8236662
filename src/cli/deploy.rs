//! `feedwright deploy`

mod report;

use std::path::PathBuf;

use clap::Args;

use super::Failure;
use super::build::What;
use super::output::{Bar, count, fail, fail_with, print_warnings, say};
use crate::build::Progress;
use crate::deploy::{Audience, Failed, Note, Wish, run as deploy};

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
    let as_json = arguments.json;
    let wish = Wish {
        to: arguments.to.clone(),
        dry_run: arguments.dry_run,
        media: arguments.media,
        notify: arguments.notify,
        take_over: arguments.take_over,
        ..Wish::default()
    };
    let terminal = Terminal {
        bar: Bar::new(),
        as_json,
    };
    let done = deploy(&options, &wish, &terminal);
    terminal.bar.finish();
    let done = done.map_err(|failed| match failed {
        Failed::Usage(words) => Failure::Usage(words),
        Failed::Build(report) => fail(report, as_json),
        Failed::Deploy(report, last) => fail_with(report, as_json, last),
    })?;
    if !wish.dry_run {
        report::tell(&done, as_json);
    }
    // What cannot be told now waits for the next command.
    #[cfg(feature = "serve")]
    if let Some(told) = crate::webhooks::tell_of_deploy(&options, &done)? {
        super::webhooks::report(&told);
    }
    Ok(())
}

/// Shows how far a deploy is.
struct Terminal {
    bar: Bar,
    as_json: bool,
}

impl Audience for Terminal {
    fn progress(&self) -> &dyn Progress {
        &self.bar
    }

    fn note(&self, note: &Note<'_>) {
        self.bar.finish();
        match note {
            Note::Plans(parts) => report::tell_plans(parts, self.as_json),
            _ if self.as_json => {}
            Note::Warnings(warnings) => print_warnings(warnings),
            Note::NewMedia(0) => {}
            Note::NewMedia(new) => say!(
                "{} noted in content/media.json: commit it, and machines without the files build the same",
                count(*new, "file", "files")
            ),
            Note::NobodyTold => say!(
                "Nobody was told: this is not the place and address that site.toml names; --notify tells all the same"
            ),
        }
    }
}
