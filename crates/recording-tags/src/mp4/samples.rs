//! The samples of an audio track (ISO/IEC 14496-12, section 8.6): when each is heard, and where its
//! bytes are. Only the parts of long tables that a clip needs are read.

use std::io::{Read, Seek};
use std::ops::Range;

use super::boxes::{Span, children, descend};
use crate::bytes::{be_u32, be_u64, read_at, read_whole, size};
use crate::refusal::{Refusal, Result};
use crate::tagged::Tagged;

const INVALID: Refusal = Refusal::Damaged("its tables of samples are invalid");

/// Number of sizes to read at once.
const BLOCK: u64 = 16 << 10;

/// Maximum number of samples in a clip: an hour and a half of AAC.
const MAX_SAMPLES: u64 = 1 << 18;

/// Where the tables of a track are, and its short tables.
pub(super) struct SampleTable {
    runs: Vec<Run>,
    groups: Vec<ChunkGroup>,
    sizes: Sizes,
    /// Positions of all chunks, of four or eight bytes each.
    positions: Range<u64>,
    position_bytes: u64,
    /// The box `stsd`.
    pub(super) descriptions: Span,
}

/// Samples with the same duration, which follow each other.
struct Run {
    samples: Range<u64>,
    start: u64,
    /// Duration of each sample, in units of the track's time scale.
    duration: u32,
}

/// Chunks with the same number of samples, which follow each other.
struct ChunkGroup {
    first_chunk: u64,
    samples: Range<u64>,
    samples_per_chunk: u64,
    /// Number of the description of these samples, starting at 1.
    description: u32,
}

enum Sizes {
    Same(u32),
    /// The place of a table.
    Listed(Range<u64>),
}

impl SampleTable {
    /// Reads the tables in the box `mdia` of a track.
    pub(super) fn read(source: &mut (impl Read + Seek), media: &Span) -> Result<Self> {
        let table = descend(source, media, &[b"minf", b"stbl"])?.ok_or(INVALID)?;
        let boxes = children(source, table.content)?;
        let find = |kind: &[u8; 4]| boxes.iter().find(|one| &one.kind == kind);
        let (position_bytes, positions) = match (find(b"stco"), find(b"co64")) {
            (Some(short), _) => (4, short),
            (_, Some(long)) => (8, long),
            _ => return Err(INVALID),
        };
        let positions = entries(source, positions, 4, position_bytes)?;
        let sizes = find(b"stsz").ok_or(Refusal::Cut("its table of sizes is missing"))?;
        let chunks = (positions.end - positions.start) / position_bytes;
        Ok(Self {
            runs: runs(source, find(b"stts").ok_or(INVALID)?)?,
            groups: groups(source, find(b"stsc").ok_or(INVALID)?, chunks)?,
            sizes: match be_u32(&read_at(source, sizes.content.start, 8)?, 4).ok_or(INVALID)? {
                0 => Sizes::Listed(entries(source, sizes, 8, 4)?),
                size => Sizes::Same(size),
            },
            positions,
            position_bytes,
            descriptions: find(b"stsd").ok_or(INVALID)?.clone(),
        })
    }

    /// Returns the time at which the last sample ends.
    pub(super) fn end(&self) -> u64 {
        self.runs.last().map_or(0, Run::end)
    }

    /// Returns the number of the sample at a time.
    pub(super) fn sample_at(&self, time: u64) -> Option<u64> {
        let run = self.runs.get(self.runs.partition_point(|run| run.end() <= time))?;
        Some(run.samples.start + (time - run.start) / u64::from(run.duration))
    }

    /// Returns the time at which a sample starts.
    pub(super) fn start_of(&self, sample: u64) -> Option<u64> {
        let run = self.runs.get(self.runs.partition_point(|run| run.samples.end <= sample))?;
        Some(run.start + (sample - run.samples.start) * u64::from(run.duration))
    }

    /// Returns the durations of samples: how many samples have which duration.
    pub(super) fn durations(&self, samples: &Range<u64>) -> Vec<[u32; 2]> {
        let first = self.runs.partition_point(|run| run.samples.end <= samples.start);
        let runs = self.runs[first..].iter().take_while(|run| run.samples.start < samples.end);
        runs.map(|run| {
            let own = run.samples.start.max(samples.start)..run.samples.end.min(samples.end);
            [(own.end - own.start) as u32, run.duration]
        })
        .collect()
    }

    /// Returns the sizes of samples in bytes.
    pub(super) fn sizes(
        &self,
        source: &mut (impl Read + Seek),
        samples: &Range<u64>,
    ) -> Result<Vec<u32>> {
        let count = samples.end - samples.start;
        match &self.sizes {
            _ if count > MAX_SAMPLES => Err(Refusal::Cut("the clip is too long")),
            Sizes::Same(size) => Ok(vec![*size; count as usize]),
            Sizes::Listed(table) => {
                let start = table.start + samples.start * 4;
                if start + count * 4 > table.end {
                    return Err(INVALID);
                }
                let bytes = read_whole(source, start, count * 4, "its tables")?;
                Ok(bytes.as_chunks().0.iter().map(|size| u32::from_be_bytes(*size)).collect())
            }
        }
    }

