use super::*;
use project::Options;

fn live(root: &Path) -> Arc<Live> {
    std::fs::create_dir_all(root.join("content/items")).unwrap();
    std::fs::write(root.join("site.toml"), "base_url = \"https://example.com\"\n").unwrap();
    Arc::new(Live::read(Options::new(root)).unwrap())
}

/// Waits until the site has this many items.
fn wait_for_items(live: &Live, count: usize) {
    let start = Instant::now();
    while live.now().site.snapshot.entries.len() != count {
        assert!(start.elapsed() < Duration::from_secs(20), "{count} items");
        thread::sleep(Duration::from_millis(5));
    }
}

fn changes_are_detected(method: WatchMethod) {
    let folder = tempfile::tempdir().unwrap();
    let live = live(folder.path());
    let watch = Watch::start(Arc::clone(&live), method);
    let file = folder.path().join("content/items/a.md");
    std::fs::write(&file, "+++\ntitle = \"A\"\n+++\n").unwrap();
    wait_for_items(&live, 1);
    std::fs::remove_file(&file).unwrap();
    wait_for_items(&live, 0);
    drop(watch);
}

#[test]
fn a_site_whose_folder_is_missing_stays_visible() {
    let folder = tempfile::tempdir().unwrap();
    let (site, aside) = (folder.path().join("site"), folder.path().join("aside"));
    let live = live(&site);
    let write = |root: &Path, name: &str| {
        let file = root.join("content/items").join(name);
        std::fs::write(file, "+++\ntitle = \"A\"\n+++\n").unwrap();
    };
    let items = || live.newest().site.snapshot.entries.len();
    write(&site, "a.md");
    live.touch_all();
    assert_eq!(items(), 1);
    for (shown, name) in [(1, "b.md"), (2, "c.md")] {
        std::fs::rename(&site, &aside).unwrap();
        live.touch_all();
        assert_eq!(items(), shown);
        write(&aside, name);
        std::fs::rename(&aside, &site).unwrap();
        // No event reports that the site is back.
        assert_eq!(items(), shown + 1);
    }
    std::fs::rename(&site, &aside).unwrap();
    live.touch_all();
    assert_eq!(items(), 3);
    std::fs::rename(&aside, &site).unwrap();
    assert_eq!(items(), 3);
}

#[test]
fn files_are_followed_by_events() {
    changes_are_detected(WatchMethod::Events);
}

#[test]
fn files_are_followed_by_polling() {
    changes_are_detected(WatchMethod::Polling);
}

/// Checks that changes to a file outside the site's own folders are detected. An item refers to the
/// file, which is first missing and then created.
fn changes_outside_are_detected(method: WatchMethod) {
    let folder = tempfile::tempdir().unwrap();
    let live = live(folder.path());
    std::fs::create_dir_all(folder.path().join("art")).unwrap();
    let item = "+++\ntitle = \"A\"\nimage = \"../../art/a.svg\"\n+++\n";
    std::fs::write(folder.path().join("content/items/a.md"), item).unwrap();
    let _watch = Watch::start(Arc::clone(&live), method);
    wait_for_items(&live, 1);
    let media = || live.now().site.snapshot.media.len();
    assert_eq!(media(), 0);
    std::fs::write(folder.path().join("art/a.svg"), "<svg/>").unwrap();
    let start = Instant::now();
    while media() == 0 {
        assert!(start.elapsed() < Duration::from_secs(20));
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn files_outside_the_site_s_folders_are_followed_by_events() {
    changes_outside_are_detected(WatchMethod::Events);
}

#[test]
fn files_outside_the_site_s_folders_are_followed_by_polling() {
    changes_outside_are_detected(WatchMethod::Polling);
}

#[test]
fn a_scheduled_item_is_published_on_time() {
    let folder = tempfile::tempdir().unwrap();
    let live = live(folder.path());
    let _watch = Watch::start(Arc::clone(&live), WatchMethod::Events);
    let soon = Timestamp::now() + Duration::from_millis(1500);
    let text = format!("+++\ntitle = \"A\"\ndate_published = {soon}\n+++\n");
    std::fs::write(folder.path().join("content/items/a.md"), text).unwrap();
    wait_for_items(&live, 1);
    let start = Instant::now();
    while live.now().site.snapshot.published.is_empty() {
        assert!(start.elapsed() < Duration::from_secs(20));
        thread::sleep(Duration::from_millis(5));
    }
    assert!(Timestamp::now() >= soon);
}
