//! The commands of README, and of the Pages that go on from it, run as they stand by someone who has the program and
//! nothing else.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

use crate::support::media_fixture;

const README: &str = include_str!("../../README.md");
const COMMAND_LINE: &str = include_str!("../../content/pages/command-line.md");
const CONTENT_API: &str = include_str!("../../content/pages/content-api.md");
const WAREHOUSE: &str = include_str!("../../content/pages/warehouse.md");

/// The code blocks of a document's section: their language and their text.
fn blocks(document: &'static str, heading: &str) -> Vec<(&'static str, &'static str)> {
    let (_, section) = document
        .split_once(&format!("\n## {heading}\n"))
        .unwrap_or_else(|| panic!("there is no section {heading:?}"));
    let section = section.split("\n## ").next().unwrap();
    let mut fences = section.split("```");
    let mut blocks = Vec::new();
    while let (Some(_), Some(block)) = (fences.next(), fences.next()) {
        blocks.push(block.split_once('\n').unwrap());
    }
    blocks
}

/// The blocks of a language, in their order.
fn blocks_in_language(language: &str, document: &'static str, heading: &str) -> Vec<&'static str> {
    blocks(document, heading)
        .into_iter()
        .filter(|(of, _)| *of == language)
        .map(|(_, text)| text)
        .collect()
}

/// Runs commands as a person types them, and answers what they print. Any that fails is an error.
fn run_script(home: &Path, script: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_feedwright"));
    let path =
        format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let done = Command::new("bash")
        .args(["-euo", "pipefail", "-c", script])
        .current_dir(home)
        .env("HOME", home)
        .env("PATH", path)
        .env_remove("SOURCE_DATE_EPOCH")
        .output()
        .unwrap();
    let printed_text = String::from_utf8_lossy(&done.stdout).into_owned();
    let wrong = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{script}\n--- printed\n{printed_text}\n--- said\n{wrong}");
    assert!(!wrong.contains("error:"), "{script}\n--- said\n{wrong}");
    printed_text
}

#[test]
fn readme_is_short() {
    let words = README.split_whitespace().count();
    assert!(words <= 700, "{words} words");
}

/// A block without the lines that build the program or wait for Ctrl+C.
fn runnable_lines(block: &str) -> String {
    let lines = block
        .lines()
        .filter(|line| !line.starts_with("cargo build") && !line.starts_with("feedwright serve"));
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn the_readme_tour_runs_unchanged() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let tour = blocks_in_language("sh", README, "Five minutes");
    let [start, again] = tour.as_slice() else {
        panic!("the tour has {} blocks of commands", tour.len())
    };
    assert!(start.contains("feedwright serve"));
    run_script(home, &runnable_lines(start));

    let site = home.join("walks");
    let [episode] = blocks_in_language("toml", README, "Five minutes")[..] else {
        panic!("the tour shows one file")
    };
    let items = site.join("content/items");
    fs::write(items.join("harbour-walk.md"), episode).unwrap();
    fs::copy(media_fixture("cbr-info.mp3"), items.join("walk.mp3")).unwrap();
    fs::write(items.join("walk.vtt"), "WEBVTT\n\n00:00.000 --> 00:01.000\nThe ferry.\n").unwrap();
    fs::write(items.join("chapters.txt"), "00:00 Quay\n").unwrap();
    let [around] = blocks_in_language("sh", COMMAND_LINE, "A look around")[..] else {
        panic!("one block looks around")
    };
    let commands = format!("{}{around}cat public/rss.xml", runnable_lines(again));
    let printed = run_script(&site, &commands);
    assert!(printed.contains("Harbour walk: https://"), "{printed}");
    assert!(printed.contains("walk.mp3"), "{printed}");
    assert!(printed.contains("<podcast:chapters"), "{printed}");
    assert!(printed.contains("role=\"guest\""), "{printed}");
}

#[test]
fn the_api_tour_runs_unchanged() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).unwrap().port();
    let [api] = blocks_in_language("sh", CONTENT_API, "A tour")[..] else {
        panic!("the API's tour is one block")
    };
    let (_, warehouse) = WAREHOUSE.split_once("```sh\n").unwrap();
    let (warehouse, _) = warehouse.split_once("```").unwrap();
    let serve = format!(
        "feedwright init walks && cd walks && git init --quiet && git add --all
git -c user.name=Ada -c user.email=ada@walks.example commit --quiet --message Start
feedwright serve --addr 127.0.0.1:{port} 2>serve.txt & trap 'kill $!' EXIT
until grep --quiet Serving serve.txt; do sleep 0.05; done
"
    );
    let commands = format!("{api}\ncat content/items/low-tide.md\n{warehouse}");
    // A person would look at what is answered: an error is one though curl ends well.
    let commands = commands
        .replace("127.0.0.1:8080", &format!("127.0.0.1:{port}"))
        .replace("curl ", "curl --fail-with-body ");
    let printed = run_script(home, &format!("{serve}{commands}"));
    let (journal, item) = printed.split_once("+++\n").expect(&printed);
    for written in ["createItem", "updateItem", "createPage", "createSiteFile", "updateChannel"] {
        assert!(journal.contains(written), "{written} is not in {journal}");
    }
    // The file is as the diff below the commands shows it.
    let [diff] = blocks_in_language("diff", CONTENT_API, "A tour")[..] else {
        panic!("the API shows one difference")
    };
    for line in diff.lines().filter(|line| line.starts_with('+') && !line.contains("+++")) {
        let key = line[1..].split(" = ").next().unwrap();
        assert!(item.contains(&format!("{key} = ")), "{key} is not in {item}");
    }
    assert!(item.contains("title = \"Ebb tide\""), "{item}");
}
