//! Media of an imported feed are downloaded, with the feed or later.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::thread;

use crate::import::command::{files, import, notes, ok, rss, run};
use crate::import::hidden_entries::wordpress;
use crate::support::media_fixture;
use crate::support::small_site::bare;

/// A server of files: those that break off give a part at first.
fn media_server() -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://127.0.0.1:{}", listener.local_addr().unwrap().port());
    let asked = Arc::new(AtomicUsize::new(0));
    let (counted, feed_base) = (Arc::clone(&asked), base.clone());
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (counted, base) = (Arc::clone(&counted), feed_base.clone());
            thread::spawn(move || {
                let mut stream = stream;
                let (mut request, mut part) = (String::new(), [0; 4096]);
                while !request.contains("\r\n\r\n") {
                    let count = stream.read(&mut part).unwrap_or(0);
                    if count == 0 {
                        return;
                    }
                    request += &String::from_utf8_lossy(&part[..count]);
                }
                if request.starts_with("GET /stall.mp3") {
                    let head =
                        "HTTP/1.1 200 OK\r\ncontent-type: audio/mpeg\r\ncontent-length: 9\r\n\r\n";
                    let _ = stream.write_all(head.as_bytes());
                    // Until the client is gone.
                    let _ = stream.read(&mut part);
                    return;
                }
                let count = counted.fetch_add(1, SeqCst);
                let _ = stream.write_all(&answer_media_request(&request, count, &base));
            });
        }
    });
    (base, asked)
}

