//! Durable writes, the trash and names for new files.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use feedwright::edit::{Replaced, create, free_name, remove_to_trash, replace, replace_if, sweep};
use feedwright::model::SitePath;

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn path(text: &str) -> SitePath {
    SitePath::parse(text).unwrap()
}

#[test]
fn a_file_is_replaced_only_if_it_is_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.md");
    fs::write(&file, "one").unwrap();
    assert_eq!(replace_if(&file, b"one", b"two").unwrap(), Replaced::Done);
    assert_eq!(replace_if(&file, b"one", b"three").unwrap(), Replaced::Changed);
    assert_eq!(fs::read(&file).unwrap(), b"two");
    fs::remove_file(&file).unwrap();
    assert_eq!(replace_if(&file, b"two", b"three").unwrap(), Replaced::Changed);
    assert_eq!(files(folder.path()), [""; 0]);
}

#[test]
fn concurrent_writers_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = Arc::new(folder.path().join("list"));
    fs::write(&*file, "").unwrap();
    let writers = 8;
    let each = 12;
    let threads = (0..writers).map(|writer| {
        let file = Arc::clone(&file);
        std::thread::spawn(move || {
            for line in 0..each {
                loop {
                    let old = fs::read(&*file).unwrap();
                    let new = [&old[..], format!("{writer} {line}\n").as_bytes()].concat();
                    if replace_if(&file, &old, &new).unwrap() == Replaced::Done {
                        break;
                    }
                }
            }
        })
    });
    for thread in threads.collect::<Vec<_>>() {
        thread.join().unwrap();
    }
    let text = fs::read_to_string(&*file).unwrap();
    let mut lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), writers * each);
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(lines.len(), writers * each);
    assert_eq!(files(folder.path()), ["list"]);
}

/// An editor that saves by renaming, at any moment: its last save stays, or was read before it was replaced.
#[test]
fn an_external_save_is_never_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let file = Arc::new(folder.path().join("a.md"));
    fs::write(&*file, "0 author").unwrap();
    let author = {
        let (file, temporary) = (Arc::clone(&file), folder.path().join("saving"));
        std::thread::spawn(move || {
            for save in 1..=300 {
                fs::write(&temporary, format!("{save} author")).unwrap();
                fs::rename(&temporary, &*file).unwrap();
            }
        })
    };
    let mut seen = String::new();
    while !author.is_finished() {
        let old = fs::read_to_string(&*file).unwrap();
        let save = old.split(' ').next().unwrap().to_owned();
        if replace_if(&file, old.as_bytes(), format!("{save} api").as_bytes()).unwrap()
            == Replaced::Done
        {
            seen = save;
        }
    }
    author.join().unwrap();
    let text = fs::read_to_string(&*file).unwrap();
    assert!(text == "300 author" || text == "300 api" && seen == "300", "{text}");
}

#[cfg(unix)]
#[test]
fn permissions_are_kept_and_link_targets_replaced() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let (file, link) = (folder.path().join("a.md"), folder.path().join("link.md"));
    fs::write(&file, "one").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("a.md", &link).unwrap();
    assert_eq!(replace_if(&link, b"one", b"two").unwrap(), Replaced::Done);
    replace(&link, b"three").unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(&file).unwrap(), b"three");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn temporary_files_of_a_crash_are_deleted_after_an_hour() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fs::create_dir_all(root.join("content/items")).unwrap();
    fs::create_dir_all(root.join("other")).unwrap();
    fs::create_dir_all(root.join("shows/tides/items")).unwrap();
    fs::create_dir_all(root.join(".github/workflows")).unwrap();
    let long_ago = SystemTime::now() - Duration::from_secs(7200);
    for (name, old) in [
        ("content/items/.a.md.7-1.feedwright-new", true),
        ("content/items/.b.md.7-2.feedwright-new", false),
        ("content/items/a.feedwright-new", true),
        ("shows/tides/items/.a.md.7-5.feedwright-new", true),
        (".github/workflows/.publish.yml.7-6.feedwright-new", true),
        (".site.toml.7-3.feedwright-new", true),
        ("other/.a.7-4.feedwright-new", true),
    ] {
        fs::write(root.join(name), "x").unwrap();
        if old {
            let file = fs::File::options().write(true).open(root.join(name)).unwrap();
            file.set_modified(long_ago).unwrap();
        }
    }
    assert_eq!(sweep(root), 4);
    assert_eq!(
        files(&root.join("content/items")),
        [".b.md.7-2.feedwright-new", "a.feedwright-new"]
    );
    assert_eq!(files(root), [".github", "content", "other", "shows"]);
    assert_eq!(files(&root.join("other")), [".a.7-4.feedwright-new"]);
}