    fn total_size(&self, source: &mut (impl Read + Seek), samples: Range<u64>) -> Result<u64> {
        if let Sizes::Same(size) = self.sizes {
            return Ok((samples.end - samples.start).saturating_mul(size.into()));
        }
        let mut total = 0;
        let mut start = samples.start;
        while start < samples.end {
            let end = samples.end.min(start + BLOCK);
            total +=
                self.sizes(source, &(start..end))?.iter().map(|size| u64::from(*size)).sum::<u64>();
            start = end;
        }
        Ok(total)
    }

    /// Returns the number of a sample's description in `stsd`, starting at 1.
    pub(super) fn description_of(&self, sample: u64) -> Result<u32> {
        Ok(self.group_of(sample)?.description)
    }

    fn group_of(&self, sample: u64) -> Result<&ChunkGroup> {
        let group = self.groups.partition_point(|group| group.samples.end <= sample);
        self.groups.get(group).ok_or(INVALID)
    }

    /// Returns the bytes of samples. All of them must have the same description.
    pub(super) fn bytes(
        &self,
        source: &mut (impl Read + Seek),
        samples: &Range<u64>,
    ) -> Result<Tagged> {
        let file_end = size(source)?;
        let description = self.description_of(samples.start)?;
        let mut bytes = Tagged::default();
        let mut first = samples.start;
        while first < samples.end {
            let group = self.group_of(first)?;
            if group.description != description {
                return Err(Refusal::Cut("its format changes within the clip"));
            }
            let chunk = (first - group.samples.start) / group.samples_per_chunk;
            let chunk_start = group.samples.start + chunk * group.samples_per_chunk;
            let end = samples.end.min(chunk_start + group.samples_per_chunk);
            let position = self.position(source, group.first_chunk + chunk)?;
            let start = position.saturating_add(self.total_size(source, chunk_start..first)?);
            let stop = start.saturating_add(self.total_size(source, first..end)?);
            if stop > file_end {
                return Err(Refusal::CutOff("its media"));
            }
            bytes.push_source(start..stop);
            first = end;
        }
        Ok(bytes)
    }

    fn position(&self, source: &mut (impl Read + Seek), chunk: u64) -> Result<u64> {
        let bytes = read_at(source, self.positions.start + chunk * self.position_bytes, 8)?;
        let position = match self.position_bytes {
            4 => be_u32(&bytes, 0).map(u64::from),
            _ => be_u64(&bytes, 0),
        };
        position.ok_or(INVALID)
    }
}

impl Run {
    fn end(&self) -> u64 {
        self.start + (self.samples.end - self.samples.start) * u64::from(self.duration)
    }
}

/// Returns the place of a table's entries. `count_at` is the position of their number in the box.
fn entries(
    source: &mut (impl Read + Seek),
    table: &Span,
    count_at: u64,
    entry_bytes: u64,
) -> Result<Range<u64>> {
    let head = read_at(source, table.content.start + count_at, 4)?;
    let start = table.content.start + count_at + 4;
    let end = start + u64::from(be_u32(&head, 0).ok_or(INVALID)?) * entry_bytes;
    if end > table.content.end { Err(INVALID) } else { Ok(start..end) }
}

fn runs(source: &mut (impl Read + Seek), table: &Span) -> Result<Vec<Run>> {
    let place = entries(source, table, 4, 8)?;
    let bytes = read_whole(source, place.start, place.end - place.start, "its tables")?;
    let mut runs: Vec<Run> = Vec::new();
    let (mut sample, mut start) = (0, 0_u64);
    for entry in bytes.as_chunks::<8>().0 {
        let (count, duration) = (be_u32(entry, 0).unwrap_or(0), be_u32(entry, 4).unwrap_or(0));
        if count == 0 {
            continue;
        }
        let run = Run { samples: sample..sample + u64::from(count), start, duration };
        // The sum of 500,000 products of two 32-bit numbers can exceed 64 bits.
        start = start.checked_add(u64::from(count) * u64::from(duration)).ok_or(INVALID)?;
        sample = run.samples.end;
        runs.push(run);
    }
    Ok(runs)
}

fn groups(source: &mut (impl Read + Seek), table: &Span, chunks: u64) -> Result<Vec<ChunkGroup>> {
    let place = entries(source, table, 4, 12)?;
    let bytes = read_whole(source, place.start, place.end - place.start, "its tables")?;
    let numbers = |entry: &[u8; 12], at| be_u32(entry, at).map_or(0, u64::from);
    let entries = bytes.as_chunks::<12>().0;
    let next =
        entries.iter().skip(1).map(|next| numbers(next, 0).saturating_sub(1)).chain([chunks]);
    let mut sample = 0;
    let mut groups = Vec::new();
    for (entry, next) in entries.iter().zip(next) {
        let first_chunk = numbers(entry, 0).checked_sub(1).ok_or(INVALID)?;
        let samples_per_chunk = numbers(entry, 4);
        let count = next.checked_sub(first_chunk).filter(|_| next <= chunks).ok_or(INVALID)?;
        let samples = sample..sample + count * samples_per_chunk;
        sample = samples.end;
        let description = be_u32(entry, 8).unwrap_or(0);
        groups.push(ChunkGroup { first_chunk, samples, samples_per_chunk, description });
    }
    Ok(groups)
}
