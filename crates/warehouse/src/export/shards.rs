//! Writes the files of an export. The files have temporary names until all files are complete.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use flate2::Compression as Level;
use flate2::write::GzEncoder;

use super::Compression;
use crate::error::Fault;
use crate::files::{Address, Files};

/// The files of an export.
pub(super) struct Shards<'e> {
    files: &'e Files,
    address: &'e Address,
    compression: Compression,
    /// Maximum size of the rows in a file, in bytes, if the address contains a `*`.
    max_bytes: u64,
    done: Vec<UnnamedFile>,
    open: Option<OpenFile>,
}

/// A file with a temporary name. The file is removed if this value is dropped before the file is
/// renamed.
struct UnnamedFile {
    temporary: PathBuf,
    target: PathBuf,
    is_renamed: bool,
}

struct OpenFile {
    file: UnnamedFile,
    writer: Writer,
    written: u64,
}

enum Writer {
    Plain(BufWriter<File>),
    Gzip(GzEncoder<BufWriter<File>>),
}

/// Returns a function that converts an I/O error for a file to a fault.
fn write_fault(address: &Address) -> impl Fn(io::Error) -> Fault + '_ {
    move |error| {
        Fault::internal(format!("{address} cannot be written: {error}")).at(address.to_string())
    }
}

impl<'e> Shards<'e> {
    /// Prepares files at an address. `max_bytes` is the maximum size of the rows in a file before
    /// compression. A single longer row gets its own file.
    pub(super) fn new(
        files: &'e Files,
        address: &'e Address,
        compression: Compression,
        max_bytes: u64,
    ) -> Self {
        Self { files, address, compression, max_bytes, done: Vec::new(), open: None }
    }

    /// Writes bytes that must not be split between files. Each new file starts with `head`.
    pub(super) fn write(&mut self, head: &[u8], bytes: &[u8]) -> Result<(), Fault> {
        let is_full = |open: &OpenFile| {
            open.written > 0 && open.written + bytes.len() as u64 > self.max_bytes
        };
        if self.address.is_pattern() && self.open.as_ref().is_some_and(is_full) {
            self.close()?;
        }
        let open = match &mut self.open {
            Some(open) => open,
            none => {
                let address = self.address.numbered(self.done.len() as u64);
                let target = self.files.target(&address)?;
                let open =
                    OpenFile::create(target, self.compression).map_err(write_fault(&address))?;
                let open = none.insert(open);
                open.write(head).map_err(write_fault(&address))?;
                open
            }
        };
        open.write(bytes).map_err(write_fault(self.address))
    }

    /// Renames every file to its final name and returns the number of files. An export without rows
    /// creates one file, which contains only `head`.
    pub(super) fn rename_all(mut self, head: &[u8]) -> Result<u64, Fault> {
        if self.open.is_none() {
            self.write(head, b"")?;
        }
        self.close()?;
        for file in &mut self.done {
            fs::rename(&file.temporary, &file.target).map_err(write_fault(self.address))?;
            file.is_renamed = true;
        }
        Ok(self.done.len() as u64)
    }

    fn close(&mut self) -> Result<(), Fault> {
        if let Some(open) = self.open.take() {
            let file = open.finish().map_err(write_fault(self.address))?;
            self.done.push(file);
        }
        Ok(())
    }
}

impl OpenFile {
    fn create(target: PathBuf, compression: Compression) -> io::Result<Self> {
        let mut random = [0; 8];
        getrandom::fill(&mut random).map_err(io::Error::other)?;
        // A hidden name, because no address matches hidden files.
        let name = format!(".new-{:016x}", u64::from_ne_bytes(random));
        let temporary = target.with_file_name(name);
        let file = OpenOptions::new().write(true).create_new(true).open(&temporary)?;
        let buffered = BufWriter::with_capacity(128 * 1024, file);
        Ok(Self {
            file: UnnamedFile { temporary, target, is_renamed: false },
            writer: match compression {
                Compression::None => Writer::Plain(buffered),
                Compression::Gzip => Writer::Gzip(GzEncoder::new(buffered, Level::default())),
            },
            written: 0,
        })
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.written += bytes.len() as u64;
        match &mut self.writer {
            Writer::Plain(writer) => writer.write_all(bytes),
            Writer::Gzip(writer) => writer.write_all(bytes),
        }
    }

    fn finish(self) -> io::Result<UnnamedFile> {
        let buffered = match self.writer {
            Writer::Plain(writer) => writer,
            Writer::Gzip(writer) => writer.finish()?,
        };
        let file = buffered.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        Ok(self.file)
    }
}

impl Drop for UnnamedFile {
    fn drop(&mut self) {
        if !self.is_renamed {
            let _ = fs::remove_file(&self.temporary);
        }
    }
}
