//! `feedwright new page accessibility`: creates the page with the site's accessibility statement.
//!
//! The statement follows the model of the European Union (Implementing Decision (EU) 2018/1523) and
//! the generator of the W3C: standard, conformance, known gaps, method, contact, enforcement.

use std::path::Path;

use super::super::output::say;
use super::super::{Failure, options, output};
use builder::{ExtraChecks, Silent, check_with};
use edit::{current_time, quoted};
use model::{Report, Rule};
use project::Site;
use words::{WordBook, Words};

/// The title for which the statement is written.
pub const TITLE: &str = "accessibility";

/// The e-mail address in the statement of a site without one.
const EXAMPLE_ADDRESS: &str = "name@example.com";

/// The statement as a page.
pub struct Statement {
    /// The title, and other front matter, as TOML.
    pub front_matter: String,
    pub body: String,
}

/// Checks the site, and returns the statement in the site's language.
pub fn statement(root: &Path) -> Result<Statement, Failure> {
    let options = options(root.to_path_buf())?;
    let extra = ExtraChecks { accessibility: true, ..ExtraChecks::default() };
    let report = check_with(&options, &extra, &Silent).report;
    if report.has_errors() {
        return Err(output::fail(report, false));
    }
    let (site, _) = project::read(&options, &|| ());
    let site = site.ok_or_else(|| Failure::Usage("the site cannot be read".into()))?;
    let (channel, config) = (&site.snapshot.channel, &site.snapshot.config);
    let book = WordBook::new(channel.language.as_deref(), &site.theme.words, &config.words);
    let words = &*book.site;
    let mut front_matter = format!("title = {}\n", quoted(words.text("accessibility")));
    if let Some(language) = words.other_language() {
        front_matter.push_str(&format!("language = \"{language}\"\n"));
    }
    Ok(Statement { front_matter, body: body(&site, words, &report) })
}

fn body(site: &Site, words: &Words, report: &Report) -> String {
    let standards = [("standard", "EN 301 549"), ("guidelines", "WCAG 2.2")];
    let aim = words.fill_placeholders("accessibility_aim", &standards);
    let gaps = gaps(words, report);
    let conformance = match gaps.is_empty() {
        true => words.text("accessibility_met").to_owned(),
        false => format!("{}\n\n{gaps}", words.text("accessibility_gaps")),
    };
    let today = current_time(&site.snapshot.config.timezone).date();
    let date = words.long_date(today);
    let made = words.fill_placeholders("accessibility_made", &[("date", &date)]);
    let address = site.snapshot.channel.itunes.email.as_deref().unwrap_or_else(|| {
        say!("write your e-mail address in place of {EXAMPLE_ADDRESS}");
        EXAMPLE_ADDRESS
    });
    let link = format!("<{address}>");
    let contact = words.fill_placeholders("accessibility_contact", &[("contact", &link)]);
    let authority = words.text("accessibility_authority");
    let paragraphs = [&format!("{aim} {conformance}"), &made, &contact, authority];
    paragraphs.map(|paragraph| format!("{}\n", paragraph.trim_end())).join("\n")
}

/// Returns the known gaps as a list. The list is empty if there are none.
fn gaps(words: &Words, report: &Report) -> String {
    let kinds = [
        (Rule::MissingTranscript, "accessibility_transcripts"),
        (Rule::MissingCaptions, "accessibility_captions"),
        (Rule::AltText, "accessibility_pictures"),
    ];
    let mut list = String::new();
    for (rule, key) in kinds {
        let found = report.iter().filter(|one| one.rule == Some(rule)).count();
        if found > 0 {
            let count = words.number(found as u64);
            let line = words.fill_placeholders(key, &[("count", &count)]);
            list.push_str(&format!("- {line}\n"));
        }
    }
    list
}
