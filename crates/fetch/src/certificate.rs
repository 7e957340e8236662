//! The certificate of an HTTPS server.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::ServerCertVerifier;
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, ClientConnection, RootCertStore};

/// Reads the certificates in a PEM file. Skips everything else.
pub fn read_pem(pem: &[u8]) -> Vec<Vec<u8>> {
    let all = CertificateDer::pem_slice_iter(pem).flatten();
    all.map(|one| one.to_vec()).collect()
}

/// A valid certificate that a server sent.
#[derive(Debug)]
pub struct Certificate {
    verifier: Arc<WebPkiServerVerifier>,
    /// The server's certificate, and the certificates of its issuers.
    chain: Vec<CertificateDer<'static>>,
    name: ServerName<'static>,
}

impl Certificate {
    /// Returns the end of the certificate's validity, if it is before `time`.
    pub fn ends_before(&self, time: Timestamp) -> Option<Timestamp> {
        match self.error_at(time)? {
            CertificateError::ExpiredContext { not_after, .. } => timestamp(not_after),
            _ => None,
        }
    }

    /// Returns whether the certificate was not valid yet at `time`.
    pub fn starts_after(&self, time: Timestamp) -> bool {
        let error = self.error_at(time);
        matches!(error, Some(CertificateError::NotValidYetContext { .. }))
    }

    fn error_at(&self, time: Timestamp) -> Option<CertificateError> {
        let seconds = u64::try_from(time.as_second()).unwrap_or_default();
        let time = UnixTime::since_unix_epoch(Duration::from_secs(seconds));
        let (own, issuers) = self.chain.split_first()?;
        match self.verifier.verify_server_cert(own, issuers, &self.name, &[], time) {
            Err(rustls::Error::InvalidCertificate(error)) => Some(error),
            _ => None,
        }
    }

    /// Performs the TLS handshake with the first of `addresses` that accepts a connection. `roots`
    /// are the trusted certificates; empty means the public certificate authorities.
    pub(crate) fn request(
        host: &str,
        addresses: &[SocketAddr],
        roots: &[Vec<u8>],
        timeout: Duration,
    ) -> io::Result<Self> {
        let name = ServerName::try_from(host.trim_matches(['[', ']']).to_owned());
        let name = name.map_err(io::Error::other)?;
        let (roots, provider) = (Arc::new(root_store(roots)), Arc::new(ring::default_provider()));
        let verifier = WebPkiServerVerifier::builder_with_provider(roots, Arc::clone(&provider));
        let verifier = verifier.build().map_err(io::Error::other)?;
        let config = config(&verifier, provider).map_err(io::Error::other)?;
        let mut tls =
            ClientConnection::new(Arc::new(config), name.clone()).map_err(io::Error::other)?;
        let mut socket = Timed::connect(addresses, timeout)?;
        while tls.is_handshaking() {
            tls.complete_io(&mut socket)?;
        }
        let chain = tls.peer_certificates().unwrap_or_default();
        let chain = chain.iter().map(|one| one.clone().into_owned()).collect();
        Ok(Self { verifier, chain, name })
    }
}

fn config(
    verifier: &Arc<WebPkiServerVerifier>,
    provider: Arc<CryptoProvider>,
) -> Result<ClientConfig, rustls::Error> {
    let config =
        ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    Ok(config.with_webpki_verifier(Arc::clone(verifier)).with_no_client_auth())
}

fn root_store(roots: &[Vec<u8>]) -> RootCertStore {
    let mut store = RootCertStore::empty();
    if roots.is_empty() {
        store.roots = webpki_roots::TLS_SERVER_ROOTS.to_vec();
    }
    store.add_parsable_certificates(roots.iter().map(|one| CertificateDer::from(one.as_slice())));
    store
}

/// Returns the reason why a certificate is invalid, if that is why a connection failed.
pub fn invalid_certificate(error: &io::Error) -> Option<String> {
    match error.get_ref()?.downcast_ref()? {
        rustls::Error::InvalidCertificate(error) => Some(reason(error)),
        error => Some(format!("the TLS connection failed: {error}")),
    }
}

fn reason(error: &CertificateError) -> String {
    match error {
        CertificateError::ExpiredContext { not_after, .. } => match timestamp(*not_after) {
            Some(time) => format!("its certificate expired on {}", time.strftime("%Y-%m-%d")),
            None => "its certificate has expired".to_owned(),
        },
        CertificateError::UnknownIssuer => {
            "its certificate was not issued by a known authority, or an intermediate certificate is missing".to_owned()
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "its certificate is for another host name".to_owned()
        }
        error => format!("its certificate is invalid: {error}"),
    }
}

fn timestamp(time: UnixTime) -> Option<Timestamp> {
    Timestamp::from_second(i64::try_from(time.as_secs()).ok()?).ok()
}

/// A connection with a time limit for all reads and writes together.
struct Timed {
    stream: TcpStream,
    deadline: Instant,
}

impl Timed {
    fn connect(addresses: &[SocketAddr], timeout: Duration) -> io::Result<Self> {
        let mut failed = io::Error::from(io::ErrorKind::NotFound);
        for address in addresses {
            match TcpStream::connect_timeout(address, timeout) {
                Ok(stream) => return Ok(Self { stream, deadline: Instant::now() + timeout }),
                Err(error) => failed = error,
            }
        }
        Err(failed)
    }

    /// Returns the remaining time.
    fn remaining(&self) -> io::Result<Option<Duration>> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        match left.is_zero() {
            true => Err(io::ErrorKind::TimedOut.into()),
            false => Ok(Some(left)),
        }
    }
}

/// Unix reports a timeout of a socket as an operation that would block.
fn timed_out(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::WouldBlock => io::ErrorKind::TimedOut.into(),
        _ => error,
    }
}

impl Read for Timed {
    fn read(&mut self, part: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(self.remaining()?)?;
        self.stream.read(part).map_err(timed_out)
    }
}

impl Write for Timed {
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(self.remaining()?)?;
        self.stream.write(part).map_err(timed_out)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}
