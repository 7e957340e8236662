//! `deploy` over a stand-in of ssh that runs what it is asked on this machine: rsync, and the SFTP server of OpenSSH.
//! Tests whose program is missing are skipped, except in CI.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;

use crate::support::needs::{has, missing};
use crate::support::program;
use crate::support::small_site::{SmallSite, site, tree};

const RECORD: &str = ".feedwright-deploy.json";

/// Drops the options and the host. `as_nobody` runs the rest as a user who is not root.
const FAKE_SSH: &str = r#"#!/bin/sh
while [ $# -gt 0 ]; do
  case $1 in
    -o|-p|-l) shift 2 ;;
    -s) subsystem=1; shift ;;
    -*) shift ;;
    *) break ;;
  esac
done
shift
test -z "$subsystem" || set -- SERVER
test -z "AS_NOBODY" || test "$(id -u)" != 0 || exec setpriv --reuid=65534 --regid=65534 --clear-groups sh -c "$*"
exec sh -c "$*"
"#;

/// A site and the place that it is deployed to.
struct DeployedSite {
    site: SmallSite,
    out: tempfile::TempDir,
}

impl DeployedSite {
    fn new(to: &str) -> Self {
        let out = tempfile::tempdir().unwrap();
        fs::set_permissions(out.path(), fs::Permissions::from_mode(0o777)).unwrap();
        let www = out.path().join("www");
        fs::create_dir(&www).unwrap();
        fs::set_permissions(&www, fs::Permissions::from_mode(0o777)).unwrap();
        let config = format!(
            "base_url = \"https://walks.example\"\n[deploy]\nkeep_days = 0\nto = \"{to}:ada@walks.example:{}\"\n",
            www.display()
        );
        let site = site().with("site.toml", config);
        site.write("content/media/sound.mp3", "sound");
        Self { site, out }
    }

    fn www(&self) -> PathBuf {
        self.out.path().join("www")
    }

    fn run(&self, server: &str, as_nobody: bool) -> Output {
        let ssh = self.out.path().join("ssh");
        let text = FAKE_SSH.replace("SERVER", &format!("'{server}'"));
        let text = text.replace("AS_NOBODY", if as_nobody { "yes" } else { "" });
        fs::write(&ssh, text).unwrap();
        fs::set_permissions(&ssh, fs::Permissions::from_mode(0o755)).unwrap();
        program::command()
            .args(["deploy", "--json", "--site"])
            .arg(self.site.root())
            .env("FEEDWRIGHT_SSH", &ssh)
            .output()
            .unwrap()
    }

    fn deploy(&self, server: &str) -> Value {
        parse_report(&self.run(server, false))
    }

    /// What a deploy that is refused says.
    fn deploy_error(&self, server: &str) -> String {
        let output = self.run(server, false);
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(1), "{told}");
        told
    }

    /// All that was built is there.
    fn is_complete(&self) -> bool {
        let mut built = tree(&self.site.path("public")).into_iter();
        built.all(|(path, bytes)| fs::read(self.www().join(path)).is_ok_and(|there| there == bytes))
    }
}

fn parse_report(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_str(&text).unwrap()
}

fn sftp_server() -> Option<String> {
    let places = ["/usr/lib/openssh", "/usr/lib/ssh", "/usr/libexec/openssh", "/usr/libexec"];
    let mut found = places.iter().map(|place| format!("{place}/sftp-server"));
    let found = found.find(|path| Path::new(path).exists());
    if found.is_none() {
        missing("sftp-server");
    }
    found
}

