//! Uploads: prepared by the API, sent without a key.

use std::thread;

use feedwright::model::{Category, SitePath};
use feedwright::state::Upload;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::support::media_fixture;
use crate::support::served::{Reply, Served, serve};
use crate::support::small_site::site;
use crate::support::wait;

fn served() -> Served {
    serve(site().with(
        "content/items/walk.md",
        "+++\nid = \"walk\"\ntitle = \"Walk\"\nslug = \"a-walk\"\n+++\n",
    ))
}

fn prepare(served: &Served, body: &Value) -> (String, String) {
    let answer = served.post("/media_files/presigned_urls/", body);
    assert_eq!(answer.status, 201, "{}", answer.text());
    let json = answer.json();
    assert_eq!(json.as_object().unwrap().len(), 2);
    let path = |field: &str| {
        let url = json[field].as_str().unwrap();
        url.strip_prefix(served.url.as_str()).unwrap().to_owned()
    };
    (path("presigned_url"), path("media_url"))
}

fn put(served: &Served, path: &str, bytes: &[u8]) -> Reply {
    served.send("PUT", path, &[], bytes)
}

#[test]
fn an_upload_url_works_once_and_the_file_is_served() {
    let served = served();
    let body = json!({ "category": "audio", "full_local_file_path": "/home/ada/My Tape (1).MP3", "item_id": "walk", "size": 5, "type": "audio/mpeg" });
    let (upload, media) = prepare(&served, &body);
    let (name, random) = media.strip_prefix("/media/").unwrap().rsplit_once('-').unwrap();
    assert_eq!(name, "my-tape-1");
    assert!(random.ends_with(".mp3") && random.len() == 12, "{random}");
    assert_eq!(served.get(&media).status, 404);
    let answer = put(&served, &upload, b"12345");
    assert_eq!((answer.status, answer.text().as_str()), (200, "{}"));
    assert_eq!(served.get(&media).body, b"12345");
    assert_eq!(served.site.read(&format!("content{media}")), "12345");
    let entry = served.journal().pop().unwrap();
    assert_eq!((entry.operation.as_str(), entry.subject.as_str()), ("uploadMedia", "walk"));
    assert_eq!(entry.path, Some(format!("content{media}")));
    // Its address is used up.
    put(&served, &upload, b"12345").error(400);
    let item = served
        .put("/items/walk/", &json!({ "attachment": { "url": format!("{}{media}", served.url) } }))
        .ok();
    assert_eq!(item["attachments"][0]["size_in_bytes"], 5);
    assert!(
        served.site.read("content/items/walk.md").contains(&format!("attachment = \"{media}\"\n"))
    );
}

#[test]
fn files_with_the_same_name_do_not_collide() {
    let served = served();
    let body = json!({ "category": "image", "full_local_file_path": "a.png" });
    let all: Vec<_> = (0..5).map(|_| prepare(&served, &body)).collect();
    for (at, (upload, _)) in all.iter().enumerate() {
        put(&served, upload, at.to_string().as_bytes()).ok();
    }
    for (at, (_, media)) in all.iter().enumerate() {
        assert_eq!(served.get(media).text(), at.to_string());
    }
}

#[test]
fn each_category_accepts_its_file_types() {
    let served = served();
    for (category, name, media_type) in [
        ("image", "a.png", "image/png"),
        ("image", "a.JPG", "image/jpg"),
        ("image", "a.svg", "image/svg+xml"),
        ("audio", "a.mp3", "audio/mp3"),
        ("audio", "a.m4a", "audio/x-m4a"),
        ("audio", "a.opus", "audio/opus"),
        ("video", "a.mp4", "video/mp4; codecs=avc1"),
        ("video", "a.webm", "video/webm"),
        ("document", "a.pdf", "application/pdf"),
        ("document", "words.vtt", "text/vtt"),
        ("document", "C:\\Users\\ada\\table.csv", "text/csv"),
    ] {
        for item in ["walk", "a-walk", "any-walk"] {
            let body = json!({ "category": category, "full_local_file_path": name, "item_id": item, "type": media_type });
            prepare(&served, &body);
        }
    }
}

