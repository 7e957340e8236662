//! Ranges of the published form.

use std::io::{Cursor, Read, Seek, SeekFrom};
use std::sync::Arc;

use proptest::prelude::*;
use recording_tags::{Piece, Tagged, tagged};

use super::{RECORDINGS, all_tags, copied, extension, fixture, read_all};

#[test]
fn a_reader_returns_the_bytes_of_a_copy() {
    for name in RECORDINGS {
        let bytes = fixture(name);
        let mut source = Cursor::new(&bytes[..]);
        let published = tagged(&mut source, extension(name), &all_tags()).unwrap();
        let copy = copied(&published, &mut source);
        assert!(read_all(Tagged::reader(&published, &mut source)) == copy, "{name}");
        let lengths: u64 = published.pieces().iter().map(Piece::len).sum();
        assert_eq!(lengths, published.len(), "{name}");
    }
}

#[test]
fn a_source_that_became_shorter_is_an_error() {
    let bytes = fixture("cbr-info.mp3");
    let published = tagged(&mut Cursor::new(&bytes[..]), "mp3", &all_tags()).unwrap();
    let shorter = &bytes[..bytes.len() / 2];
    assert!(published.copy(&mut Cursor::new(shorter), &mut Vec::new()).is_err());
    assert!(Tagged::reader(&published, Cursor::new(shorter)).read_to_end(&mut Vec::new()).is_err());
}

proptest! {
    #[test]
    fn any_range_can_be_read(at in 0.0..1.0, length in 0_usize..500, index in 0..RECORDINGS.len()) {
        let name = RECORDINGS[index];
        let bytes = fixture(name);
        let mut source = Cursor::new(&bytes[..]);
        let published = Arc::new(tagged(&mut source, extension(name), &all_tags()).unwrap());
        let copy = copied(&published, &mut source);
        let start = (at * copy.len() as f64) as usize;
        let mut reader = Tagged::reader(Arc::clone(&published), source);
        reader.seek(SeekFrom::Start(start as u64)).unwrap();
        let range = read_all(reader.take(length as u64));
        prop_assert_eq!(&range, &copy[start..(start + length).min(copy.len())]);
    }
}
