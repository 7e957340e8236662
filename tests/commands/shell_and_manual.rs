//! `completions` and `man`: the help that is installed beside the program.

use std::fs;

use crate::support::program::{self, CommandOutput};

fn feedwright(arguments: &[&str]) -> CommandOutput {
    program::run(program::command().args(arguments))
}

fn stdout(arguments: &[&str]) -> String {
    let output = feedwright(arguments);
    assert!(output.code == Some(0), "{arguments:?}");
    output.out
}

/// The commands that `--help` lists.
fn commands() -> Vec<String> {
    let help = stdout(&["--help"]);
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let lines = lines.take_while(|line| !line.is_empty());
    // What a command does may go on in a second line, further in.
    let names = lines.filter(|line| !line.starts_with("   "));
    names.map(|line| line.split_whitespace().next().unwrap().to_owned()).collect()
}

#[test]
fn each_shell_completes_every_command() {
    let commands = commands();
    assert!(commands.len() > 10, "{commands:?}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout(&["completions", shell]);
        for command in &commands {
            assert!(script.contains(command), "{shell}: {command}");
        }
        assert!(script.contains("--site") || script.contains("-l site"), "{shell}");
    }
    let unknown = feedwright(&["completions", "tcsh"]);
    assert_eq!(unknown.code, Some(2));
    assert!(unknown.err.contains("possible values"));
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man/man1");
    assert!(feedwright(&["man", "--out", pages.to_str().unwrap()]).code == Some(0));
    let page =
        |name: &str| fs::read_to_string(pages.join(name)).unwrap_or_else(|_| panic!("no {name}"));
    for command in commands() {
        let text = page(&format!("feedwright-{command}.1"));
        assert!(text.contains(".TH") && text.contains(".SH SYNOPSIS"), "{command}: {text}");
        assert!(text.contains(".SH EXAMPLES\n.EX\nfeedwright "), "{command}: {text}");
    }
    assert!(page("feedwright-theme-new.1").contains("\\-\\-extends"));
    assert_eq!(page("feedwright.1"), stdout(&["man"]));
    // A file where the folder should be.
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    assert_eq!(feedwright(&["man", "--out", file.to_str().unwrap()]).code, Some(2));
}

#[test]
fn the_documentation_lists_every_command() {
    let page = include_str!("../../content/pages/command-line.md");
    for command in commands() {
        assert!(page.contains(&format!("| `{command}")), "{command}");
        assert!(page.contains(&format!("\n## {command}")), "{command}");
    }
}
