//! Colours of messages, and where there are none.

use std::process::Command;

use crate::support::program;
use crate::support::small_site::{SmallSite, feedwright, site};

const ESCAPE: char = '\u{1b}';

/// A site with an error, so that `check` has a message to colour.
fn site_with_error() -> SmallSite {
    site().item("+++\ntitle = \"a\"\nimage = \"missing.jpg\"\n+++\nText.\n")
}

/// Standard error and output of `check` through pipes, with these variables alone.
fn run_check(site: &SmallSite, arguments: &[&str], variables: &[(&str, &str)]) -> (String, String) {
    let mut command = program::command();
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI", "TERM"] {
        command.env_remove(name);
    }
    let command = command.current_dir(site.root()).args(arguments);
    let ran = program::run(command.envs(variables.iter().copied()));
    (ran.err, ran.out)
}

#[test]
fn messages_are_coloured_on_request() {
    let site = site_with_error();
    for (arguments, variables, is_coloured) in [
        // A pipe.
        (&[][..], &[][..], false),
        (&[], &[("TERM", "xterm-256color")], false),
        (&["--color", "always"], &[], true),
        (&["--color", "always"], &[("NO_COLOR", "1"), ("CI", "true")], true),
        (&["--color", "never"], &[("CLICOLOR_FORCE", "1")], false),
        (&["--color", "auto"], &[("CLICOLOR_FORCE", "1")], true),
        (&[], &[("CLICOLOR_FORCE", "1"), ("CI", "true")], true),
        (&[], &[("CLICOLOR_FORCE", "0")], false),
        (&[], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false),
        // An empty variable asks for nothing (no-color.org).
        (&[], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "")], true),
        (&[], &[("NO_COLOR", "1")], false),
    ] {
        let (told, _) = run_check(&site, &[&["check"], arguments].concat(), variables);
        assert!(told.contains("missing.jpg"), "{told}");
        assert_eq!(told.contains(ESCAPE), is_coloured, "{arguments:?} {variables:?}: {told}");
    }
}

#[test]
fn colours_do_not_change_the_text_of_a_message() {
    let site = site_with_error();
    let (plain, _) = run_check(&site, &["check"], &[]);
    let (coloured, _) = run_check(&site, &["check", "--color", "always"], &[]);
    let mut parts = coloured.split(ESCAPE);
    let mut text = parts.next().unwrap().to_owned();
    for part in parts {
        text.push_str(part.split_once('m').unwrap().1);
    }
    assert_eq!(text, plain);
    assert!(coloured.contains("\u{1b}[1;31merror\u{1b}[0m"), "{coloured}");
}

#[test]
fn machine_readable_output_is_never_coloured() {
    let site = site_with_error();
    let (_, out) = run_check(&site, &["check", "--json", "--color", "always"], &[]);
    assert!(out.contains("missing.jpg") && !out.contains(ESCAPE), "{out}");
}

/// `script` (util-linux) gives the program a terminal.
#[cfg(target_os = "linux")]
#[test]
fn terminals_have_colours_unless_disabled() {
    let site = site_with_error();
    let program = env!("CARGO_BIN_EXE_feedwright");
    for (variables, is_coloured) in [
        ("TERM=xterm", true),
        ("TERM=dumb", false),
        ("TERM=xterm NO_COLOR=1", false),
        ("TERM=xterm CI=true", false),
    ] {
        let line = format!("env -u CI -u NO_COLOR -u CLICOLOR_FORCE {variables} '{program}' check");
        let output = Command::new("script")
            .args(["-qec", &line, "/dev/null"])
            .current_dir(site.root())
            .output()
            .expect("script of util-linux");
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(told.contains("missing.jpg"), "{told}");
        assert_eq!(told.contains("\u{1b}[1;31m"), is_coloured, "{variables}: {told}");
    }
}

/// A partial that many slots and partials include, with a slip in it.
#[test]
fn an_invalid_partial_is_reported_once() {
    for slip in ["{{#open}}never closed", "{{/close}}", "{{name", "{{> }}"] {
        let slots = ["feed", "item", "page", "search", "start", "end"];
        let themed = crate::content::errors::site_with_theme();
        let manifest = themed.read("themes/mine/theme.json");
        let manifest = manifest.replace("\"assets\"", "\"partials\": \"parts\",\n  \"assets\"");
        let site = slots.into_iter().fold(themed, |site, slot| {
            site.with(&format!("themes/mine/{slot}.html"), "{{> card}}{{> list}}")
        });
        let site = site
            .with("themes/mine/theme.json", manifest)
            .with("themes/mine/parts/list.html", "<p>{{> card}}{{> card}}")
            .with("themes/mine/parts/card.html", format!("<p>\n{slip}\n"))
            .item("+++\ntitle = \"a\"\n+++\nText.\n");
        for command in [
            &["check"][..],
            &["build"],
            &["theme", "validate", "themes/mine"],
            &["theme", "test", "mine"],
        ] {
            let (code, out, err) = feedwright(&site, command);
            let told = format!("{out}\n{err}");
            assert_ne!(code, 0, "{slip} {command:?}: {told}");
            assert_eq!(told.matches("error: ").count(), 1, "{slip} {command:?}: {told}");
            assert!(told.contains("parts/card.html:2:"), "{slip} {command:?}: {told}");
        }
    }
}
