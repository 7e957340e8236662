//! Camera settings of photos. Pillow 13 wrote the files.

use media_facts::shot;

use super::fixture;

#[test]
fn camera_settings_are_read_from_each_format() {
    let expected = pictures::Shot {
        camera: Some("FUJIFILM X-T4".into()),
        lens: Some("XF35mmF1.4 R".into()),
        seconds: Some(0.004),
        f_number: Some(2.8),
        iso: Some(400),
        focal_length: Some(35.0),
        day: Some((2026, 11, 20)),
        location: Some((-27.5, 153.01)),
    };
    for format in ["jpg", "png", "webp", "avif"] {
        let shot = shot(&fixture(&format!("photo.{format}")));
        assert_eq!(shot.as_deref(), Some(&expected), "{format}");
    }
    for without in ["picture.jpg", "picture.avif", "tone.wav", "missing.jpg"] {
        assert_eq!(shot(&fixture(without)), None, "{without}");
    }
}

#[test]
fn a_damaged_photo_causes_no_panic() {
    let dir = tempfile::tempdir().unwrap();
    for format in ["jpg", "png", "webp", "avif"] {
        let file = std::fs::read(fixture(&format!("photo.{format}"))).unwrap();
        let path = dir.path().join(format!("photo.{format}"));
        for at in (0..file.len()).step_by(3) {
            let mut damaged = file.clone();
            damaged[at] = 0xff;
            damaged.truncate(file.len() - at / 7);
            std::fs::write(&path, &damaged).unwrap();
            let _ = shot(&path);
        }
    }
}