#[test]
fn deleted_files_go_to_the_trash_and_media_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let now = "2026-11-20T09:30:00.25Z".parse().unwrap();
    let trash = ".feedwright/trash/2026-11-20T09-30-00.250Z";
    for name in [
        "content/items/a/index.md", "content/items/a/x.mp3", "content/items/2026/b/index.md",
        "content/items/c.md", "content/pages/d.md",
    ] {
        fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
        fs::write(root.join(name), name).unwrap();
    }
    for name in [
        "content/items/a/index.md", "content/items/2026/b/index.md", "content/items/c.md",
        "content/pages/d.md",
    ] {
        let trashed = remove_to_trash(root, &path(name), now).unwrap();
        assert_eq!(trashed.as_str(), format!("{trash}/{name}"));
        assert_eq!(fs::read_to_string(trashed.on_disk(root)).unwrap(), name);
    }
    assert_eq!(files(&root.join("content/items/a")), ["x.mp3"]);
    assert_eq!(files(&root.join("content/items")), ["a"]);
    assert_eq!(files(&root.join("content")), ["items", "pages"]);

    fs::write(root.join("content/items/c.md"), "again").unwrap();
    let again = remove_to_trash(root, &path("content/items/c.md"), now).unwrap();
    assert_eq!(again.as_str(), format!("{trash}-2/content/items/c.md"));
    let missing = remove_to_trash(root, &path("content/items/c.md"), now).unwrap_err();
    assert_eq!(missing.kind(), std::io::ErrorKind::NotFound);
}

#[test]
fn a_free_name_differs_in_case_and_unicode_form() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let items = path("content/items");
    let free =
        |stem: &str, extension: &str| free_name(root, &items, stem, extension).unwrap().to_string();
    assert_eq!(free("a", "md"), "content/items/a.md");
    fs::create_dir_all(root.join("content/items/folder")).unwrap();
    for name in ["A.md", "a-2.MD", "u\u{308}.md", "ß.md"] {
        fs::write(root.join("content/items").join(name), "").unwrap();
    }
    assert_eq!(free("a", "md"), "content/items/a-3.md");
    assert_eq!(free("\u{fc}", "md"), "content/items/\u{fc}-2.md");
    assert_eq!(free("U\u{308}", "md"), "content/items/\u{dc}-2.md");
    assert_eq!(free("Folder", ""), "content/items/Folder-2");
    assert_eq!(free("../x/y\0", "mp3"), "content/items/x-y.mp3");
    assert_eq!(free("..", "md"), "content/items/untitled.md");
    let long = free(&"日".repeat(200), "md");
    assert!(long.len() < 220 && long.ends_with("日.md"));
    fs::write(root.join(&long), "").unwrap();
    assert!(free(&"日".repeat(200), "md").ends_with("日-2.md"));
}

#[test]
fn a_new_file_is_atomic_and_never_replaces_another() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a/b/new.md");
    create(&file, b"one").unwrap();
    let taken = create(&file, b"two").unwrap_err();
    assert_eq!(taken.kind(), std::io::ErrorKind::AlreadyExists);
    assert_eq!(fs::read(&file).unwrap(), b"one");
    assert_eq!(files(file.parent().unwrap()), ["new.md"]);

    let large = vec![b'x'; 1 << 20];
    for number in 0..20 {
        let file = folder.path().join(format!("{number}.md"));
        let reader = {
            let file = file.clone();
            std::thread::spawn(move || {
                loop {
                    if let Ok(bytes) = fs::read(&file) {
                        return bytes.len();
                    }
                }
            })
        };
        create(&file, &large).unwrap();
        assert_eq!(reader.join().unwrap(), large.len());
    }
}

/// In a container every process has the same number.
#[test]
fn temporary_files_of_a_crash_block_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.md");
    fs::write(&file, "0").unwrap();
    for number in 0..2000 {
        let process = std::process::id();
        let left = format!(".a.md.{process}-{number}.feedwright-new");
        fs::write(folder.path().join(left), "").unwrap();
    }
    for number in 0..9_u8 {
        let (old, new) = ([b'0' + number], [b'1' + number]);
        assert_eq!(replace_if(&file, &old, &new).unwrap(), Replaced::Done);
    }
    assert_eq!(files(folder.path()).len(), 2001);
}

/// A program that saves by renaming while the file is deleted: its last save is in the trash or stays.
#[test]
fn a_save_during_a_deletion_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().to_path_buf();
    fs::create_dir_all(root.join("content/items")).unwrap();
    let author = {
        let root = root.clone();
        std::thread::spawn(move || {
            for save in 0..200 {
                fs::write(root.join("saving"), save.to_string()).unwrap();
                fs::rename(root.join("saving"), root.join("content/items/a.md")).unwrap();
                std::thread::yield_now();
            }
        })
    };
    let mut last = 0;
    loop {
        let over = author.is_finished();
        let now = jiff::Timestamp::now();
        match remove_to_trash(&root, &path("content/items/a.md"), now) {
            Ok(trashed) => {
                let save = fs::read_to_string(trashed.on_disk(&root)).unwrap();
                last = last.max(save.parse::<u32>().unwrap());
            }
            Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::NotFound),
        }
        if over {
            break;
        }
    }
    author.join().unwrap();
    assert_eq!(last, 199);
}
