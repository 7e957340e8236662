//! Where a site is published to: `[deploy]` of `site.toml`.

use std::path::{Path, PathBuf};

use super::declare::keys;
use super::shape::{Kind, Written};

/// The name of an environment variable in `site.toml`.
pub const VARIABLE: Kind = Kind::Own("an environment variable's name", &[Written::Plain]);

keys! {
    /// `[deploy]` of `site.toml`.
    DEPLOY {
        /// where `feedwright deploy` publishes the site: see [Publish with one command](deploy.md)
        Optional "to", Own("`s3://…`, `git:…`, `folder:…`, `rsync:…`, `sftp:…`, `netlify:…` or `cloudflare-pages:…`", &[Plain]);
        /// for how many days a file stays out there that the site no longer has
        Optional "keep_days", Between(0, 365) => 7;
        /// of a bucket: the service; of Netlify and Cloudflare Pages: their API. It starts with `https://`;
        /// `http://` is for this machine alone
        Optional "endpoint", Own("address", &[Plain]), left_out("Amazon's, or the host's");
        /// of a bucket: its region
        Optional "region", Text(100), left_out("what the environment says");
        /// of a bucket: the variable that holds the id of the key; of a host: its token. The key itself is an error
        /// here
        Optional "key_env", VARIABLE, left_out("`AWS_ACCESS_KEY_ID`, `NETLIFY_AUTH_TOKEN` or `CLOUDFLARE_API_TOKEN`");
        /// of a bucket: the variable that holds its secret
        Optional "secret_env", VARIABLE, left_out("`AWS_SECRET_ACCESS_KEY`");
        /// where media go, if not with the site: the same keys but `keep_days`
        Optional "media", Own("table", &[Keys(DEPLOY_MEDIA)]);
        /// who is notified of a deploy
        Optional "notify", Own("table", &[Keys(NOTIFY)]);
    }

    /// `[deploy.media]` of `site.toml`.
    DEPLOY_MEDIA {
        /// where media are published
        Optional "to", Own("as above", &[Plain]);
        /// of a bucket: the service
        Optional "endpoint", Own("address", &[Plain]);
        /// of a bucket: its region
        Optional "region", Text(100);
        /// of a bucket: the variable that holds the id of the key
        Optional "key_env", VARIABLE;
        /// of a bucket: the variable that holds its secret
        Optional "secret_env", VARIABLE;
    }

    /// `[deploy.notify]` of `site.toml`.
    NOTIFY {
        /// the hubs that feeds name, and that are [told](deploy.md#tell-others) when they change
        Optional "websub", Own("list of addresses", &[Plain]), listed => Vec::<String>::new();
        /// the site's key for search engines; it is published
        Optional "indexnow", Own("8 to 128 of `A–Z a–z 0–9 -`", &[Plain]);
        /// where search engines are told
        Optional "indexnow_endpoint", Own("address", &[Plain]), left_out("that of all engines");
        /// is asked when the RSS feed changed, with its address in place of `{url}`
        Optional "podping", Own("address", &[Plain]);
        /// the variable that holds what that service asks for
        Optional "podping_token_env", VARIABLE;
        /// where JSON is posted after a deploy
        Optional "webhooks", Own("list of addresses", &[Plain]), listed => Vec::<String>::new();
        /// the variable that holds further such addresses, which are secrets
        Optional "webhooks_env", VARIABLE;
        /// the variable that holds the secret these are signed with
        Optional "webhook_secret_env", VARIABLE;
    }
}

/// `[deploy]`, checked. It changes no document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeployConfig {
    pub to: Option<Destination>,
    /// Where its media go, if not with it: `[deploy.media]`.
    pub media: Option<Destination>,
    /// For how many days a file stays that the site no longer has.
    pub keep_days: u16,
    /// Who is told of it.
    pub notify: NotifyConfig,
}

/// `[deploy.notify]`: who is told that something new is out there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NotifyConfig {
    /// The key of IndexNow, which search engines find in a file of the site; it is no secret.
    pub indexnow: Option<String>,
    /// Where IndexNow is told.
    pub indexnow_endpoint: Option<String>,
    /// Where a podcast's feed is told by GET, with `{url}` in place of its address.
    pub podping: Option<String>,
    /// The environment variable that holds the token of that service.
    pub podping_token_env: Option<String>,
    /// Where JSON is posted.
    pub webhooks: Vec<String>,
    /// The environment variable that holds further such addresses, which are secrets themselves.
    pub webhooks_env: Option<String>,
    /// The environment variable that holds the secret which these are signed with.
    pub webhook_secret_env: Option<String>,
}

impl NotifyConfig {
    /// Whether a key is one of IndexNow.
    pub fn is_key(text: &str) -> bool {
        (8..=128).contains(&text.len())
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    }
}

