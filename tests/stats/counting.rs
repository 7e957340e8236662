//! What counts and what does not.

use super::{Audience, MINUTE, TestRequest, ask, audience, log, podcast};

const ONE: &str = "/media/one.mp3";
const DAY: i64 = 86_400;

/// The times of the downloads, in seconds after the start.
#[track_caller]
fn download_times(asks: &[TestRequest]) -> Vec<i64> {
    let audience = audience();
    audience.import("access.log", log(asks)).unwrap();
    audience.downloads().iter().map(|told| told.at).collect()
}

#[test]
fn a_listener_downloads_an_episode_once_in_24_hours() {
    assert_eq!(download_times(&[ask(10, ONE), ask(11, ONE), ask(10 + DAY - 1, ONE)]), [10]);
    assert_eq!(download_times(&[ask(10, ONE), ask(10 + DAY, ONE)]), [10, 10 + DAY]);
    // Midnight parts nothing, and the hours run from what counted, not from what came last.
    assert_eq!(
        download_times(&[
            ask(DAY - 5, ONE),
            ask(DAY + 5, ONE),
            ask(2 * DAY - 5, ONE),
            ask(2 * DAY + 5, ONE)
        ]),
        [DAY - 5, 2 * DAY - 5]
    );
    // A log need not be in order.
    assert_eq!(download_times(&[ask(500, ONE), ask(10, ONE)]), [10]);
}

#[test]
fn address_and_user_agent_identify_a_listener() {
    let asks = [
        ask(0, ONE),
        ask(1, ONE).from("192.0.2.8"),
        ask(2, ONE).agent("AntennaPod/3.4.0"),
        ask(3, ONE).from("2001:db8::1"),
        ask(4, ONE).from("2001:0db8:0::77"),
    ];
    assert_eq!(download_times(&asks), [0, 1, 2, 3]);
}

#[test]
fn only_bytes_sent_for_get_requests_count() {
    let request = |request: &str| TestRequest { request: request.into(), ..ask(0, ONE) };
    for none in [
        request("HEAD /media/one.mp3 HTTP/1.1"),
        request("POST /media/one.mp3 HTTP/1.1"),
        request("GET /media/other.mp3 HTTP/1.1"),
        ask(0, ONE).status(304),
        ask(0, ONE).status(404),
        ask(0, ONE).status(301),
        ask(0, ONE).status(416),
        ask(0, ONE).agent("-"),
        ask(0, ONE).agent(""),
        ask(0, ONE)
            .agent("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"),
        ask(0, ONE).agent("curl/8.5.0"),
        ask(0, ONE).agent("atc/1.0 watchOS/10.5 model/Watch6,2"),
    ] {
        assert_eq!(download_times(std::slice::from_ref(&none)), [0; 0], "{none:?}");
    }
    for one in [
        ask(0, ONE).status(206),
        request("GET /show/media/one.mp3?source=feed HTTP/2.0"),
        request("get https://example.com/show/media/one%2Emp3 HTTP/1.0"),
    ] {
        assert_eq!(download_times(std::slice::from_ref(&one)), [0], "{one:?}");
    }
}

#[test]
fn a_download_needs_one_minute_of_audio() {
    // A player that looks whether the file is there, and one that reads the beginning alone.
    assert_eq!(download_times(&[ask(0, ONE).status(206).bytes(2)]), [0; 0]);
    assert_eq!(download_times(&[ask(0, ONE).bytes(MINUTE - 1)]), [0; 0]);
    assert_eq!(download_times(&[ask(0, ONE).bytes(MINUTE)]), [0]);
    // Parts add up, within 24 hours.
    let part = |at| ask(at, ONE).status(206).bytes(MINUTE / 3);
    assert_eq!(download_times(&[part(0), part(100), part(200)]), [200]);
    assert_eq!(download_times(&[part(0), part(100), part(DAY)]), [0; 0]);
    assert_eq!(download_times(&[part(0), part(100), part(DAY - 1)]), [DAY - 1]);
    assert_eq!(download_times(&[part(0), part(DAY), part(DAY + 1), part(DAY + 2)]), [DAY + 2]);
    // What belongs to a download makes no other.
    assert_eq!(
        download_times(&[
            part(0),
            part(1),
            part(2),
            part(3),
            part(DAY + 1),
            part(DAY + 2),
            part(DAY + 3),
            part(DAY + 4)
        ]),
        [2, DAY + 4]
    );
    // Parts of two listeners do not.
    assert_eq!(download_times(&[part(0), part(1), part(2).from("192.0.2.8")]), [0; 0]);
}

#[test]
fn a_file_without_duration_needs_a_minute_at_64_kbit() {
    let two = |bytes| ask(0, "/two%20b.mp3").bytes(bytes);
    assert_eq!(download_times(&[two(479_999)]), [0; 0]);
    assert_eq!(download_times(&[two(480_000)]), [0]);
}

#[test]
fn all_files_of_an_episode_count_together() {
    let asks = [ask(0, ONE), ask(1, "/one.opus").bytes(300_000), ask(2, "/old/one.mp3")];
    assert_eq!(download_times(&asks), [0]);
    assert_eq!(download_times(&asks[1..]), [1]);
    assert_eq!(download_times(&asks[2..]), [2]);
    // Parts of two files are not a minute of either.
    let halves = [ask(0, ONE).bytes(MINUTE / 2), ask(1, "/one.opus").bytes(150_000)];
    assert_eq!(download_times(&halves), [0; 0]);
}

#[test]
fn a_download_has_the_bytes_and_the_app_of_its_listener() {
    let audience = audience();
    let part = |at| ask(at, ONE).status(206).bytes(400_000);
    let asks = [part(0), part(50), part(60), part(DAY), ask(5, "/two%20b.mp3")];
    audience.import("access.log", log(&asks)).unwrap();
    let told = audience.downloads();
    assert_eq!(told.len(), 2);
    assert_eq!((told[0].item.as_str(), told[0].path.as_str()), ("two", "/two b.mp3"));
    assert_eq!((told[1].at, told[1].app, told[1].bytes), (50, "Overcast", 1_600_000));
}

#[test]
fn figures_follow_changes_of_the_site() {
    let asks = [ask(0, "/media/three.mp3"), ask(1, ONE), ask(2, "/media/picture.jpg")];
    let audience = audience();
    let done = audience.import("access.log", log(&asks)).unwrap();
    assert_eq!((done.kept, done.skipped), (2, 1));
    assert_eq!(audience.downloads().len(), 1);
    // An episode whose file was asked for before there was an item of it, and one that is gone.
    audience.site.write(
        "content/items/three.md",
        "+++\nid = \"three\"\ntitle = \"Three\"\nattachment = \"https://example.com/show/media/three.mp3\"\n+++\n",
    );
    audience.site.remove("content/items/one.md");
    audience.site.remove("content/redirects.toml");
    let audience = Audience::of(audience.site);
    let items: Vec<String> = audience.downloads().into_iter().map(|told| told.item).collect();
    assert_eq!(items, ["three"]);
}

#[test]
fn a_draft_keeps_its_downloads() {
    let site = podcast();
    let one = site.read("content/items/one.md");
    site.write("content/items/one.md", one.replacen("+++\n", "+++\nstatus = \"unpublished\"\n", 1));
    let audience = Audience::of(site);
    audience.import("access.log", log(&[ask(0, ONE)])).unwrap();
    assert_eq!(audience.downloads().len(), 1);
}
