//! Serialization of times in caches, as nanoseconds since 1970.

use std::io::{self, Read, Write};

use borsh::{BorshDeserialize, BorshSerialize};
use jiff::Timestamp;

pub fn write<W: Write>(time: &Option<Timestamp>, writer: &mut W) -> io::Result<()> {
    time.map(Timestamp::as_nanosecond).serialize(writer)
}

pub fn read<R: Read>(reader: &mut R) -> io::Result<Option<Timestamp>> {
    let nanoseconds = Option::<i128>::deserialize_reader(reader)?;
    let time = |nanoseconds| Timestamp::from_nanosecond(nanoseconds).map_err(io::Error::other);
    nanoseconds.map(time).transpose()
}
