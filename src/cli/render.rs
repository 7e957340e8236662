//! `feedwright render`: renders a template with JSON data.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::Value;
use walkdir::WalkDir;

use super::Failure;
use super::output::print;
use model::{Diagnostic, SitePath};
use mustache::{Partials, Template};
use theme::{partial_name, template_error};

/// The arguments of `render`.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  feedwright render card.mustache --data public/feed.json")]
pub struct Arguments {
    /// Template file
    template: PathBuf,
    /// File with JSON data, or `-` for standard input
    #[arg(long, value_name = "FILE")]
    data: PathBuf,
    /// Folder with templates for {{>name}}
    #[arg(long, value_name = "DIR")]
    partials: Option<PathBuf>,
}

/// Renders a template with JSON data and prints the result.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let template = parse(&arguments.template)?;
    let data = data(&arguments.data)?;
    let partials = match &arguments.partials {
        Some(folder) => partials(folder)?,
        None => Partials::new(),
    };
    let mut out = String::new();
    if let Err(error) = template.render(&[&data], &partials, &mut out) {
        let file = arguments.template.display().to_string();
        return Err(report(Diagnostic::error(error.message()).file(file).position(
            error.line(),
            error.column(),
            "",
        )));
    }
    io::Write::write_all(&mut io::stdout().lock(), out.as_bytes())
        .map_err(|error| Failure::Usage(format!("the result cannot be printed: {error}")))
}

fn report(diagnostic: Diagnostic) -> Failure {
    print(&[diagnostic], None);
    Failure::Errors
}

fn read(path: &Path) -> Result<String, Failure> {
    let text = if path == Path::new("-") {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).map(|_| text)
    } else {
        fs::read_to_string(path)
    };
    text.map_err(|error| Failure::Usage(format!("{} cannot be read: {error}", path.display())))
}

fn parse(path: &Path) -> Result<Template, Failure> {
    Template::parse(read(path)?)
        .map_err(|error| report(template_error(&error, path.display().to_string())))
}

fn data(path: &Path) -> Result<Value, Failure> {
    let text = read(path)?;
    serde_json::from_str(&text).map_err(|error| {
        let diagnostic =
            Diagnostic::error(format!("invalid JSON: {error}")).file(path.display().to_string());
        let line = text.lines().nth(error.line().saturating_sub(1)).unwrap_or_default();
        report(
            diagnostic
                .position(error.line(), error.column(), line)
                .help("write the data as one JSON value"),
        )
    })
}

fn partials(folder: &Path) -> Result<Partials, Failure> {
    let mut partials = Partials::new();
    for entry in WalkDir::new(folder).follow_links(true).sort_by_file_name() {
        let entry = entry
            .map_err(|error| Failure::Usage(format!("the partials cannot be read: {error}")))?;
        let Some(path) =
            SitePath::below(folder, entry.path()).filter(|_| entry.file_type().is_file())
        else {
            continue;
        };
        partials.insert(partial_name(path.as_str()), parse(entry.path())?);
    }
    Ok(partials)
}
