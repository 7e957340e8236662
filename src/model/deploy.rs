//! The destinations of a site: `[deploy]` of `site.toml`.

use std::path::{Path, PathBuf};

use super::declare::keys;
use super::shape::{Kind, Written};

/// The [`Kind`] of a key whose value is the name of an environment variable.
pub const VARIABLE_NAME: Kind = Kind::Own("an environment variable's name", &[Written::Plain]);

keys! {
    /// Keys of `[deploy]` in `site.toml`.
    DEPLOY {
        /// [destination](deploy.md) of `feedwright deploy`
        Optional "to", Own("`s3://…`, `git:…`, `folder:…`, `rsync:…`, `sftp:…`, `netlify:…` or `cloudflare-pages:…`", &[Plain]);
        /// days to keep a published file that the site no longer has
        Optional "keep_days", Between(0, 365) => 7;
        /// address of the bucket's storage service, or of the host's API: `https://`, or `http://`
        /// on this machine
        Optional "endpoint", Own("address", &[Plain]), left_out("address of Amazon S3 or of the host's API");
        /// region of the bucket
        Optional "region", Text(100), left_out("from the environment");
        /// environment variable with the bucket's access key id or the host's token; do not write
        /// the key itself
        Optional "key_env", VARIABLE_NAME, left_out("`AWS_ACCESS_KEY_ID`, `NETLIFY_AUTH_TOKEN` or `CLOUDFLARE_API_TOKEN`");
        /// environment variable with the bucket's secret key
        Optional "secret_env", VARIABLE_NAME, left_out("`AWS_SECRET_ACCESS_KEY`");
        /// separate destination for media
        Optional "media", Own("table", &[Keys(DEPLOY_MEDIA)]);
        /// services to notify of a deploy
        Optional "notify", Own("table", &[Keys(NOTIFY)]);
    }

    /// Keys of `[deploy.media]` in `site.toml`.
    DEPLOY_MEDIA {
        /// destination of media
        Optional "to", Own("as above", &[Plain]);
        /// address of the bucket's storage service
        Optional "endpoint", Own("address", &[Plain]);
        /// region of the bucket
        Optional "region", Text(100);
        /// environment variable with the bucket's access key id
        Optional "key_env", VARIABLE_NAME;
        /// environment variable with the bucket's secret key
        Optional "secret_env", VARIABLE_NAME;
    }

    /// Keys of `[deploy.notify]` in `site.toml`.
    NOTIFY {
        /// addresses of WebSub hubs that feeds link to and deploys [notify](deploy.md#tell-others)
        Optional "websub", Own("list of addresses", &[Plain]), listed => Vec::<String>::new();
        /// public key of the site for IndexNow
        Optional "indexnow", Own("8 to 128 of `A–Z a–z 0–9 -`", &[Plain]);
        /// address of the IndexNow service
        Optional "indexnow_endpoint", Own("address", &[Plain]), left_out("api.indexnow.org");
        /// address to request when the RSS feed changes; `{url}` becomes the feed's address
        Optional "podping", Own("address", &[Plain]);
        /// environment variable with the token of the `podping` service
        Optional "podping_token_env", VARIABLE_NAME;
        /// addresses that receive JSON after a deploy, by POST
        Optional "webhooks", Own("list of addresses", &[Plain]), listed => Vec::<String>::new();
        /// environment variable with further webhook addresses, which stay secret
        Optional "webhooks_env", VARIABLE_NAME;
        /// environment variable with the secret for signing webhook messages
        Optional "webhook_secret_env", VARIABLE_NAME;
    }
}

/// The validated settings of `[deploy]`, which do not affect any document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeployConfig {
    pub to: Option<Destination>,
    /// Separate destination for media: `[deploy.media]`. None means that media are published with
    /// the site.
    pub media: Option<Destination>,
    /// Number of days to keep a published file that the site no longer has.
    pub keep_days: u16,
    /// Services to notify of a deploy.
    pub notify: NotifyConfig,
}

/// `[deploy.notify]`: services to notify of new content.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NotifyConfig {
    /// IndexNow key. The site publishes it in a file for search engines, so it is not secret.
    pub indexnow: Option<String>,
    /// Address of the IndexNow service, if it is not the default.
    pub indexnow_endpoint: Option<String>,
    /// Address to request by GET when a podcast's feed changes. `{url}` is replaced with the feed's
    /// address.
    pub podping: Option<String>,
    /// Environment variable that holds the token of the `podping` service.
    pub podping_token_env: Option<String>,
    /// Addresses that receive JSON after a deploy, by POST.
    pub webhooks: Vec<String>,
    /// Environment variable that holds further webhook addresses, which are secret.
    pub webhooks_env: Option<String>,
    /// Environment variable that holds the secret for signing webhook messages.
    pub webhook_secret_env: Option<String>,
}