#[test]
fn rsync_does_not_replace_links_or_foreign_files() {
    if !has("rsync") {
        return;
    }
    let deploys = DeployedSite::new("rsync");
    let (www, disk) = (deploys.www(), deploys.out.path().join("disk"));
    fs::create_dir(&disk).unwrap();
    symlink(&disk, www.join("media")).unwrap();
    let told = deploys.deploy_error("");
    assert!(told.contains("media at the destination is a symlink to"), "{told}");
    assert!(www.join("media").is_symlink());
    fs::remove_file(www.join("media")).unwrap();
    fs::write(www.join("media"), "mine").unwrap();
    let told = deploys.deploy_error("");
    assert!(
        told.contains("media/sound.mp3 cannot be uploaded: media at the destination"),
        "{told}"
    );
    assert_eq!(fs::read_to_string(www.join("media")).unwrap(), "mine");
    fs::remove_file(www.join("media")).unwrap();
    deploys.deploy("");
    assert!(deploys.is_complete());
    // What a deploy put there gives way.
    fs::remove_file(deploys.site.path("content/media/sound.mp3")).unwrap();
    deploys.site.write("content/media/sound.mp3/a.mp3", "sound");
    deploys.deploy("");
    assert!(deploys.is_complete());
}

/// Names mean themselves and no others, and folders go with their last file.
#[test]
fn rsync_deletes_only_deployed_files() {
    if !has("rsync") {
        return;
    }
    let deploys = DeployedSite::new("rsync");
    let ours = ["a*.mp3", "[b].mp3", "deep/c?.mp3", "alone/inner/d.mp3"];
    let theirs = ["ab.mp3", "b.mp3", "deep/cd.mp3"];
    let (site, media) = (&deploys.site, deploys.www().join("media"));
    for name in ours {
        site.write(&format!("content/media/{name}"), "sound");
    }
    deploys.deploy("");
    assert!(deploys.is_complete());
    for name in theirs {
        fs::write(media.join(name), "mine").unwrap();
    }
    for name in ours {
        fs::remove_file(site.path(&format!("content/media/{name}"))).unwrap();
    }
    deploys.deploy("");
    let there: Vec<String> = tree(&media).into_keys().collect();
    let mut wanted = [&theirs[..], &["sound.mp3"]].concat();
    wanted.sort_unstable();
    assert_eq!(there, wanted);
    assert!(!media.join("alone").exists());
}

#[test]
fn sftp_follows_links_without_loops() {
    let Some(server) = sftp_server() else {
        return;
    };
    let deploys = DeployedSite::new("sftp");
    let (www, disk) = (deploys.www(), deploys.out.path().join("disk"));
    fs::create_dir_all(disk.join("deep")).unwrap();
    symlink(&disk, www.join("media")).unwrap();
    symlink(&www, disk.join("deep/back")).unwrap();
    symlink("nowhere", www.join("broken")).unwrap();
    deploys.deploy(&server);
    assert!(deploys.is_complete());
    assert_eq!(fs::read_to_string(disk.join("sound.mp3")).unwrap(), "sound");
    let again = deploys.deploy(&server);
    assert_eq!((&again["sent"], &again["others"]), (&0.into(), &0.into()));
}

#[test]
fn an_sftp_server_without_atomic_rename_loses_no_files() {
    let Some(server) = sftp_server() else {
        return;
    };
    let server = format!("{server} -P posix-rename");
    let deploys = DeployedSite::new("sftp");
    deploys.deploy(&server);
    deploys.site.write("content/media/sound.mp3", "another");
    let second = deploys.deploy(&server);
    assert!(second["sent"].as_u64().unwrap() > 0, "{second}");
    assert!(deploys.is_complete());
    // Killed when the record had no name.
    let record = deploys.www().join(RECORD);
    let left = deploys.www().join(format!("{RECORD}.feedwright-new"));
    fs::rename(&record, &left).unwrap();
    let again = deploys.deploy(&server);
    assert_eq!((&again["sent"], &again["others"]), (&0.into(), &0.into()));
    assert!(record.exists() && !left.exists());
    // Killed while it was written.
    fs::remove_file(&record).unwrap();
    fs::write(&left, "{\"version\":1,\"fi").unwrap();
    let again = deploys.deploy(&server);
    assert_eq!(again["sent"], again["files"]);
    assert!(deploys.is_complete() && !left.exists());
}