#[test]
fn file_names_cannot_leave_the_media_folder() {
    let served = served();
    for name in [
        "../../site.toml.png",
        "..\\..\\a.png",
        "/etc/.png",
        ".png",
        "....png",
        "a/../b.png",
        "%2e%2e%2fa.png",
        "a\u{202e}gnp.png",
        "日本 語.png",
        &format!("{}/{}.png", "folder".repeat(100), "é".repeat(251)),
        "con.png",
        "a:b.png",
        "a\nb.png",
    ] {
        let (upload, media) =
            prepare(&served, &json!({ "category": "image", "full_local_file_path": name }));
        put(&served, &upload, b"x").ok();
        assert_eq!(served.get(&media).text(), "x", "{name:?} → {media}");
    }
    let files = served.files();
    let media: Vec<_> = files.keys().filter(|path| files[*path] == b"x").collect();
    assert_eq!(media.len(), 13);
    for path in media {
        let name = path.strip_prefix("content/media/").unwrap();
        assert!(!name.contains('/') && !name.starts_with('.') && name.len() < 250, "{path}");
    }
}

#[test]
fn an_invalid_field_is_named() {
    let served = served();
    let before = served.files();
    let base = json!({ "category": "audio", "full_local_file_path": "a.mp3", "item_id": "walk", "size": 1, "type": "audio/mpeg" });
    for (change, field) in [
        (json!({ "category": null }), "category"),
        (json!({ "category": "external_url" }), "category"),
        (json!({ "category": 1 }), "category"),
        (json!({ "category": "video" }), "category"),
        (json!({ "category": "image" }), "category"),
        (json!({ "full_local_file_path": null }), "full_local_file_path"),
        (json!({ "full_local_file_path": "" }), "full_local_file_path"),
        (json!({ "full_local_file_path": "noextension" }), "full_local_file_path"),
        (json!({ "full_local_file_path": "a." }), "full_local_file_path"),
        (json!({ "full_local_file_path": "a.m p3" }), "full_local_file_path"),
        (json!({ "full_local_file_path": "a.mp3/" }), "full_local_file_path"),
        (
            json!({ "full_local_file_path": format!("{}.mp3", "x".repeat(4096)) }),
            "full_local_file_path",
        ),
        (json!({ "item_id": null }), "item_id"),
        (json!({ "item_id": 5 }), "item_id"),
        (json!({ "size": -1 }), "size"),
        (json!({ "size": 1.5 }), "size"),
        (json!({ "size": "1" }), "size"),
        (json!({ "size": 9_007_199_254_740_992_u64 }), "size"),
        (json!({ "type": 1 }), "type"),
        (json!({ "type": "video/mp4" }), "type"),
        (json!({ "type": "" }), "type"),
        (json!({ "type": "x".repeat(256) }), "type"),
    ] {
        let mut body = base.clone();
        body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let error = served.post("/media_files/presigned_urls/", &body).error(400);
        assert!(error.starts_with(&format!("{field}:")), "{change}: {error}");
    }
    for missing in ["category", "full_local_file_path"] {
        let mut body = base.clone();
        body.as_object_mut().unwrap().remove(missing);
        let error = served.post("/media_files/presigned_urls/", &body).error(400);
        assert!(error.contains(&format!("`{missing}`")), "{error}");
    }
    let mut unknown = base.clone();
    unknown["item_id"] = "nobody".into();
    served.post("/media_files/presigned_urls/", &unknown).error(404);
    assert_eq!(served.files(), before);
}

#[test]
fn a_mismatched_upload_is_rejected_and_can_be_retried() {
    let served = served();
    let before = served.files();
    let body = json!({ "category": "audio", "full_local_file_path": "a.mp3", "item_id": "walk", "size": 5 });
    let (upload, media) = prepare(&served, &body);
    for wrong in [b"1234".as_slice(), b"123456", b"", &[0; 1_000_000]] {
        let error = put(&served, &upload, wrong).error(400);
        assert!(error.starts_with("size:"), "{error}");
    }
    // The length may not be said before.
    let address = &served.url[7..];
    for chunks in ["3\r\n123\r\n0\r\n\r\n", "6\r\n123456\r\n0\r\n\r\n"] {
        let request = format!(
            "PUT {upload} HTTP/1.1\r\nHost: {address}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n{chunks}"
        );
        let answer = served.raw(request.as_bytes());
        assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
    }
    for kind in ["video/mp4", "text/html", "nonsense"] {
        let error = served.send("PUT", &upload, &[("content-type", kind)], b"12345").error(400);
        assert!(error.starts_with("Content-Type:"), "{error}");
    }
    assert_eq!(served.files(), before);
    served.send("PUT", &upload, &[("content-type", "audio/mpeg")], b"12345").ok();
    assert_eq!(served.get(&media).status, 200);
}

