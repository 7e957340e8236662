//! `init --ci`: the workflows of forges.

use std::fs;
use std::path::Path;
use std::process::Command;

use saphyr::{LoadableYamlNode, Yaml};

use crate::support::program::{self, CommandOutput};
use crate::support::small_site::{SmallSite, site};

const FORGES: [(&str, &str); 3] = [
    ("github", ".github/workflows/publish.yml"),
    ("gitlab", ".gitlab-ci.yml"),
    ("forgejo", ".forgejo/workflows/publish.yml"),
];

const DESTINATIONS: [&str; 6] = [
    "", "folder:/srv/www/walks", "git:origin#pages", "s3://walks",
    "rsync:ada@host.example:/srv/www", "sftp:ada@host.example:/srv/www",
];

fn init(folder: &Path, forge: &str) -> CommandOutput {
    program::run(program::command().args(["init", "--ci", forge]).arg(folder))
}

fn site_with_destination(place: &str) -> SmallSite {
    let table = match place {
        "" => String::new(),
        place => format!("[deploy]\nto = {place:?}\n"),
    };
    site().with("site.toml", format!("base_url = \"https://walks.example\"\n{table}"))
}

/// What the workflow runs, one line after the other.
fn commands(yaml: &Yaml<'_>) -> String {
    let mut found = String::new();
    if let Some(list) = yaml.as_vec() {
        for one in list {
            match one.as_str() {
                Some(command) => found.push_str(command),
                None => found.push_str(&commands(one)),
            }
            found.push('\n');
        }
    }
    if let Some(table) = yaml.as_mapping() {
        for (key, value) in table {
            match (key.as_str(), value.as_str()) {
                (Some("run"), Some(command)) => found.push_str(command),
                _ => found.push_str(&commands(value)),
            }
            found.push('\n');
        }
    }
    found
}

#[test]
fn each_forge_has_a_workflow_for_each_destination() {
    for (forge, file) in FORGES {
        for place in DESTINATIONS {
            let site = site_with_destination(place);
            let before = site.read("site.toml");
            let output = init(site.root(), forge);
            assert!(output.code == Some(0), "{}", output.err);
            let text = site.read(file);
            let parsed = Yaml::load_from_str(&text)
                .unwrap_or_else(|error| panic!("{forge} {place}: {error}\n{text}"));
            assert_eq!(parsed.len(), 1);
            let run = commands(&parsed[0]);
            assert!(
                run.contains("pip install \"${FEEDWRIGHT_WHEEL:?")
                    && run.contains("feedwright check"),
                "{text}"
            );
            let publishes = match (forge, place) {
                ("gitlab", "") => "feedwright build",
                ("github", "") => "feedwright deploy --to git:origin#gh-pages",
                _ => "feedwright deploy",
            };
            assert!(run.contains(publishes), "{text}");
            let left = [
                "{install}", "{deploy}", "{ssh}", "{env}", "{site}", "{branch}", "{job}",
                "{secrets}",
            ];
            assert!(left.iter().all(|name| !text.contains(name)), "{text}");
            let secret = match place.split(':').next() {
                Some("s3") => Some("AWS_SECRET_ACCESS_KEY"),
                Some("rsync" | "sftp") => Some("SSH_KNOWN_HOSTS"),
                _ => None,
            };
            assert!(secret.is_none_or(|name| text.contains(name)), "{text}");
            assert!(!text.contains("shows"), "the site has none: {text}");
            assert!(text.contains("17 * * * *"), "it says when items that wait appear: {text}");
            assert_eq!(site.read("site.toml"), before, "the site stays as it is");
        }
    }
}

#[test]
fn an_existing_workflow_is_kept() {
    let site = site().with(".gitlab-ci.yml", "mine: true\n");
    let output = init(site.root(), "gitlab");
    assert_eq!(output.code, Some(2));
    assert!(output.err.contains("already exists"));
    assert_eq!(site.read(".gitlab-ci.yml"), "mine: true\n");
}