impl Default for DeployConfig {
    fn default() -> Self {
        Self { to: None, media: None, keep_days: 7, notify: NotifyConfig::default() }
    }
}

/// A place that files are put to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    /// A folder of this machine, from the site's root.
    Folder(String),
    /// A branch of a git repository.
    Git {
        /// A remote's name, an address or a path.
        remote: String,
        branch: String,
    },
    /// A bucket of S3-compatible storage.
    S3(Bucket),
    /// A folder of another machine, by rsync.
    Rsync(RemoteFolder),
    /// A folder of another machine, by SFTP.
    Sftp(RemoteFolder),
    Netlify(HostedSite),
    /// A project of Cloudflare Pages.
    CloudflarePages(HostedSite),
}

/// The environment variable that holds the id of an account at Cloudflare.
pub const ACCOUNT_ENV: &str = "CLOUDFLARE_ACCOUNT_ID";

/// A site as a host knows it that takes all of it at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostedSite {
    /// Its name there.
    pub name: String,
    /// The address of an API that is not the host's usual one.
    pub endpoint: Option<String>,
    /// The environment variable that holds the token.
    pub token_env: String,
}

/// A bucket, and where in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bucket {
    pub name: String,
    /// What the key of every object begins with: empty, or `walks/`.
    pub prefix: String,
    /// The address of a service that is not Amazon's.
    pub endpoint: Option<String>,
    /// The region it is in, as the service calls it.
    pub region: Option<String>,
    /// The environment variable that holds the id of the key.
    pub key_env: String,
    /// The environment variable that holds the secret of the key.
    pub secret_env: String,
}

/// A folder of a machine that ssh reaches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteFolder {
    /// `host`, or `user@host`.
    pub host: String,
    pub port: Option<u16>,
    pub folder: String,
}

impl Destination {
    /// What an address can begin with.
    const KINDS: [(&str, &str); 7] = [
        ("folder", "folder:/srv/www/site"),
        ("git", "git:origin#gh-pages"),
        ("s3", "s3://bucket or s3://bucket/prefix"),
        ("rsync", "rsync:user@host:/srv/www/site"),
        ("sftp", "sftp:user@host:/srv/www/site"),
        ("netlify", "netlify:site"),
        ("cloudflare-pages", "cloudflare-pages:project"),
    ];

    /// An example of each kind.
    pub fn examples() -> impl Iterator<Item = &'static str> {
        Self::KINDS.iter().map(|(_, example)| *example)
    }

    /// Reads an address. Err says what to write instead.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (kind, rest) = text.split_once(':').unwrap_or((text, ""));
        let kind = kind.to_ascii_lowercase();
        let Some((_, example)) = Self::KINDS.iter().find(|(name, _)| *name == kind) else {
            let examples: Vec<&str> = Self::examples().collect();
            return Err(format!("write one of {}", examples.join(", ")));
        };
        if text.chars().any(char::is_control) {
            return Err(format!("write it on one line, like {example}"));
        }
        if kind == "folder" && rest.starts_with('~') {
            return Err("write the whole path: a ~ is for shells".to_owned());
        }
        let read = match kind.as_str() {
            "folder" => (!rest.is_empty()).then(|| Self::Folder(rest.to_owned())),
            "git" => git(rest),
            "s3" => bucket(rest).map(Self::S3),
            "rsync" => RemoteFolder::parse(rest).map(Self::Rsync),
            "sftp" => RemoteFolder::parse(rest).map(Self::Sftp),
            "netlify" => HostedSite::parse(rest, "NETLIFY_AUTH_TOKEN").map(Self::Netlify),
            _ => HostedSite::parse(rest, "CLOUDFLARE_API_TOKEN").map(Self::CloudflarePages),
        };
        read.ok_or_else(|| format!("write it like {example}"))
    }

    /// How people write it, and how the program names it.
    pub fn address(&self) -> String {
        match self {
            Self::Folder(folder) => format!("folder:{folder}"),
            Self::Git { remote, branch } => format!("git:{remote}#{branch}"),
            Self::S3(bucket) => {
                format!("s3://{}/{}", bucket.name, bucket.prefix).trim_end_matches('/').to_owned()
            }
            Self::Rsync(at) => format!("rsync:{}", at.address()),
            Self::Sftp(at) => format!("sftp:{}", at.address()),
            Self::Netlify(site) => format!("netlify:{}", site.name),
            Self::CloudflarePages(site) => format!("cloudflare-pages:{}", site.name),
        }
    }

    /// The path of this place from another one that it lies in; empty if they are the same. `folder` tells which one of
    /// this machine is meant.
    pub fn below(&self, outer: &Self, folder: impl Fn(&str) -> PathBuf) -> Option<String> {
        let path = |inner: &Path, outer: &Path| {
            let path = inner.strip_prefix(outer).ok()?.to_str()?;
            Some(path.replace('\\', "/"))
        };
        match (self, outer) {
            (Self::Folder(inner), Self::Folder(outer)) => path(&folder(inner), &folder(outer)),
            (Self::S3(inner), Self::S3(outer)) => {
                let is_same = (&inner.name, &inner.endpoint) == (&outer.name, &outer.endpoint);
                path(Path::new(&inner.prefix), Path::new(&outer.prefix)).filter(|_| is_same)
            }
            (Self::Rsync(inner) | Self::Sftp(inner), Self::Rsync(outer) | Self::Sftp(outer)) => {
                path(Path::new(&inner.folder), Path::new(&outer.folder))
                    .filter(|_| inner.machine() == outer.machine())
            }
            _ => (self.address() == outer.address()).then(String::new),
        }
    }

    /// Whether it is a folder that a web server reads, which may send compressed copies that lie there.
    pub fn is_read_by_servers(&self) -> bool {
        matches!(self, Self::Folder(_) | Self::Rsync(_) | Self::Sftp(_))
    }

    /// Whether it is a host that takes a site as a whole, and keeps no file that is not sent with it.
    pub fn is_shown_as_a_whole(&self) -> bool {
        matches!(self, Self::Netlify(_) | Self::CloudflarePages(_))
    }

    /// Reached as another one of the same kind is.
    #[must_use]
    pub fn like(self, other: &Self) -> Self {
        match (self, other) {
            (Self::S3(own), Self::S3(other)) => {
                Self::S3(Bucket { name: own.name, prefix: own.prefix, ..other.clone() })
            }
            (Self::Netlify(own), Self::Netlify(other)) => Self::Netlify(own.like(other)),
            (Self::CloudflarePages(own), Self::CloudflarePages(other)) => {
                Self::CloudflarePages(own.like(other))
            }
            (own, _) => own,
        }
    }
}

