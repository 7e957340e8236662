//! Measures the peaks of a recording whose length is unknown until its end.

use borsh::{BorshDeserialize, BorshSerialize};

use super::Samples;

/// The peaks of a recording.
#[derive(BorshDeserialize, BorshSerialize, Clone, Debug, PartialEq)]
pub struct Peaks {
    /// The loudest sample of each part, from 0 (silence) to 255 (full scale). The parts have the
    /// same length.
    pub values: Vec<u8>,
    /// Length of the recording in seconds, as decoded.
    pub duration: f64,
}

/// Collects the peaks of short slices. If there are too many slices, each two are merged, and the
/// following slices are twice as long.
pub struct Meter {
    slices: Vec<f32>,
    /// Length of a slice, in samples of a channel.
    width: usize,
    /// Number of samples in the last slice.
    filled: usize,
    frames: u64,
    rate: u32,
    count: usize,
}

/// Number of slices in each part at the end, at least. Slices at the borders of parts belong to the
/// part in which they start.
const SLICES_PER_PART: usize = 4;

impl Meter {
    pub fn new(count: usize) -> Self {
        let count = count.max(1);
        Self { slices: Vec::new(), width: 1, filled: 1, frames: 0, rate: 1, count }
    }

    pub fn add(&mut self, samples: Samples<'_>) {
        // A recording whose rate changes is measured as if it had its first rate.
        if self.frames == 0 {
            self.rate = samples.rate;
        }
        let mut rest = samples.interleaved;
        while !rest.is_empty() {
            if self.filled == self.width {
                self.begin_slice();
            }
            let missing = (self.width - self.filled) * samples.channels;
            let (own, others) = rest.split_at(missing.min(rest.len()));
            let peak = own.iter().fold(0.0, |most: f32, sample| most.max(sample.abs()));
            if let Some(slice) = self.slices.last_mut() {
                *slice = slice.max(peak);
            }
            let frames = own.len().div_ceil(samples.channels);
            self.filled += frames;
            self.frames += frames as u64;
            rest = others;
        }
    }

    fn begin_slice(&mut self) {
        if self.slices.len() >= 2 * SLICES_PER_PART * self.count {
            let merge = |pair: &[f32]| pair.iter().copied().fold(0.0, f32::max);
            self.slices = self.slices.chunks(2).map(merge).collect();
            self.width *= 2;
        }
        self.slices.push(0.0);
        self.filled = 0;
    }

    pub fn finish(self) -> Peaks {
        let count = self.count.min(self.slices.len());
        let whole = self.slices.len();
        let border = |part: usize| part * whole / count;
        let value = |part: usize| {
            let own = &self.slices[border(part)..border(part + 1)];
            scaled(own.iter().copied().fold(0.0, f32::max))
        };
        #[expect(clippy::cast_precision_loss, reason = "a recording has fewer than 2^52 samples")]
        let duration = self.frames as f64 / f64::from(self.rate);
        Peaks { values: (0..count).map(value).collect(), duration }
    }
}

/// Returns a sample between 0 and 1 as a byte.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a byte")]
fn scaled(sample: f32) -> u8 {
    (sample * 255.0).round().clamp(0.0, 255.0) as u8
}
