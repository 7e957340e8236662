//! Reports how far a build is.

/// Receives a build's steps, from any thread.
pub trait Progress: Sync {
    /// A part of the build starts, with so many steps; 0 where that is not known.
    fn phase(&self, name: &'static str, steps: usize);
    fn tick(&self);
    /// A part starts in which so many bytes are moved.
    fn moving(&self, _name: &'static str, _bytes: u64) {}
    /// So many bytes more were moved.
    fn moved(&self, _bytes: u64) {}
    fn finish(&self);
}

/// Ignores all reports.
pub struct Silent;

impl Progress for Silent {
    fn phase(&self, _: &'static str, _: usize) {}
    fn tick(&self) {}
    fn finish(&self) {}
}
