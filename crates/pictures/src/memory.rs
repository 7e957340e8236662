//! Limits the memory that all threads together use for decoding.

use std::sync::{Condvar, Mutex, PoisonError};

use img_parts::jpeg::Jpeg;
use img_parts::webp::WebP;

use super::MAX_MEMORY;
use super::container::{Container, frame};

/// Free memory for decoding pictures, in bytes.
static FREE_BYTES: Mutex<u64> = Mutex::new(MAX_MEMORY);

/// Notified when reserved memory is released.
static SHARE_RETURNED: Condvar = Condvar::new();

/// Memory that is reserved for decoding. It is released when this value is dropped.
#[derive(Debug)]
pub(crate) struct Share(u64);

/// Reserves this many bytes, at most [`MAX_MEMORY`]. Waits until they are free.
pub(crate) fn take(bytes: u64) -> Share {
    let bytes = bytes.min(MAX_MEMORY);
    let free = FREE_BYTES.lock().unwrap_or_else(PoisonError::into_inner);
    let free = SHARE_RETURNED.wait_while(free, |free| *free < bytes);
    *free.unwrap_or_else(PoisonError::into_inner) -= bytes;
    Share(bytes)
}

impl Drop for Share {
    fn drop(&mut self) {
        *FREE_BYTES.lock().unwrap_or_else(PoisonError::into_inner) += self.0;
        SHARE_RETURNED.notify_all();
    }
}

impl Container {
    /// Returns the number of bytes that decoding and resizing need, or `None` if they exceed
    /// [`MAX_MEMORY`].
    pub(crate) fn memory(&self) -> Option<u64> {
        let (width, height) = self.dimensions()?;
        let pixels = u64::from(width) * u64::from(height);
        // Bits per pixel that are needed in addition to the four channels of the result.
        let beside = match self {
            Self::Jpeg(jpeg) => coefficient_bits(jpeg),
            // Resizing needs a copy in which the colours are multiplied by alpha.
            Self::Png(png) if super::container::has_transparency(png) => 32,
            Self::Png(_) => 0,
            Self::WebP(webp) => plane_bits(webp),
        };
        let bytes = pixels.checked_mul(32 + beside)? / 8;
        (bytes <= MAX_MEMORY).then_some(bytes)
    }
}

/// Returns the bits per pixel that the decoder of a progressive JPEG needs until the last scan: 16
/// bits for the coefficient of each sample.
fn coefficient_bits(jpeg: &Jpeg) -> u64 {
    const PROGRESSIVE: u8 = 0xc2;
    let Some((marker, contents)) = frame(jpeg) else {
        return 0;
    };
    let components = contents.get(6..).unwrap_or_default().chunks_exact(3);
    let factors =
        components.map(|component| (u64::from(component[1] >> 4), u64::from(component[1] & 15)));
    let factors: Vec<_> = factors.collect();
    let most = |of: fn(&(u64, u64)) -> u64| factors.iter().map(of).max().unwrap_or(1).max(1);
    let largest = most(|(across, _)| *across) * most(|(_, down)| *down);
    let samples: u64 = factors.iter().map(|(across, down)| across * down).sum();
    match marker {
        PROGRESSIVE => (16 * samples).div_ceil(largest),
        _ => 0,
    }
}

/// Returns the bits per pixel that the WebP decoder needs in addition to the result. For lossless
/// files, it keeps a copy. For lossy files, it keeps a plane of brightness, two quarter-size planes
/// of colour, and a plane of alpha.
fn plane_bits(webp: &WebP) -> u64 {
    match (webp.has_chunk(*b"VP8L"), webp.has_chunk(*b"ALPH")) {
        (true, _) => 32,
        (false, true) => 12 + 8 + 32,
        (false, false) => 12,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn threads_share_the_memory_without_deadlock() {
        let (taken, most) = (AtomicU64::new(0), AtomicU64::new(0));
        thread::scope(|scope| {
            for number in 1..=8 {
                let (taken, most) = (&taken, &most);
                scope.spawn(move || {
                    for round in 0..200 {
                        let bytes = (number * round * 7_919_123) % (MAX_MEMORY + 1000);
                        let share = take(bytes);
                        let now = taken.fetch_add(share.0, Ordering::SeqCst) + share.0;
                        most.fetch_max(now, Ordering::SeqCst);
                        thread::yield_now();
                        taken.fetch_sub(share.0, Ordering::SeqCst);
                    }
                });
            }
        });
        assert!(most.into_inner() <= MAX_MEMORY);
        assert_eq!(take(MAX_MEMORY).0, MAX_MEMORY);
    }
}