/// `remote#branch`. git would take a remote that begins with a dash for an option, and runs a program for some
/// of those with two colons. A password or token would be published with the repository.
fn git(text: &str) -> Option<Destination> {
    let (remote, branch) = text.rsplit_once('#')?;
    let is_remote = !remote.is_empty()
        && !remote.starts_with('-')
        && !remote.contains("::")
        && !has_secret(remote);
    // git check-ref-format.
    let is_branch = !branch.is_empty()
        && !branch.starts_with(['-', '+', '/', '.'])
        && !branch.ends_with(['/', '.'])
        && !branch.contains("..")
        && !branch.contains("//")
        && !branch.contains("/.")
        && !branch.contains("@{")
        && !branch.contains([' ', '~', '^', ':', '?', '*', '[', '\\'])
        && !branch.split('/').any(|part| {
            std::path::Path::new(part)
                .extension()
                .is_some_and(|end| end.eq_ignore_ascii_case("lock"))
        });
    (is_remote && is_branch)
        .then(|| Destination::Git { remote: remote.to_owned(), branch: branch.to_owned() })
}

/// Whether an address holds a password, `https://user:word@host`, or what may be a token: over HTTP, that is any user.
fn has_secret(address: &str) -> bool {
    let Some((scheme, rest)) = address.split_once("://") else {
        return false;
    };
    let host = rest.split('/').next().unwrap_or(rest);
    let is_http = scheme.to_ascii_lowercase().starts_with("http");
    host.rsplit_once('@').is_some_and(|(user, _)| is_http || user.contains(':'))
}

/// `//bucket/prefix`.
fn bucket(text: &str) -> Option<Bucket> {
    let (name, prefix) = text.strip_prefix("//").map(|rest| match rest.split_once('/') {
        Some((name, prefix)) => (name, prefix.trim_matches('/')),
        None => (rest, ""),
    })?;
    let is_name = (3..=63).contains(&name.len())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_'));
    let is_prefix =
        prefix.is_empty() || prefix.split('/').all(|part| !matches!(part, "" | "." | ".."));
    (is_name && is_prefix).then(|| Bucket {
        name: name.to_owned(),
        prefix: match prefix {
            "" => String::new(),
            prefix => format!("{prefix}/"),
        },
        endpoint: None,
        region: None,
        key_env: "AWS_ACCESS_KEY_ID".to_owned(),
        secret_env: "AWS_SECRET_ACCESS_KEY".to_owned(),
    })
}

impl HostedSite {
    fn parse(name: &str, token_env: &str) -> Option<Self> {
        let is_name = (1..=255).contains(&name.len())
            && name.starts_with(|c: char| c.is_ascii_alphanumeric())
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.'));
        is_name.then(|| Self {
            name: name.to_owned(),
            endpoint: None,
            token_env: token_env.to_owned(),
        })
    }

