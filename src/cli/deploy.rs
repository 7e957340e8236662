//! `feedwright deploy`

use std::path::PathBuf;

use clap::Args;
use jiff::Timestamp;
use serde_json::{Value, json};

use super::Failure;
use super::build::What;
use super::output::{Bar, bytes, count, fail, fail_with, print_json, print_warnings, say};
use crate::build::{self, Progress};
use crate::deploy::notify::{self, News};
use crate::deploy::{self, Deployed, Fault, LocalFile, Plan, local_files, target};
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
    /// Tell those whom `[deploy.notify]` names even if nothing changed
    #[arg(long)]
    notify: bool,
    /// Report as JSON on standard output
    #[arg(long)]
    json: bool,
}

/// Most files of a plan that are named.
const MOST_NAMED: usize = 30;

/// Builds the site and publishes it.
pub fn run(root: PathBuf, arguments: &Arguments) -> Result<(), Failure> {
    let options = arguments.what.options(root)?;
    let config = read_config(&options).0;
    let destination = destination(&config, arguments)?;
    let mut warnings = build(&options, arguments)?;
    // No build may change what is being sent.
    let _lock = build::lock(&options);
    let failed = |fault: Fault, last: &str| {
        let mut report = Report::default();
        report.push(fault.into());
        fail_with(report, arguments.json, last)
    };
    let out = build::out_dir(&options, &config);
    let now = (Timestamp::now(), config.deploy.keep_days);
    let looked = |fault| failed(fault, "; nothing was sent");
    notify::write_key(&out, &config)
        .map_err(|error| looked(Fault::unread(out.display(), &error)))?;
    let here = local_files(&out, &config).map_err(looked)?;
    let mut target = target::open(&options.root, &destination).map_err(looked)?;
    let plan = deploy::look(target.as_mut(), &here, now).map_err(looked)?;
    if arguments.dry_run {
        tell_plan(&plan, &destination, arguments.json);
        return Ok(());
    }
    let facts = facts(&plan, &here);
    let bar = Bar::new();
    let deployed = deploy::deploy(target.as_mut(), plan, &bar);
    bar.finish();
    let deployed = deployed.map_err(|fault| {
        failed(
            fault,
            "; what is there is whole, and deploying again finishes",
        )
    })?;
    let news = match arguments.notify {
        true => News::of_all(&config),
        false => News::of(&config, &deployed),
    };
    let (told, untold) = news.tell(&config);
    if !arguments.json {
        print_warnings(&untold);
    }
    warnings.extend(untold);
    let facts = Facts { told, ..facts };
    tell(&deployed, &facts, &destination, &warnings, arguments.json);
    Ok(())
}

/// Where to publish to.
fn destination(config: &Config, arguments: &Arguments) -> Result<Destination, Failure> {
    let Some(to) = &arguments.to else {
        return config.deploy.to.clone().ok_or_else(|| {
            Failure::Usage(
                "site.toml does not say where to publish to: add [deploy] with to = \"s3://bucket\", \"folder:/srv/www/site\", \"git:origin#gh-pages\", \"rsync:user@host:/srv/www/site\" or \"sftp:user@host:/srv/www/site\"".into(),
            )
        });
    };
    let named = Destination::parse(to)
        .map_err(|help| Failure::Usage(format!("--to cannot be {to:?}: {help}")))?;
    // What site.toml says of buckets is true of another one too.
    Ok(match (named, &config.deploy.to) {
        (Destination::S3(named), Some(Destination::S3(known))) => {
            Destination::S3(named.like(known))
        }
        (named, _) => named,
    })
}

