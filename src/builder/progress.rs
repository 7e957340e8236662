//! Progress reports of a build.

/// A receiver of a build's progress reports, which may come from any thread.
pub trait Progress: Sync {
    /// Starts a phase of the build with this number of steps; 0 if the number is unknown.
    fn phase(&self, name: &'static str, steps: usize);
    fn tick(&self);
    /// Starts a phase that transfers this number of bytes.
    fn moving(&self, _name: &'static str, _bytes: u64) {}
    /// Reports that this many more bytes were transferred.
    fn moved(&self, _bytes: u64) {}
    fn finish(&self);
}

/// A [`Progress`] that ignores all reports.
pub struct Silent;

impl Progress for Silent {
    fn phase(&self, _: &'static str, _: usize) {}
    fn tick(&self) {}
    fn finish(&self) {}
}