    fn like(self, other: &Self) -> Self {
        Self { name: self.name, ..other.clone() }
    }
}

impl RemoteFolder {
    /// `user@host:/folder`, or `//user@host:port/folder` as in addresses.
    fn parse(text: &str) -> Option<Self> {
        let (host, port, folder) = match text.strip_prefix("//") {
            Some(rest) => {
                let at = rest.find('/')?;
                let (host, folder) = rest.split_at(at);
                match host.rsplit_once(':') {
                    Some((host, port)) => (host, Some(port.parse().ok()?), folder),
                    None => (host, None, folder),
                }
            }
            None => {
                let (host, folder) = text.split_once(':')?;
                (host, None, folder)
            }
        };
        let folder = folder.trim_end_matches('/');
        // ssh would take a host that begins with a dash for an option.
        let is_host = !host.is_empty()
            && !host.starts_with('-')
            && !host.contains("@-")
            && host
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_' | b'@'));
        let is_folder = !folder.is_empty() && !folder.starts_with('-');
        (is_host && is_folder).then(|| Self {
            host: host.to_owned(),
            port,
            folder: folder.to_owned(),
        })
    }

    /// The host, and who asks where the folder is one of theirs.
    fn machine(&self) -> (&str, Option<u16>) {
        let host = match self.host.rsplit_once('@') {
            Some((_, host)) if self.folder.starts_with('/') => host,
            _ => &self.host,
        };
        (host, self.port)
    }

    fn address(&self) -> String {
        match self.port {
            Some(port) => format!("//{}:{port}{}", self.host, self.folder),
            None => format!("{}:{}", self.host, self.folder),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_and_written_alike() {
        for text in [
            "folder:../out",
            "folder:/srv/www/a b",
            "git:origin#gh-pages",
            "git:git@host.example:ada/walks.git#pages/live",
            "git:https://host.example/walks.git#main",
            "s3://walks",
            "s3://walks/a/b",
            "rsync:ada@host.example:/srv/www",
            "rsync:host:www/walks",
            "sftp://ada@host.example:2222/srv/www",
            "netlify:walks",
            "netlify:walks.example",
            "cloudflare-pages:walks",
        ] {
            let parsed = Destination::parse(text).unwrap_or_else(|help| panic!("{text}: {help}"));
            assert_eq!(parsed.address(), text);
        }
    }

    #[test]
    fn what_would_be_an_option_or_a_program_is_refused() {
        for text in [
            "",
            "/srv/www",
            "folder:",
            "ftp:host:/srv",
            "git:origin",
            "git:https://ada:secret@host.example/w.git#main",
            "git:HTTPS://ghp_token@host.example/w.git#main",
            "git:ssh://ada:secret@host.example/w.git#main",
            "folder:~/www",
            "git:#main",
            "git:--upload-pack=x#main",
            "git:ext::sh -c x#main",
            "git:origin#-f",
            "git:origin#a..b",
            "git:origin#a.lock",
            "git:origin#+main",
            "s3:walks",
            "s3://w",
            "s3://wal ks",
            "s3://walks/../a",
            "rsync:host",
            "rsync:-oProxyCommand=x:/srv",
            "rsync:a@-oProxyCommand=x:/srv",
            "rsync:host:",
            "sftp:ho st:/srv",
            "sftp:host:/",
            "sftp://host:port/srv",
            "folder:a\nb",
            "netlify:",
            "netlify:../user",
            "cloudflare-pages:a/b",
            "cloudflare-pages:-a",
        ] {
            assert!(Destination::parse(text).is_err(), "{text}");
        }
    }
    #[test]
    fn a_place_lies_in_another_one() {
        let parse = |text| Destination::parse(text).unwrap();
        let below = |inner, outer| parse(inner).below(&parse(outer), |folder| folder.into());
        for (inner, outer, path) in [
            ("folder:/srv/www/media", "folder:/srv/www/", Some("media")),
            ("folder:/srv/www", "folder:/srv/www/.", Some("")),
            ("folder:/srv/www2", "folder:/srv/www", None),
            ("folder:/srv", "folder:/srv/www", None),
            ("s3://walks/media", "s3://walks", Some("media")),
            ("s3://walks/a/b", "s3://walks/a", Some("b")),
            ("s3://walks/ab", "s3://walks/a", None),
            ("s3://walks-media", "s3://walks", None),
            ("rsync:ada@host:/srv/www/media", "sftp:host:/srv/www", Some("media")),
            ("rsync:ada@host:www", "rsync:bob@host:www", None),
            ("git:origin#pages", "git:origin#pages", Some("")),
            ("git:origin#media", "git:origin#pages", None),
            ("netlify:walks", "cloudflare-pages:walks", None),
        ] {
            assert_eq!(below(inner, outer).as_deref(), path, "{inner} in {outer}");
        }
    }
}