#[test]
fn an_interrupted_upload_leaves_no_file() {
    let served = served();
    let before = served.files();
    let (upload, media) =
        prepare(&served, &json!({ "category": "image", "full_local_file_path": "a.png" }));
    let address = &served.url[7..];
    {
        use std::io::{Read, Write};
        let mut stream = std::net::TcpStream::connect(address).unwrap();
        write!(
            stream,
            "PUT {upload} HTTP/1.1\r\nHost: {address}\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n"
        )
        .unwrap();
        // It goes on when it reads what is sent: then the upload is under way.
        let mut said = [0; 12];
        stream.read_exact(&mut said).unwrap();
        assert_eq!(&said, b"HTTP/1.1 100");
        write!(stream, "half").unwrap();
        // While one is under way another is refused.
        put(&served, &upload, b"x").error(400);
    }
    wait::within(wait::MAX_WAIT, || served.files() == before);
    assert_eq!(served.files(), before);
    assert_eq!(served.get(&media).status, 404);
    put(&served, &upload, b"whole").ok();
    assert_eq!(served.get(&media).text(), "whole");
}

#[test]
fn concurrent_uploads_to_one_url_store_one_file() {
    let served = served();
    let (upload, media) =
        prepare(&served, &json!({ "category": "image", "full_local_file_path": "a.png" }));
    let statuses: Vec<(u16, String)> = thread::scope(|scope| {
        let threads: Vec<_> = (0..6)
            .map(|at| {
                let (served, upload) = (&served, &upload);
                let text = at.to_string().repeat(100_000);
                scope.spawn(move || (put(served, upload, text.as_bytes()).status, text))
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let taken: Vec<_> = statuses.iter().filter(|(status, _)| *status == 200).collect();
    assert_eq!(taken.len(), 1);
    assert_eq!(served.get(&media).text(), taken[0].1);
}

#[test]
fn an_upload_url_lasts_15_minutes_and_survives_a_restart() {
    let served = served();
    let upload = |name: &str, expires: Timestamp| {
        let upload = Upload {
            path: SitePath::parse(&format!("content/media/{name}")).unwrap(),
            category: Category::Image,
            item_id: None,
            size: None,
            media_type: None,
            expires,
        };
        let earlier = expires - SignedDuration::from_mins(15);
        let token = served.state().prepare_upload(&upload, earlier).unwrap();
        format!("/media-upload/{}", token.expose())
    };
    let second = SignedDuration::from_secs(1);
    let old = upload("old.png", Timestamp::now() - second);
    let young = upload("young.png", Timestamp::now() + second * 60);
    put(&served, &old, b"x").error(400);
    let (prepared, media) =
        prepare(&served, &json!({ "category": "image", "full_local_file_path": "a.png" }));
    let served = served.restarted();
    put(&served, &young, b"y").ok();
    put(&served, &old, b"x").error(400);
    put(&served, &prepared, b"z").ok();
    assert_eq!(served.site.read("content/media/young.png"), "y");
    assert_eq!(served.site.read(&format!("content{media}")), "z");
    assert!(!served.site.exists("content/media/old.png"));
}

#[test]
fn an_invalid_upload_url_is_rejected() {
    let served = served();
    let before = served.files();
    for path in [
        "/media-upload/",
        "/media-upload/x",
        "/media-upload/../site.toml",
        "/media-upload/%2e%2e/x",
        &format!("/media-upload/{}", "A".repeat(43)),
    ] {
        let answer = put(&served, path, b"x");
        assert!([400, 404, 405].contains(&answer.status), "{path}: {}", answer.text());
    }
    let (upload, _) =
        prepare(&served, &json!({ "category": "image", "full_local_file_path": "a.png" }));
    for method in ["GET", "POST", "DELETE"] {
        let answer = served.send(method, &upload, &[], b"");
        answer.error(405);
        assert_eq!(answer.header("allow"), Some("PUT"));
    }
    for headers in [[("origin", "https://evil.example")], [("host", "evil.example")]] {
        served.send("PUT", &upload, &headers, b"x").error(403);
    }
    assert_eq!(served.files(), before);
    put(&served, &upload, b"x").ok();
}

/// A picture as cameras write it: with Exif, which is not published.
fn photo() -> Vec<u8> {
    let mut photo = std::fs::read(media_fixture("picture.jpg")).unwrap();
    let exif = [b"Exif\0\0MM\0\x2a\0\0\0\x08\0\0".as_slice(), &[7; 500]].concat();
    let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
    let segment = [&[0xff, 0xe1], length.as_slice(), &exif].concat();
    photo.splice(2..2, segment);
    photo
}

#[test]
fn the_attachment_size_is_the_published_file_s() {
    let served = served();
    let photo = photo();
    let body = json!({ "category": "image", "full_local_file_path": "a.jpg", "size": photo.len(), "type": "image/jpeg" });
    let (upload, media) = prepare(&served, &body);
    assert_eq!(put(&served, &upload, &photo).status, 200);
    let attachment = json!({
        "category": "image", "url": format!("{}{media}", served.url), "mime_type": "image/jpeg",
        "size_in_bytes": photo.len(),
    });
    // Sent by a client, and written by an author.
    let item = json!({
        "id": "photo", "title": "Photo", "date_published": "2026-01-01T00:00:00Z",
        "attachments": [attachment.clone()],
    });
    served.post("/items/", &item).ok();
    served.put("/items/walk/", &json!({ "attachment": attachment.clone() })).ok();
    let written = format!(
        "+++\nid = \"own\"\ntitle = \"Own\"\nattachment = {{ url = \"{media}\", size_in_bytes = {} }}\n+++\n",
        photo.len()
    );
    served.site.write("content/items/own.md", written);
    served.site.built();
    let out = served.site.output();
    let published = &out[media.trim_start_matches('/')];
    assert!(published.len() < photo.len() - 400, "{}", published.len());
    let rss = String::from_utf8_lossy(&out["rss.xml"]);
    let length = format!("length=\"{}\"", published.len());
    assert_eq!(rss.matches(&length).count(), 3, "{rss}");
    for id in ["photo", "walk", "own"] {
        let item = served.read(&format!("/items/{id}/")).ok()["items"][0].clone();
        assert_eq!(item["attachments"][0]["size_in_bytes"], published.len(), "{id}");
    }
    // What the client knows of its file again changes nothing.
    let before = served.site.read("content/items/walk.md");
    served.put("/items/walk/", &json!({ "attachment": attachment })).ok();
    assert_eq!(served.site.read("content/items/walk.md"), before);
}

#[test]
fn an_upload_keeps_the_trace_headers_of_its_preparation() {
    let served = served();
    let key = format!("Bearer {}", crate::support::served::KEY);
    let headers = [
        ("authorization", key.as_str()),
        ("service-causation-id", "evt 1"),
        ("service-correlation-id", "flow&2"),
    ];
    let body = json!({ "category": "image", "full_local_file_path": "a.gif" }).to_string();
    let prepare = || {
        let answer =
            served.send("POST", "/api/v1/media_files/presigned_urls/", &headers, body.as_bytes());
        let url = answer.ok()["presigned_url"].as_str().unwrap().to_owned();
        url.strip_prefix(served.url.as_str()).unwrap().to_owned()
    };
    let traces = || {
        let entry = served.journal().pop().unwrap();
        (entry.causation, entry.correlation)
    };
    assert_eq!(put(&served, &prepare(), b"GIF89").status, 200);
    assert_eq!(traces(), (Some("evt 1".into()), Some("flow&2".into())));
    let own = [("service-causation-id", "evt 3")];
    assert_eq!(served.send("PUT", &prepare(), &own, b"GIF89").status, 200);
    assert_eq!(traces(), (Some("evt 3".into()), Some("flow&2".into())));
    let bad = [("authorization", key.as_str()), ("service-causation-id", "")];
    served.send("POST", "/api/v1/media_files/presigned_urls/", &bad, body.as_bytes()).error(400);
}

#[test]
fn an_overlong_file_name_is_an_error() {
    let served = served();
    for name in [
        format!("{}.png", "a".repeat(252)),
        format!("/home/ada/{}.png", "é".repeat(252)),
        format!("C:\\pictures\\{}.png", "long".repeat(500)),
    ] {
        let body = json!({ "category": "image", "full_local_file_path": name });
        let reply = served.post("/media_files/presigned_urls/", &body);
        assert_eq!(reply.status, 400, "{name}");
        let message_text = reply.text();
        assert!(
            message_text.contains("full_local_file_path: the file name has ")
                && message_text.contains(" characters; the maximum is 255"),
            "{message_text}"
        );
    }
}