/// Checks and builds. Nothing is published of a site that has errors.
fn build(options: &Options, arguments: &Arguments) -> Result<Vec<Diagnostic>, Failure> {
    let bar = Bar::new();
    let report = build::check(options, &bar);
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

/// What a report says beside what was done.
struct Facts {
    files: usize,
    unchanged: usize,
    waiting: usize,
    others: usize,
    /// How many messages were sent to those who asked for them.
    told: usize,
}

fn facts(plan: &Plan<'_>, here: &[LocalFile]) -> Facts {
    Facts {
        files: here.len(),
        unchanged: plan.unchanged,
        waiting: plan.waiting.len(),
        others: plan.others,
        told: 0,
    }
}

fn tell(
    deployed: &Deployed,
    facts: &Facts,
    to: &Destination,
    warnings: &[Diagnostic],
    as_json: bool,
) {
    let to = to.address();
    if as_json {
        print_json(&json!({
            "ok": true,
            "to": to,
            "files": facts.files,
            "sent": deployed.put.len(),
            "bytes": deployed.bytes,
            "unchanged": facts.unchanged,
            "deleted": deployed.deleted,
            "waiting": facts.waiting,
            "others": facts.others,
            "told": facts.told,
            "warnings": warnings,
        }));
        return;
    }
    let mut parts = vec![format!(
        "{} sent ({})",
        deployed.put.len(),
        bytes(deployed.bytes)
    )];
    if deployed.deleted > 0 {
        parts.push(format!("{} deleted", deployed.deleted));
    }
    parts.extend(left(facts.waiting, facts.others));
    if facts.told > 0 {
        parts.push(format!("{} sent", count(facts.told, "notice", "notices")));
    }
    say!(
        "Published {} at {to}: {}",
        count(facts.files, "file", "files"),
        parts.join(", ")
    );
}

/// What stays out there that the site does not have.
fn left(waiting: usize, others: usize) -> Vec<String> {
    let mut parts = Vec::new();
    if waiting > 0 {
        parts.push(format!(
            "{} to be deleted later",
            count(waiting, "former file", "former files")
        ));
    }
    if others > 0 {
        parts.push(format!(
            "{} of others left alone",
            count(others, "file", "files")
        ));
    }
    parts
}

/// Prints a plan, in the order in which it would be done.
fn tell_plan(plan: &Plan<'_>, to: &Destination, as_json: bool) {
    let to = to.address();
    let sent: u64 = plan.put.iter().map(|put| put.file.length).sum();
    if as_json {
        let put = plan.put.iter().map(|put| {
            json!({
                "path": put.file.path,
                "bytes": put.file.length,
                "new": put.is_new,
                "media_type": put.file.sent_as.media_type,
                "cache_control": put.file.sent_as.cache_control,
            })
        });
        let waiting = plan
            .waiting
            .iter()
            .map(|(path, since)| json!({ "path": path, "since": since }));
        let delete: Vec<&String> = plan.clear.iter().chain(&plan.delete).collect();
        print_json(&json!({
            "ok": true,
            "to": to,
            "put": put.collect::<Vec<Value>>(),
            "bytes": sent,
            "delete": delete,
            "waiting": waiting.collect::<Vec<Value>>(),
            "unchanged": plan.unchanged,
            "others": plan.others,
        }));
        return;
    }
    let clear = plan
        .clear
        .iter()
        .chain(&plan.delete)
        .map(|path| format!("  delete   {path}"));
    let put = plan.put.iter().map(|put| {
        let what = if put.is_new { "new    " } else { "changed" };
        format!("  {what}  {} ({})", put.file.path, bytes(put.file.length))
    });
    let lines: Vec<String> = put.chain(clear).collect();
    for line in lines.iter().take(MOST_NAMED) {
        say!("{line}");
    }
    if lines.len() > MOST_NAMED {
        say!(
            "  … and {} more; --json names them all",
            lines.len() - MOST_NAMED
        );
    }
    let mut parts = vec![
        format!("{} to send ({})", plan.put.len(), bytes(sent)),
        format!("{} unchanged", plan.unchanged),
        format!("{} to delete", plan.clear.len() + plan.delete.len()),
    ];
    parts.extend(left(plan.waiting.len(), plan.others));
    say!("To {to}: {}. Nothing was sent.", parts.join(", "));
}
