//! `feedwright stats` as a person and as a script see it.

use std::io::Write;
use std::process::Stdio;

use serde_json::Value;

use super::{Audience, TestRequest, ask, log, podcast};
use crate::support::program::{self, CommandOutput};
use crate::support::small_site::SmallSite;

const ONE: &str = "/media/one.mp3";
const TWO: &str = "/two%20b.mp3";
const DAY: i64 = 86_400;

fn feedwright(site: &SmallSite, arguments: &[&str]) -> CommandOutput {
    program::run(program::command().args(arguments).current_dir(site.root()).env("COLUMNS", "60"))
}

#[track_caller]
fn run(site: &SmallSite, arguments: &[&str]) -> (String, String) {
    let ran = feedwright(site, arguments).ok();
    (ran.out, ran.err)
}

#[track_caller]
fn expect_failure(site: &SmallSite, arguments: &[&str], code: i32) -> String {
    let ran = feedwright(site, arguments);
    assert_eq!(ran.code, Some(code), "{arguments:?}: {}", ran.err);
    ran.err
}

/// Three downloads of `one` (days 0, 2 and 40), one of `two` (day 2), and what counts nothing.
fn site_with_downloads() -> SmallSite {
    let asks = [
        ask(10, ONE),
        ask(20, ONE).status(206).bytes(2),
        ask(2 * DAY, ONE),
        ask(2 * DAY + 5, TWO).agent("AntennaPod/3.4.0").from("192.0.2.9"),
        ask(2 * DAY + 6, "/index.html"),
        ask(40 * DAY, ONE),
        ask(40 * DAY, ONE).agent("curl/8.5.0"),
    ];
    let site = podcast().with("access.log", format!("{}not a line\n", log(&asks)));
    let (out, said) = run(&site, &["stats", "import", "access.log"]);
    assert_eq!(out, "");
    assert_eq!(
        said,
        "access.log: 8 lines, 6 requests for media, 1 for other files, 1 invalid\n  line 8: the [time] is missing\n"
    );
    site
}

fn json(site: &SmallSite, arguments: &[&str]) -> Value {
    let (out, _) = run(site, &[&["stats", "--json"], arguments].concat());
    serde_json::from_str(&out).unwrap()
}

fn names(report: &Value) -> Vec<(String, u64)> {
    let lines = report["lines"].as_array().unwrap().iter();
    lines
        .map(|line| {
            (line["name"].as_str().unwrap().to_owned(), line["downloads"].as_u64().unwrap())
        })
        .collect()
}

fn expected_names(pairs: &[(&str, u64)]) -> Vec<(String, u64)> {
    pairs.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
}

#[test]
fn the_report_is_a_table_and_a_plot() {
    let site = site_with_downloads();
    let (out, said) = run(&site, &["stats"]);
    let table = "EPISODE  DOWNLOADS  7 DAYS  30 DAYS   SHARE\n\
                 One              3       2        2  75.0 %\n\
                 Two              1       1        1  25.0 %\n\n";
    assert_eq!(&out[..table.len()], table);
    let plot: Vec<&str> = out.split_once("\n\n").unwrap().1.lines().collect();
    assert_eq!(plot.len(), 9);
    assert!(plot[0].starts_with("2 | "), "{plot:?}");
    assert!(plot[8].contains("2026-11-01") && plot[8].contains("2026-12-11"), "{plot:?}");
    assert!(plot.iter().all(|line| line.is_ascii() && line.len() <= 60), "{plot:?}");
    assert_eq!(said, "4 downloads; days are in UTC\n");
}

#[test]
fn figures_are_grouped_by_the_argument() {
    let site = site_with_downloads();
    let all = json(&site, &[]);
    assert_eq!(all["downloads"], 4);
    assert_eq!(all["lines"][0]["item_id"], "one");
    assert_eq!(all["lines"][0]["first_7_days"], 2);
    assert_eq!(all["lines"][0]["first_30_days"], 2);
    assert_eq!(all["lines"][0]["share"], 0.75);
    assert_eq!(names(&all), expected_names(&[("One", 3), ("Two", 1)]));
    let by = |by: &str| names(&json(&site, &["--by", by, "--to", "2026-11-30"]));
    assert_eq!(
        by("day"),
        expected_names(&[("2026-11-01", 1), ("2026-11-02", 0), ("2026-11-03", 2)])
    );
    assert_eq!(by("week"), expected_names(&[("2026-10-26", 1), ("2026-11-02", 2)]));
    assert_eq!(by("month"), expected_names(&[("2026-11-01", 3)]));
    assert_eq!(by("app"), expected_names(&[("Overcast", 2), ("AntennaPod", 1)]));
    assert_eq!(by("device"), expected_names(&[("phone", 3)]));
    assert_eq!(names(&json(&site, &["--item", "two"])), expected_names(&[("Two", 1)]));
    let span = json(&site, &["--from", "2026-11-03", "--to", "2026-12-11"]);
    assert_eq!((&span["from"], &span["downloads"]), (&"2026-11-03".into(), &3.into()));
    // What an episode had in its first days does not depend on the days that are asked for.
    assert_eq!(span["lines"][0]["first_7_days"], 2);
    let (csv, _) = run(&site, &["stats", "--csv"]);
    assert_eq!(
        csv,
        "name,downloads,item_id,first_7_days,first_30_days\nOne,3,one,2,2\nTwo,1,two,1,1\n"
    );
    let (csv, _) = run(&site, &["stats", "--csv", "--by", "app"]);
    assert_eq!(csv, "name,downloads\nOvercast,3\nAntennaPod,1\n");
    let (out, said) = run(&site, &["stats", "--last", "1"]);
    assert_eq!((out.as_str(), said.as_str()), ("", "There are no downloads in this period\n"));
}

