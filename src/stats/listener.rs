//! Distinguishes listeners without storing who they are.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::net::IpAddr;
use std::path::Path;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use warehouse::Fault;

/// Computes the number of a listener: the first 64 bits of an HMAC-SHA-256 (RFC 2104) of address
/// and user agent. The HMAC key is a secret of this site. Without the key, nobody can find the
/// address for a number by trying all addresses.
#[derive(Clone)]
pub(super) struct Listeners(Hmac<Sha256>);

const FILE: &str = "listeners.key";

impl Listeners {
    /// Reads the secret from the folder of the warehouse. Creates the secret if it is missing.
    pub(super) fn open(folder: &Path) -> Result<Self, Fault> {
        let file = folder.join(FILE);
        let said = |error: io::Error| {
            Fault::internal(format!("the secret for counting listeners cannot be used: {error}"))
                .at(file.display().to_string())
        };
        let secret = match fs::read(&file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                create_secret(folder, &file).map_err(said)?;
                fs::read(&file).map_err(said)?
            }
            read => read.map_err(said)?,
        };
        let secret: [u8; 32] = secret.try_into().map_err(|_| {
            Fault::internal("the secret for counting listeners is not 32 bytes: restore it from a backup, or delete the file to create a new secret")
                .at(file.display().to_string())
        })?;
        Ok(Self::new(&secret))
    }

    /// Creates an instance with this secret.
    pub(super) fn new(secret: &[u8; 32]) -> Self {
        Self(<Hmac<Sha256> as KeyInit>::new(&{
            let mut block = hmac::digest::Key::<Hmac<Sha256>>::default();
            block[..32].copy_from_slice(secret);
            block
        }))
    }

    /// Returns the number of a listener. Different notations of the same address result in the same
    /// number. Only the first 64 bits of an IPv6 address are used, because a device may change the
    /// remaining bits at any time (RFC 8981). The IAB guidelines 2.1 require this.
    pub(super) fn number(&self, address: &str, agent: Option<&str>) -> i64 {
        let mut mac = self.0.clone();
        match address.parse::<IpAddr>().map(|ip| ip.to_canonical()) {
            Ok(IpAddr::V4(ip)) => mac.update(&ip.octets()),
            Ok(IpAddr::V6(ip)) => mac.update(&ip.octets()[..8]),
            Err(_) => mac.update(address.to_ascii_lowercase().as_bytes()),
        }
        mac.update(b"\0");
        mac.update(agent.unwrap_or_default().as_bytes());
        let hash = mac.finalize().into_bytes();
        let (first, _) = hash.split_at(8);
        i64::from_be_bytes(first.try_into().unwrap_or_default())
    }
}

/// Creates the secret. Its file is complete before it gets its final name. If two processes create
/// the secret at the same time, the first secret is kept.
fn create_secret(folder: &Path, file: &Path) -> io::Result<()> {
    let mut secret = [0; 32];
    let mut name = [0; 8];
    getrandom::fill(&mut secret).map_err(io::Error::other)?;
    getrandom::fill(&mut name).map_err(io::Error::other)?;
    let unnamed = folder.join(format!(".new-{:016x}", u64::from_ne_bytes(name)));
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(&unnamed).and_then(|mut to| {
        to.write_all(&secret)?;
        to.sync_all()
    });
    let linked = written.and_then(|()| match fs::hard_link(&unnamed, file) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    });
    let _ = fs::remove_file(&unnamed);
    linked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listener_numbers_depend_on_address_agent_and_secret() {
        let one = Listeners::new(&[7; 32]);
        let number = one.number("192.0.2.1", Some("Overcast/3.0"));
        assert_eq!(number, one.number("::ffff:192.0.2.1", Some("Overcast/3.0")));
        assert_ne!(number, one.number("192.0.2.2", Some("Overcast/3.0")));
        assert_ne!(number, one.number("192.0.2.1", Some("Overcast/3.1")));
        let other = Listeners::new(&[8; 32]);
        assert_ne!(number, other.number("192.0.2.1", Some("Overcast/3.0")));
        assert_eq!(one.number("2001:db8::1", None), one.number("2001:0DB8:0:0::1", Some("")));
        assert_eq!(one.number("2001:db8::1", None), one.number("2001:db8::a:b:c:d", None));
        assert_ne!(one.number("2001:db8::1", None), one.number("2001:db8:0:1::1", None));
    }

    #[test]
    fn the_secret_is_created_once() {
        let folder = tempfile::tempdir().unwrap();
        let first = Listeners::open(folder.path()).unwrap();
        let second = Listeners::open(folder.path()).unwrap();
        assert_eq!(first.number("a", None), second.number("a", None));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        fs::write(folder.path().join(FILE), "short").unwrap();
        assert!(Listeners::open(folder.path()).is_err());
    }
}
