//! Named pipes, sockets and devices among the files of a site: each is an error, and none is waited for.

use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::support::program;
use crate::support::small_site::{SmallSite, site};
use crate::support::wait;

fn make_pipe(path: &Path) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let made = Command::new("mkfifo").arg(path).status().unwrap();
    assert!(made.success());
}

/// Waits for a command that must end: its exit code and standard error.
fn wait_for_exit(mut child: Child) -> (Option<i32>, String) {
    if !wait::within(wait::MAX_WAIT, || child.try_wait().unwrap().is_some()) {
        child.kill().unwrap();
        child.wait().unwrap();
        return (None, "it waits for ever".to_owned());
    }
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), told)
}

fn run(site: &SmallSite, arguments: &[&str]) -> (Option<i32>, String) {
    let child = program::command()
        .current_dir(site.root())
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn();
    wait_for_exit(child.unwrap())
}

fn with_theme() -> SmallSite {
    site()
        .with("site.toml", "base_url = \"https://example.com\"\ntheme = \"mine\"\n")
        .with("themes/mine/theme.json", "{}")
}

#[test]
fn a_special_file_among_the_sources_is_an_error() {
    let places = [
        "content/items/pipe.md", "content/items/deep/er/pipe.jpg", "content/pages/pipe.html",
        "content/calendars/walks/pipe.md", "content/calendars/walks/calendar.toml",
        "content/media/pipe.mp3", "content/channel.md", "content/redirects.toml",
        "content/media.json", "content/pipe", "site-files/pipe.txt", "themes/mine/pipe.css",
    ];
    for place in places {
        for kind in ["pipe", "socket", "linked pipe", "linked device"] {
            let is_theme = place.starts_with("themes/");
            if is_theme && kind.starts_with("linked") {
                continue;
            }
            let site = if is_theme { with_theme() } else { site() };
            let path = site.path(place);
            if site.exists(place) {
                site.remove(place);
            }
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            let _kept = match kind {
                "pipe" => {
                    make_pipe(&path);
                    None
                }
                "socket" => Some(UnixListener::bind(&path).unwrap()),
                "linked pipe" => {
                    make_pipe(&site.path("elsewhere/pipe"));
                    std::os::unix::fs::symlink(site.path("elsewhere/pipe"), &path).unwrap();
                    None
                }
                _ => {
                    std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
                    None
                }
            };
            for command in ["build", "check"] {
                let (code, told) = run(&site, &[command]);
                assert_eq!(code, Some(1), "{command}, {kind} at {place}: {told}");
                assert!(told.contains(place), "{command}, {kind} at {place}: {told}");
            }
        }
    }
}

#[test]
fn a_named_or_imported_special_file_does_not_block() {
    let site = site().item("+++\ntitle = \"A\"\nimage = \"../../elsewhere/pipe.jpg\"\n+++\n");
    make_pipe(&site.path("elsewhere/pipe.jpg"));
    let (code, told) = run(&site, &["build"]);
    assert_eq!(code, Some(1), "{told}");
    make_pipe(&site.path("elsewhere/feed.xml"));
    for arguments in
        [&["import", "elsewhere/feed.xml"][..], &["check", "--against", "elsewhere/feed.xml"]]
    {
        let (code, told) = run(&site, arguments);
        assert!(code.is_some_and(|code| code != 0), "{arguments:?}: {told}");
    }
}

#[test]
fn local_state_is_private_to_its_owner() {
    let mode = |site: &SmallSite| {
        let facts = std::fs::metadata(site.path(".feedwright")).unwrap();
        facts.permissions().mode() & 0o777
    };
    let own = site();
    own.built();
    assert_eq!(mode(&own), 0o700);
    let open =
        || std::fs::set_permissions(own.path(".feedwright"), PermissionsExt::from_mode(0o755));
    open().unwrap();
    own.built();
    assert_eq!(mode(&own), 0o700);
    open().unwrap();
    assert_eq!(run(&own, &["check"]).0, Some(0));
    assert_eq!(mode(&own), 0o700);
}

#[test]
fn a_named_pipe_as_log_does_not_block() {
    let site = site();
    make_pipe(&site.path("logs/access.log"));
    let (code, told) = run(&site, &["stats", "import", "logs/access.log"]);
    assert!(code.is_some_and(|code| code != 0), "{told}");
    assert!(told.contains("standard input"), "{told}");
}

#[test]
fn named_pipes_in_state_or_deployed_files_do_not_block() {
    let site = site().item("+++\ntitle = \"A\"\n+++\n```rust\nfn a() {}\n```\n");
    let deploy = ["deploy", "--to", "folder:out"];
    let (code, told) = run(&site, &deploy);
    assert_eq!(code, Some(0), "{told}");
    let local = std::fs::read_dir(site.path(".feedwright")).unwrap();
    let files: Vec<_> = local
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.file_type().unwrap().is_file())
        .map(|entry| entry.path())
        .collect();
    assert!(files.len() > 4, "{files:?}");
    for file in files {
        for command in [&["build"][..], &["check"], &["search", "a"]] {
            std::fs::remove_file(&file).ok();
            make_pipe(&file);
            let (code, told) = run(&site, command);
            assert!(code.is_some(), "{command:?}, {}: {told}", file.display());
        }
    }
    let record = site.path("out/.feedwright-deploy.json");
    std::fs::remove_file(&record).unwrap();
    make_pipe(&record);
    let (code, told) = run(&site, &deploy);
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("named pipe"), "{told}");
}