fn answer_media_request(request: &str, count: usize, base: &str) -> Vec<u8> {
    let path = request.split(' ').nth(1).unwrap();
    let (kind, body) = match path {
        "/feed.xml" => ("application/rss+xml", show_with_media(base).into_bytes()),
        "/one.xml" => ("application/rss+xml", rss("", &format!("<item><title>One</title><guid>g1</guid><enclosure url='{base}/a/tone.mp3?token=1' length='7' \
            type='audio/mpeg'/><podcast:transcript url='{base}/said.vtt'/></item>")).into_bytes()),
        "/stalls.xml" => ("application/rss+xml", rss("", &["stall.mp3", "a/tone.mp3?token=1"].map(|file| format!("<item><title>{}</title><guid>{file}</guid>\
            <enclosure url='{base}/{file}' length='7' type='audio/mpeg'/></item>", if file.contains("stall") { "Stalls" } else { "Two" })).concat()).into_bytes()),
        "/others.xml" => ("application/rss+xml", rss("", &["http://127.0.0.2:9/a.mp3", "http://169.254.169.254/latest/", &format!("{base}/away.mp3")].map(|url| {
            format!("<item><title>One</title><guid>{url}</guid><enclosure url='{url}' length='7' type='audio/mpeg'/></item>")
        }).concat()).into_bytes()),
        "/translated.xml" => ("application/rss+xml", translated_export(base).into_bytes()),
        "/away.mp3" => return b"HTTP/1.1 302 Found\r\nlocation: http://[::ffff:127.0.0.2]:9/a.mp3\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_vec(),
        "/a/tone.mp3?token=1" => ("audio/mpeg", fs::read(media_fixture("chapters.mp3")).unwrap()),
        "/cover.png" | "/b/cover.png" => ("image/png", fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/show/content/media/cover.png")).unwrap()),
        "/said.vtt" => ("text/vtt", b"WEBVTT\n\n00:00.000 --> 00:01.000\nHello.\n".to_vec()),
        "/chapters.json" => ("application/json+chapters", br#"{"version":"1.2.0","chapters":[{"startTime":0,"title":"One"}]}"#.to_vec()),
        "/page.mp3" => ("text/html", b"<p>Sign in</p>".to_vec()),
        "/round.mp3" => return format!("HTTP/1.1 302 Found\r\nlocation: {base}/round.mp3\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").into_bytes(),
        _ => return b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_vec(),
    };
    let range = request.lines().find_map(|line| {
        line.strip_prefix("range: bytes=")?.strip_suffix('-')?.parse::<usize>().ok()
    });
    let from = range.unwrap_or(0);
    let (status, more) = match range {
        Some(from) => (
            "206 Partial Content",
            format!("content-range: bytes {from}-{}/{}\r\n", body.len() - 1, body.len()),
        ),
        None => ("200 OK", String::new()),
    };
    // The first answer that is a recording breaks off.
    let end = if path.contains("tone") && range.is_none() && count < 20 {
        body.len() / 2
    } else {
        body.len()
    };
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\netag: \"1\"\r\n{more}connection: close\r\n\r\n",
        body.len() - from
    );
    [head.as_bytes(), &body[from..end]].concat()
}

fn show_with_media(base: &str) -> String {
    let length = fs::metadata(media_fixture("chapters.mp3")).unwrap().len();
    let channel = format!("<itunes:image href='{base}/cover.png'/>");
    let items = format!(
        "<item><title>One</title><guid>g1</guid><enclosure url='{base}/a/tone.mp3?token=1' length='{length}' type='audio/mpeg'/>\
         <itunes:image href='{base}/cover.png'/><podcast:transcript url='{base}/said.vtt' type='text/vtt'/>\
         <podcast:chapters url='{base}/chapters.json' type='application/json+chapters'/>\
         <content:encoded><![CDATA[<p>Look: <img src='{base}/b/cover.png' alt='A cover'></p>]]></content:encoded></item>\
         <item><title>Two</title><guid>g2</guid><enclosure url='{base}/gone.mp3' length='5' type='audio/mpeg'/></item>\
         <item><title>Three</title><guid>g3</guid><enclosure url='{base}/page.mp3' length='5' type='audio/mpeg'/></item>\
         <item><title>Four</title><guid>g4</guid><enclosure url='{base}/round.mp3' length='5' type='audio/mpeg'/></item>"
    );
    rss(&channel, &items)
}

/// An export of Polylang: a post and its translation, whose pictures have one name.
fn translated_export(base: &str) -> String {
    let post = |id: u32, language: &str, folder: &str| {
        format!(
            "<item><title>Walk</title><link>https://t.example/p{id}/</link><guid>g{id}</guid><content:encoded>\
             <![CDATA[<p><img src='{base}{folder}/cover.png' alt='A cover'></p>]]></content:encoded>\
             <wp:post_id>{id}</wp:post_id><wp:post_name>walk</wp:post_name><wp:status>publish</wp:status>\
             <wp:post_type>post</wp:post_type><category domain='language' nicename='{language}'>L</category>\
             <category domain='post_translations' nicename='pll_1'>pll_1</category></item>"
        )
    };
    let posts = post(1, "en", "") + &post(2, "de", "/b");
    wordpress(&posts).replace("https://tides.example", "https://t.example")
}

#[test]
fn translations_share_a_folder_of_media_and_overwrite_nothing() {
    let (base, _) = media_server();
    let made = bare();
    let site = made.path("site");
    let import = |more: &[&str]| {
        let source = format!("{base}/translated.xml");
        let own = ["import", "wordpress", &source, "--base-url", "https://t.example", "--site"];
        ok(&[&own[..], &[site.to_str().unwrap()], more].concat());
        let names = files(&site.join("content/items")).into_keys();
        names.collect::<Vec<_>>()
    };
    let pictures = ["walk/cover-2.png", "walk/cover.png"];
    let expected = [&pictures[..], &["walk/index.de.md", "walk/index.md"]].concat();
    assert_eq!(import(&["--media"]), expected);
    let [english, german] = ["index.md", "index.de.md"]
        .map(|name| fs::read_to_string(site.join("content/items/walk").join(name)).unwrap());
    assert_ne!(english.contains("](cover.png)"), german.contains("](cover.png)"));
    // Media that are downloaded later go to the same folder.
    fs::remove_dir_all(&site).unwrap();
    assert_eq!(import(&[]), ["walk.de.md", "walk.md"]);
    assert_eq!(import(&["--media"]), ["walk.de.md", "walk.md", pictures[0], pictures[1]]);
    let german = fs::read_to_string(site.join("content/items/walk.de.md")).unwrap();
    assert!(german.contains("](walk/cover"), "{german}");
}

#[test]
fn media_are_downloaded_into_the_item_folder() {
    let (base, asked) = media_server();
    let folder = bare();
    let new = folder.path("new");
    let report = import(
        &format!("{base}/feed.xml"),
        &new,
        &["--media", "--base-url", "https://tides.example"],
    );
    assert_eq!(report["ok"], true, "{report:#}");
    let files = files(&new);
    let names: Vec<&str> =
        files.keys().map(String::as_str).filter(|path| path.starts_with("content/")).collect();
    assert_eq!(
        names,
        [
            "content/channel.md", "content/items/four.md", "content/items/one/chapters.json",
            "content/items/one/cover.png", "content/items/one/index.md",
            "content/items/one/said.vtt", "content/items/one/tone.mp3", "content/items/three.md",
            "content/items/two.md", "content/media/cover.png",
        ]
    );
    let one = &files["content/items/one/index.md"];
    for line in [
        "attachment = \"tone.mp3\"", "![A cover](cover.png)", "image = \"/media/cover.png\"",
        "chapters = \"chapters.json\"",
    ] {
        assert!(one.contains(line), "{line}: {one}");
    }
    assert!(
        files["content/channel.md"].contains("icon = \"/media/cover.png\""),
        "{}",
        files["content/channel.md"]
    );
    // Whatever was downloaded is found where it is named.
    let output = run(&["check", "--site", new.to_str().unwrap()]);
    assert!(!(output.out + &output.err).contains("the site has no such path"));
    let bytes = fs::read(new.join("content/items/one/tone.mp3")).unwrap();
    assert_eq!(bytes, fs::read(media_fixture("chapters.mp3")).unwrap());
    let told = notes(&report).join("\n");
    for words in ["gone.mp3 was not found", "returned a web page", "redirects in a loop"] {
        assert!(told.contains(words), "{words}: {told}");
    }
    ok(&["build", "--site", new.to_str().unwrap()]);
    assert!(!new.join(".feedwright/import").exists(), "no part is left");
    // What is there is not asked for again, but what did not come.
    let before = asked.load(SeqCst);
    let there = self::files(&new);
    let report = import(&format!("{base}/feed.xml"), &new, &["--media"]);
    assert_eq!(asked.load(SeqCst), before + 1 + 3);
    assert_eq!((&report["known"], &report["media"]), (&4.into(), &0.into()));
    assert_eq!(self::files(&new), there);
}

#[test]
fn media_can_be_downloaded_later_if_their_url_is_unchanged() {
    let (base, asked) = media_server();
    let (feed, folder) = (format!("{base}/feed.xml"), bare());
    let new = folder.path("new");
    import(&feed, &new, &["--base-url", "https://tides.example"]);
    // The author edits before the media are wanted: texts, order, notes, a picture of their own.
    let mut one = folder.read("new/content/items/one.md");
    for (before, after) in [
        ("title = \"One\"", "title   = 'One'  # mine"),
        ("Look:", "Look here, see {base}/b/cover.png:"),
    ] {
        one = one.replace(before, &after.replace("{base}", &base));
    }
    fs::create_dir_all(new.join("content/items/mine/one")).unwrap();
    fs::remove_file(new.join("content/items/one.md")).unwrap();
    folder.write("new/content/items/mine/one/index.md", &one);
    let two = folder.read("new/content/items/two.md");
    let two = two.replace(&format!("{base}/gone.mp3"), &format!("{base}/a/tone.mp3?mine"));
    folder.write("new/content/items/two.md", &two);
    let channel = folder.read("new/content/channel.md");
    let report = import(&feed, &new, &["--media"]);
    assert_eq!((&report["items"], &report["known"]), (&0.into(), &4.into()));
    let told = notes(&report).join("\n");
    assert!(
        told.contains(&format!(
            "`attachment.url` was not changed, because it differs from the address in the source: {base}/a/tone.mp3?mine"
        )),
        "{told}"
    );
    assert_eq!(folder.read("new/content/items/two.md"), two);
    // Nothing but addresses changed, and what the recording says itself.
    let mut wanted = one.clone();
    for (before, after) in [
        (format!("\"{base}/a/tone.mp3?token=1\""), "\"tone.mp3\""),
        (format!("\"{base}/cover.png\""), "\"/media/cover.png\""),
        (format!("\"{base}/said.vtt\""), "\"said.vtt\""),
        (format!("\"{base}/chapters.json\""), "\"chapters.json\""),
        (format!("({base}/b/cover.png)"), "(cover.png)"),
    ] {
        assert!(wanted.contains(&before), "{before}: {wanted}");
        wanted = wanted.replace(&before, after);
    }
    let facts =
        |line: &&str| !["mime_type", "size_in_bytes"].iter().any(|key| line.starts_with(key));
    let wanted: Vec<&str> = wanted.lines().filter(facts).collect();
    let came = folder.read("new/content/items/mine/one/index.md");
    assert_eq!(came.lines().collect::<Vec<_>>(), wanted);
    assert_eq!(
        folder.read("new/content/channel.md"),
        channel.replace(&format!("{base}/cover.png"), "/media/cover.png")
    );
    assert_eq!(
        fs::read(new.join("content/items/mine/one/tone.mp3")).unwrap(),
        fs::read(media_fixture("chapters.mp3")).unwrap()
    );
    ok(&["build", "--site", new.to_str().unwrap()]);
    assert!(!new.join(".feedwright/import").exists(), "no part is left");
    // Again nothing changes, and what is there is not asked for.
    let (there, before) = (files(&new), asked.load(SeqCst));
    import(&feed, &new, &["--media"]);
    assert_eq!(files(&new), there);
    assert_eq!(asked.load(SeqCst), before + 1 + 2);
}

#[test]
fn media_of_a_single_file_item_go_to_its_folder() {
    let (base, asked) = media_server();
    let (feed, folder) = (format!("{base}/one.xml"), bare());
    let new = folder.path("new");
    import(&feed, &new, &["--base-url", "https://tides.example"]);
    let one = folder.read("new/content/items/one.md");
    assert!(
        one.contains(&format!("transcripts = [\"{base}/said.vtt\"]")),
        "a transcript without a type is a bare address: {one}"
    );
    // An earlier run was killed right after the recording came.
    folder.write("new/content/items/one/tone.mp3", "123");
    let note = xxhash_rust::xxh3::xxh3_64(format!("{base}/a/tone.mp3?token=1").as_bytes());
    let note = format!("new/.feedwright/import/{note:016x}.put");
    folder.write(&note, "content/items/one/tone.mp3");
    let before = asked.load(SeqCst);
    let report = import(&feed, &new, &["--media"]);
    assert_eq!(asked.load(SeqCst), before + 2, "the feed and the transcript");
    let told = notes(&report).join("\n");
    assert!(told.contains("has 7 bytes, but it has 3"), "{told}");
    let one = folder.read("new/content/items/one.md");
    for line in ["url = \"one/tone.mp3\"", "transcripts = [\"one/said.vtt\"]"] {
        assert!(one.contains(line), "{line}: {one}");
    }
    assert!(!one.contains("size_in_bytes"), "{one}");
    ok(&["build", "--site", new.to_str().unwrap()]);
    assert!(folder.exists("new/public/media/items/one/tone.mp3"));
    assert!(!new.join(".feedwright/import").exists(), "no note is left");
}

#[test]
fn a_transcript_given_as_a_url_is_downloaded() {
    let (base, _) = media_server();
    let folder = bare();
    let new = folder.path("new");
    import(&format!("{base}/one.xml"), &new, &["--media"]);
    let one = folder.read("new/content/items/one/index.md");
    assert!(one.contains("transcripts = [\"said.vtt\"]"), "{one}");
    assert!(folder.exists("new/content/items/one/said.vtt"));
}

#[test]
fn a_stalled_server_affects_only_its_own_file() {
    let (base, _) = media_server();
    let (feed, folder) = (format!("{base}/stalls.xml"), bare());
    let new = folder.path("new");
    let output = run(&[
        "import",
        "rss",
        &feed,
        "--media",
        "--timeout",
        "1",
        "--site",
        new.to_str().unwrap(),
    ]);
    let said = output.err;
    assert_eq!(output.code, Some(0), "{said}");
    let words = format!("a recording was not downloaded: {base}/stall.mp3 timed out after 0 bytes");
    assert!(said.contains(&words), "{said}");
    let stalled = folder.read("new/content/items/stalls.md");
    assert!(stalled.contains("/stall.mp3"), "{stalled}");
    assert!(folder.exists("new/content/items/two/tone.mp3"));
}

#[test]
fn a_local_feed_cannot_reach_other_local_hosts() {
    let (base, _) = media_server();
    let folder = bare();
    let report = import(
        &format!("{base}/others.xml"),
        &folder.path("new"),
        &["--media", "--base-url", "https://tides.example"],
    );
    let refused = "an address of this machine or its network";
    let told = notes(&report);
    let count = told.iter().filter(|note| note.contains(refused)).count();
    assert_eq!(count, 3, "{told:#?}");
}
