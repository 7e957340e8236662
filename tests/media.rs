//! Files and addresses that items name as their media.

use crate::support::Site;

#[cfg(unix)]
#[test]
fn a_file_whose_name_reads_like_a_url_is_a_file() {
    let output = Site::empty()
        .write("content/items/part1: intro.txt", "four")
        .write(
            "content/items/a.md",
            "+++\nattachment = \"part1: intro.txt\"\n+++\n",
        )
        .build();
    let rss = output.text("rss.xml");
    let url = "https://example.com/media/items/part1:%20intro.txt";
    assert!(
        rss.contains(&format!("<enclosure url=\"{url}\" length=\"4\"")),
        "{rss}"
    );
}

#[test]
fn an_address_elsewhere_is_one_that_readers_can_fetch() {
    let output = Site::empty()
        .write(
            "content/items/a.md",
            "+++\nattachment = \"https://cdn.example/a b ü.mp3\"\n+++\n",
        )
        .build();
    let rss = output.text("rss.xml");
    assert!(
        rss.contains("<enclosure url=\"https://cdn.example/a%20b%20%C3%BC.mp3\""),
        "{rss}"
    );
}