#[test]
fn the_workflow_of_a_nested_site_is_at_the_repository_root() {
    let repository = tempfile::tempdir().unwrap();
    let git = Command::new("git")
        .args(["init", "--quiet", "--initial-branch", "trunk"])
        .arg(repository.path())
        .status();
    assert!(git.unwrap().success());
    let folder = repository.path().join("docs/site");
    let output = init(&folder, "github");
    assert!(output.code == Some(0), "{}", output.err);
    assert!(folder.join("content/channel.md").is_file(), "a new site is made");
    let text = fs::read_to_string(repository.path().join(".github/workflows/publish.yml")).unwrap();
    let parsed = Yaml::load_from_str(&text).unwrap();
    let job = &parsed[0]["jobs"]["publish"];
    assert_eq!(job["defaults"]["run"]["working-directory"].as_str(), Some("docs/site"));
    assert_eq!(parsed[0]["on"]["push"]["branches"][0].as_str(), Some("trunk"));
    assert!(text.contains("path: docs/site/.feedwright"), "{text}");
}

/// Runs the commands of the workflow that call feedwright, and stops at the first failure.
fn run_workflow(site: &SmallSite, file: &str) -> CommandOutput {
    let text = site.read(file);
    let lines = commands(&Yaml::load_from_str(&text).unwrap()[0]);
    let own: Vec<&str> = lines.lines().filter(|line| line.starts_with("feedwright ")).collect();
    let program = Path::new(env!("CARGO_BIN_EXE_feedwright")).parent().unwrap();
    let path = std::env::var("PATH").unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-e", "-c", &own.join("\n")]).current_dir(site.root());
    program::run(shell.env("PATH", format!("{}:{path}", program.display())))
}

#[test]
#[cfg(unix)]
fn the_workflow_deploys_shows_that_are_added_later() {
    for (forge, file) in FORGES {
        let out = tempfile::tempdir().unwrap();
        let folder = |name: &str| format!("folder:{}", out.path().join(name).display());
        let settings = |name: &str| {
            format!("base_url = \"https://{name}.example\"\n[deploy]\nto = \"{}\"\n", folder(name))
        };
        let site = site().with("site.toml", settings("harbour"));
        let site = site.with("shows/tides/channel.md", "+++\ntitle = \"Tides\"\n+++\n");
        assert_eq!(init(site.root(), forge).code, Some(0));
        run_workflow(&site, file).ok();
        assert!(out.path().join("harbour/index.html").exists());
        site.write("shows/walks/channel.md", "+++\ntitle = \"Walks\"\n+++\n");
        site.write("shows/walks/show.toml", settings("walks"));
        run_workflow(&site, file).ok();
        assert!(out.path().join("walks/index.html").exists(), "{forge}");
        // The destination of the site comes first: it can have the media of all shows.
        let text = site.read(file);
        let at = |words: &str| text.find(words).unwrap_or_else(|| panic!("{words}: {text}"));
        assert!(at("feedwright deploy\n") < at("feedwright deploy --all-shows\n"));
    }
}

#[test]
fn a_workflow_has_the_keys_of_all_shows() {
    let of_show = |name: &str, deploy: &str| {
        format!("base_url = \"https://{name}.example\"\n[deploy]\n{deploy}\n")
    };
    for (forge, file) in FORGES {
        let site = site_with_destination("")
            .with("shows/walks/channel.md", "+++\ntitle = \"Walks\"\n+++\n")
            .with("shows/walks/show.toml", of_show("walks", "to = \"netlify:walks\""))
            .with("shows/tides/channel.md", "+++\ntitle = \"Tides\"\n+++\n")
            .with("shows/tides/show.toml", of_show("tides", "to = \"rsync:ada@host.example:/srv\"\n[deploy.notify]\npodping = \"https://podping.example/?url={url}\"\npodping_token_env = \"PODPING_TOKEN\""));
        let said = init(site.root(), forge).ok().err;
        let text = site.read(file);
        assert!(text.contains("feedwright deploy --all-shows\n"), "{text}");
        for key in ["NETLIFY_AUTH_TOKEN", "PODPING_TOKEN", "SSH_KEY"] {
            assert!(text.contains(key) && said.contains(key), "{key}: {said}\n{text}");
        }
        Yaml::load_from_str(&text).unwrap();
    }
}
