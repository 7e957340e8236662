//! Finds clipping, silence, dead channels, and mono in two channels.

use borsh::{BorshDeserialize, BorshSerialize};

use super::Samples;

/// Number of consecutive samples at full scale that count as clipped. The top of a loud sine wave
/// has fewer.
const CLIPPED_RUN: u32 = 4;

/// The smallest sample at full scale.
const FULL_SCALE: f32 = 0.9999;

/// The largest sample of silence: -60 dBFS.
const SILENCE: f32 = 0.001;

/// The shortest silence that is found, in seconds.
const MIN_SILENCE: f64 = 3.0;

/// The energy of the difference of two equal channels, as a part of the energy of both: -40 dB.
const SAME: f64 = 1e-4;

/// The first places of a defect, and the number of all places.
#[derive(BorshDeserialize, BorshSerialize, Clone, Debug, Default, PartialEq)]
pub struct Places {
    pub count: u64,
    /// The start and the length of each place.
    pub first: Vec<(f64, f64)>,
}

impl Places {
    /// Maximum number of places that are listed.
    const LISTED: usize = 5;

    fn add(&mut self, start: f64, length: f64) {
        self.count += 1;
        if self.first.len() < Self::LISTED {
            self.first.push((start, length));
        }
    }
}

/// The defects of the blocks so far.
#[derive(Default)]
pub struct Defects {
    /// Length of the blocks so far, in seconds.
    elapsed: f64,
    channels: Vec<Channel>,
    /// End of the last sound, in seconds.
    quiet_since: f64,
    silences: Places,
    clipped: Places,
    last_clipped: Option<f64>,
    /// The energy of the difference of two channels.
    difference: f64,
    energy: f64,
    has_other_channels: bool,
}

#[derive(Clone, Default)]
struct Channel {
    peak: f32,
    /// Number of samples at full scale at the end of the blocks so far.
    run: u32,
}

/// The defects of a whole recording.
pub struct Found {
    pub clipped: Places,
    pub silences: Places,
    pub dead_channels: Vec<u32>,
    pub is_dual_mono: bool,
}

impl Defects {
    /// Returns the length of the blocks so far, in seconds.
    pub fn elapsed(&self) -> f64 {
        self.elapsed
    }

    pub fn add(&mut self, samples: Samples<'_>) {
        if self.channels.len() != samples.channels {
            self.has_other_channels = !self.channels.is_empty();
            self.channels.resize(samples.channels, Channel::default());
        }
        let step = 1.0 / f64::from(samples.rate);
        let start = self.elapsed;
        let frames = samples.interleaved.chunks_exact(samples.channels);
        let mut at = start;
        for (number, frame) in (0_u32..).zip(frames) {
            at = start + f64::from(number) * step;
            let mut loudest = 0.0_f32;
            let mut is_clipped = false;
            for (channel, sample) in self.channels.iter_mut().zip(frame) {
                let level = sample.abs();
                loudest = loudest.max(level);
                channel.peak = channel.peak.max(level);
                channel.run = if level >= FULL_SCALE { channel.run + 1 } else { 0 };
                is_clipped |= channel.run == CLIPPED_RUN;
            }
            if let [left, right] = *frame {
                let difference = f64::from(left - right);
                self.difference += difference * difference;
                self.energy +=
                    f64::from(left) * f64::from(left) + f64::from(right) * f64::from(right);
            }
            if is_clipped {
                self.clip(at);
            }
            if loudest > SILENCE {
                self.end_silence(at);
                self.quiet_since = at + step;
            }
        }
        self.elapsed = if samples.interleaved.is_empty() { start } else { at + step };
    }

    fn clip(&mut self, at: f64) {
        if self.last_clipped.is_none_or(|last| at - last >= 1.0) {
            self.clipped.add(at, 0.0);
            self.last_clipped = Some(at);
        }
    }

    fn end_silence(&mut self, at: f64) {
        let length = at - self.quiet_since;
        if length >= MIN_SILENCE {
            self.silences.add(self.quiet_since, length);
        }
    }

    pub fn finish(mut self) -> Found {
        self.end_silence(self.elapsed);
        let is_dead = |channel: &Channel| channel.peak <= SILENCE;
        let has_sound = !self.channels.iter().all(is_dead);
        let numbered = (0_u32..).zip(&self.channels);
        let dead = numbered.filter(|(_, channel)| has_sound && is_dead(channel));
        let is_stereo = self.channels.len() == 2 && !self.has_other_channels;
        Found {
            dead_channels: dead.map(|(number, _)| number).collect(),
            is_dual_mono: is_stereo && has_sound && self.difference <= SAME * self.energy,
            clipped: self.clipped,
            silences: self.silences,
        }
    }
}
