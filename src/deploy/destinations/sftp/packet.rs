//! Packets of the SSH File Transfer Protocol, version 3 (draft-ietf-secsh-filexfer-02). Only the
//! operations that feedwright uses are supported.

/// The operation of a request, with the number of its packet type.
#[derive(Debug, Clone, Copy)]
pub enum Operation {
    Open = 3,
    Close = 4,
    Read = 5,
    Write = 6,
    OpenFolder = 11,
    ReadFolder = 12,
    Remove = 13,
    MakeFolder = 14,
    RemoveFolder = 15,
    RealPath = 16,
    Stat = 17,
    Rename = 18,
    Extended = 200,
}

/// A request without its id.
#[derive(Debug)]
pub struct Request {
    pub operation: Operation,
    pub body: Vec<u8>,
}

impl Request {
    pub fn new(operation: Operation) -> Self {
        Self { operation, body: Vec::new() }
    }

    pub fn number(mut self, number: u32) -> Self {
        self.body.extend(number.to_be_bytes());
        self
    }

    pub fn long(mut self, number: u64) -> Self {
        self.body.extend(number.to_be_bytes());
        self
    }

    /// Appends the length of a byte string, then its bytes. The bytes are a name, a handle or a
    /// part of a file, so their length always fits into 32 bits.
    pub fn bytes(self, bytes: impl AsRef<[u8]>) -> Self {
        let bytes = bytes.as_ref();
        let mut request = self.number(u32::try_from(bytes.len()).unwrap_or(u32::MAX));
        request.body.extend_from_slice(bytes);
        request
    }
}

#[derive(Debug)]
pub enum Reply {
    Status(u32, String),
    Handle(Vec<u8>),
    Data(Vec<u8>),
    Names(Vec<(String, Facts)>),
    Facts(Facts),
}

/// The attributes of a remote file.
#[derive(Debug, Clone, Copy, Default)]
pub struct Facts {
    /// The size in bytes.
    pub length: u64,
    pub mode: u32,
    /// The modification time in seconds since 1970.
    pub modified: u32,
}

impl Facts {
    pub fn is_folder(self) -> bool {
        self.mode & 0o170_000 == 0o040_000
    }

    pub fn is_link(self) -> bool {
        self.mode & 0o170_000 == 0o120_000
    }
}

impl Reply {
    /// Parses a reply and returns the id of its request. Returns `None` if the reply is malformed
    /// or its type is unknown.
    pub fn parse(packet: &[u8]) -> Option<(u32, Self)> {
        let mut fields = Fields(packet);
        let kind = fields.byte()?;
        let id = fields.number()?;
        let reply = match kind {
            101 => Self::Status(fields.number()?, text(fields.bytes().unwrap_or_default())),
            102 => Self::Handle(fields.bytes()?.to_vec()),
            103 => Self::Data(fields.bytes()?.to_vec()),
            104 => {
                let count = fields.number()?;
                let mut names = Vec::new();
                for _ in 0..count {
                    let name = text(fields.bytes()?);
                    // Skips the long name, which is a line in the format of `ls -l`.
                    fields.bytes()?;
                    names.push((name, fields.facts()?));
                }
                Self::Names(names)
            }
            105 => Self::Facts(fields.facts()?),
            _ => return None,
        };
        Some((id, reply))
    }
}

/// Returns the names of the extensions in a server's first packet.
pub fn extensions(packet: &[u8]) -> Vec<String> {
    let mut fields = Fields(packet);
    let mut names = Vec::new();
    if fields.byte() == Some(2) && fields.number().is_some() {
        while let (Some(name), Some(_)) = (fields.bytes(), fields.bytes()) {
            names.push(text(name));
        }
    }
    names
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

struct Fields<'p>(&'p [u8]);

impl<'p> Fields<'p> {
    fn take(&mut self, length: usize) -> Option<&'p [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    fn number(&mut self) -> Option<u32> {
        self.take(4)?.try_into().ok().map(u32::from_be_bytes)
    }

    fn long(&mut self) -> Option<u64> {
        self.take(8)?.try_into().ok().map(u64::from_be_bytes)
    }

    fn bytes(&mut self) -> Option<&'p [u8]> {
        let length = self.number()?;
        self.take(usize::try_from(length).ok()?)
    }

    fn facts(&mut self) -> Option<Facts> {
        let flags = self.number()?;
        let mut facts = Facts::default();
        if flags & 1 != 0 {
            facts.length = self.long()?;
        }
        if flags & 2 != 0 {
            self.take(8)?;
        }
        if flags & 4 != 0 {
            facts.mode = self.number()?;
        }
        if flags & 8 != 0 {
            self.take(4)?;
            facts.modified = self.number()?;
        }
        if flags & 0x8000_0000 != 0 {
            for _ in 0..self.number()? {
                self.bytes()?;
                self.bytes()?;
            }
        }
        Some(facts)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_packet_is_parsed_without_panic(packet: Vec<u8>, kind in 100u8..106) {
            let _ = Reply::parse(&packet);
            let packet: Vec<u8> = std::iter::once(kind).chain(packet).collect();
            let _ = Reply::parse(&packet);
            let _ = extensions(&packet);
        }
    }
}