#[test]
fn a_report_can_have_the_downloads_of_one_show() {
    let site = site_with_downloads();
    let two = site.read("content/items/two.md");
    let site = site.with("shows/second/items/two.md", two).without("content/items/two.md");
    assert_eq!(names(&json(&site, &[])), expected_names(&[("One", 3), ("Two", 1)]));
    assert_eq!(names(&json(&site, &["--show", "second"])), expected_names(&[("Two", 1)]));
    let wrong = expect_failure(&site, &["stats", "--show", "third"], 2);
    assert!(wrong.contains("the shows are second"), "{wrong}");
}

#[test]
fn a_site_without_logs_explains_how_to_import_one() {
    let site = podcast();
    let (out, said) = run(&site, &["stats"]);
    assert_eq!(out, "");
    assert!(said.contains("feedwright stats import access.log"), "{said}");
    assert_eq!(json(&site, &[])["downloads"], 0);
    assert_eq!(run(&site, &["stats", "--csv"]).0, "name,downloads\n");
}

#[test]
fn invalid_arguments_are_errors_with_help() {
    let site = site_with_downloads();
    assert!(
        expect_failure(&site, &["stats", "--from", "2026-12-01", "--to", "2026-11-01"], 2)
            .contains("after")
    );
    assert!(expect_failure(&site, &["stats", "--item", "three"], 2).contains("three"));
    expect_failure(&site, &["stats", "--from", "yesterday"], 2);
    expect_failure(&site, &["stats", "--last", "3", "--from", "2026-11-01"], 2);
    expect_failure(&site, &["stats", "--last", "0"], 2);
    expect_failure(&site, &["stats", "import"], 2);
    assert!(
        expect_failure(&site, &["stats", "import", "--format", "xml", "access.log"], 2)
            .contains("combined")
    );
    assert!(expect_failure(&site, &["stats", "import", "missing.log"], 1).contains("missing.log"));
    assert!(expect_failure(&site, &["stats", "import", "content"], 1).contains("folder"));
}

#[test]
fn an_invalid_log_does_not_prevent_reading_others() {
    let asks: Vec<TestRequest> = (0..3).map(|at| ask(at * DAY, ONE)).collect();
    let site = podcast().with("good.log", log(&asks)).with("bad.log", "this\nis\nno log\n");
    let said = expect_failure(&site, &["stats", "import", "bad.log", "good.log"], 1);
    assert!(said.contains("3 of 3 lines") && said.contains("good.log: 3 lines"), "{said}");
    let output = feedwright(&site, &["stats", "import", "--json", "bad.log", "good.log"]);
    assert_eq!(output.code, Some(1));
    let report: Value = serde_json::from_str(&output.out).unwrap();
    assert_eq!((&report[0]["ok"], &report[1]["ok"]), (&false.into(), &true.into()));
    assert_eq!((&report[1]["lines"], &report[1]["known_lines"]), (&0.into(), &3.into()));
    let (_, said) = run(&site, &["stats", "import", "good.log"]);
    assert_eq!(said, "good.log: nothing new, it was already imported\n");
    assert_eq!(json(&site, &[])["downloads"], 3);
}

#[test]
fn a_killed_import_leaves_nothing_and_can_be_repeated() {
    let asks: Vec<TestRequest> =
        (0..20_000).map(|at| ask(at, ONE).from(&format!("2001:db8:0:{at:x}::1"))).collect();
    let text = log(&asks);
    let site = podcast().with("access.log", &text);
    let mut child = program::command()
        .args(["stats", "import", "-"])
        .current_dir(site.root())
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(&text.as_bytes()[..text.len() - 100]).unwrap();
    // It has read all but what a pipe holds, and is not at the end.
    child.kill().unwrap();
    child.wait().unwrap();
    let audience = Audience::of(site);
    assert_eq!(audience.requests(), []);
    let (_, said) = run(&audience.site, &["stats", "import", "access.log"]);
    assert!(said.starts_with("access.log: 20000 lines, 20000 requests for media"), "{said}");
    assert_eq!(audience.downloads().len(), 20_000);
    // It is known on standard input, too.
    let mut child = program::command()
        .args(["stats", "import", "-"])
        .current_dir(audience.site.root())
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let said = child.wait_with_output().unwrap().stderr;
    assert_eq!(String::from_utf8(said).unwrap(), "-: nothing new, it was already imported\n");
}