impl NotifyConfig {
    /// Returns whether a string is a valid IndexNow key.
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

/// A destination for published files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    /// A folder on this machine. A relative path is relative to the site's root.
    Folder(String),
    /// A branch of a git repository.
    Git {
        /// Name, address or path of the remote.
        remote: String,
        branch: String,
    },
    /// A bucket of S3-compatible storage.
    S3(Bucket),
    /// A folder on another machine, published with rsync.
    Rsync(RemoteFolder),
    /// A folder on another machine, published with SFTP.
    Sftp(RemoteFolder),
    Netlify(HostedSite),
    /// A project of Cloudflare Pages.
    CloudflarePages(HostedSite),
}

/// Environment variable that holds the id of a Cloudflare account.
pub const ACCOUNT_ENV: &str = "CLOUDFLARE_ACCOUNT_ID";

/// A site at a host that publishes all files of a deploy at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostedSite {
    /// Name of the site at the host.
    pub name: String,
    /// Address of the API, if it is not the host's default.
    pub endpoint: Option<String>,
    /// Environment variable that holds the token.
    pub token_env: String,
}

/// A bucket, and a folder in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bucket {
    pub name: String,
    /// Prefix of all object keys, such as `walks/`, or an empty string.
    pub prefix: String,
    /// Address of the service, if it is not Amazon's.
    pub endpoint: Option<String>,
    /// Region of the bucket, in the notation of the service.
    pub region: Option<String>,
    /// Environment variable that holds the access key id.
    pub key_env: String,
    /// Environment variable that holds the secret key.
    pub secret_env: String,
}

/// A folder on a machine that is accessed over SSH.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteFolder {
    /// `host`, or `user@host`.
    pub host: String,
    pub port: Option<u16>,
    pub folder: String,
}

impl Destination {
    /// Schemes of destination addresses, each with an example.
    const KINDS: [(&str, &str); 7] = [
        ("folder", "folder:/srv/www/site"),
        ("git", "git:origin#gh-pages"),
        ("s3", "s3://bucket or s3://bucket/prefix"),
        ("rsync", "rsync:user@host:/srv/www/site"),
        ("sftp", "sftp:user@host:/srv/www/site"),
        ("netlify", "netlify:site"),
        ("cloudflare-pages", "cloudflare-pages:project"),
    ];

    /// Returns an example address for each kind of destination.
    pub fn examples() -> impl Iterator<Item = &'static str> {
        Self::KINDS.iter().map(|(_, example)| *example)
    }

    /// Parses an address. The error says what to write instead.
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
            return Err("write the whole path: only shells expand ~".to_owned());
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

    /// Returns the address in the form that authors write and feedwright displays.
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

    /// Returns the path of this destination below `outer`; empty if the destinations are equal.
    /// Returns None if this destination is not inside `outer`. `folder` resolves local paths.
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

    /// Returns whether a web server reads the files from disk, and can send the compressed copies
    /// next to the files.
    pub fn is_served_from_disk(&self) -> bool {
        matches!(self, Self::Folder(_) | Self::Rsync(_) | Self::Sftp(_))
    }

    /// Returns whether the host publishes all files of a deploy at once, and keeps no other files.
    pub fn publishes_at_once(&self) -> bool {
        matches!(self, Self::Netlify(_) | Self::CloudflarePages(_))
    }

    /// Returns this destination with the connection settings of another destination of the same
    /// kind.
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

/// Parses `remote#branch`. Rejects a leading dash, because git would read the remote as an option,
/// and `::`, because git may run a program for such a remote. Also rejects passwords and tokens,
/// because they would be published with the repository.
fn git(text: &str) -> Option<Destination> {
    let (remote, branch) = text.rsplit_once('#')?;
    let is_remote = !remote.is_empty()
        && !remote.starts_with('-')
        && !remote.contains("::")
        && !has_secret(remote);
    // Rules of `git check-ref-format`.
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

/// Returns whether an address contains a password, as in `https://user:password@host`, or a
/// possible token. Over HTTP, any user name can be a token.
fn has_secret(address: &str) -> bool {
    let Some((scheme, rest)) = address.split_once("://") else {
        return false;
    };
    let host = rest.split('/').next().unwrap_or(rest);
    let is_http = scheme.to_ascii_lowercase().starts_with("http");
    host.rsplit_once('@').is_some_and(|(user, _)| is_http || user.contains(':'))
}

/// Parses `//bucket/prefix`.
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
    /// Parses `user@host:/folder`, or `//user@host:port/folder` as in URLs.
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
        // ssh would read a host that begins with a dash as an option.
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

    /// Returns the host and the port. The host includes the user if the folder is relative, because
    /// the folder is then relative to the user's home folder.
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
    fn a_destination_address_round_trips() {
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
    fn addresses_with_options_or_programs_are_refused() {
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
    fn a_destination_can_contain_another() {
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