#[test]
fn an_unreadable_foreign_folder_is_skipped() {
    let mut kinds = Vec::new();
    kinds.extend(has("rsync").then(|| ("rsync", String::new())));
    kinds.extend(sftp_server().map(|server| ("sftp", server)));
    for (kind, server) in kinds {
        let deploys = DeployedSite::new(kind);
        let lost = deploys.www().join("lost+found");
        fs::create_dir(&lost).unwrap();
        fs::write(lost.join("a"), "").unwrap();
        fs::set_permissions(&lost, fs::Permissions::from_mode(0o000)).unwrap();
        parse_report(&deploys.run(&server, true));
        let again = parse_report(&deploys.run(&server, true));
        assert_eq!(again["sent"], 0, "{kind}");
        // Only the place itself has to be readable.
        let www = deploys.www();
        fs::set_permissions(&www, fs::Permissions::from_mode(0o311)).unwrap();
        deploys.site.write("content/media/sound.mp3", "another");
        let output = deploys.run(&server, true);
        fs::set_permissions(&www, fs::Permissions::from_mode(0o777)).unwrap();
        fs::set_permissions(&lost, fs::Permissions::from_mode(0o700)).unwrap();
        assert!(!output.status.success(), "{kind}");
    }
}

#[test]
fn an_sftp_refusal_is_reported_as_such() {
    let Some(server) = sftp_server() else {
        return;
    };
    let deploys = DeployedSite::new("sftp");
    // To this server, a folder in the way is what a full disk is: a failure.
    fs::create_dir_all(deploys.www().join("index.html/mine")).unwrap();
    let start = std::time::Instant::now();
    let told = deploys.deploy_error(&server);
    assert!(told.contains("index.html") && told.contains("free disk space"), "{told}");
    assert!(!told.contains("online"), "{told}");
    assert!(start.elapsed().as_secs() < 8, "it is not tried again");
    assert!(deploys.www().join("index.html/mine").is_dir());
}

#[test]
fn an_outdated_rsync_is_reported() {
    if !has("rsync") {
        return;
    }
    let deploys = DeployedSite::new("rsync");
    let old = deploys.out.path().join("rsync");
    fs::write(&old, "#!/bin/sh\necho 'rsync: --mkpath: unknown option' >&2\nexit 1\n").unwrap();
    fs::set_permissions(&old, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", deploys.out.path().display(), std::env::var("PATH").unwrap());
    let output = program::command()
        .args(["deploy", "--json", "--site"])
        .arg(deploys.site.root())
        .env("PATH", path)
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(told.contains("3.2.3 or later"), "{told}");
}

#[test]
fn a_recording_may_have_any_name() {
    let names = ["#1.mp3", ";2.mp3", "-r.mp3", " a  b.mp3", "ü'\"$(x)*.mp3", "a -> b.mp3"];
    let mut kinds = Vec::new();
    kinds.extend(has("rsync").then(|| ("rsync", String::new())));
    kinds.extend(sftp_server().map(|server| ("sftp", server)));
    for (kind, server) in kinds {
        let deploys = DeployedSite::new(kind);
        let (site, media) = (&deploys.site, deploys.out.path().join("recordings"));
        let own = format!(
            "[deploy.media]\nto = \"{kind}:ada@walks.example:{}\"\n[media]\nbase_url = \"https://media.example\"\n",
            media.display()
        );
        site.write("site.toml", site.read("site.toml") + &own);
        for name in names {
            site.write(&format!("content/media/{name}"), "sound");
        }
        let wanted = tree(&site.path("content/media"));
        for _ in 0..2 {
            deploys.deploy(&server);
            let mut there = tree(&media);
            there.remove(RECORD);
            assert!(there == wanted, "{kind}: {:?}", there.keys());
        }
        for name in names {
            fs::remove_file(site.path(&format!("content/media/{name}"))).unwrap();
        }
        deploys.deploy(&server);
        let there: Vec<String> = tree(&media).into_keys().collect();
        assert_eq!(there, [RECORD, "sound.mp3"], "{kind}");
    }
}
