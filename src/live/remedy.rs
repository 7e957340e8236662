//! The remedies for findings, by host.

use super::Place;
use super::finding::{Finding, Need};
use fetch::Url;
use model::{Config, Destination, HostingTarget};

/// The host of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Host {
    Nginx,
    Caddy,
    Apache,
    Netlify,
    Cloudflare,
    Vercel,
    GithubPages,
    Bucket,
    /// The site's own server, whose software is unknown.
    Own,
    /// A server that the site's author may not control.
    Other,
}

impl Host {
    /// Returns the host of a finding's address: according to the site's configuration, otherwise
    /// according to the response.
    pub fn of(config: &Config, place: &Place, found: &Finding) -> Self {
        let url = Url::parse(&found.url).ok();
        let media = config.media_base_url.as_deref().and_then(|base| Url::parse(base).ok());
        let is = |base: &Url| url.as_ref().is_some_and(|url| url.origin() == base.origin());
        let software = || found.software.as_deref().and_then(Self::of_software);
        if is(&place.url) {
            let targets = config.hosting.iter().map(|target| Self::of_target(*target));
            let software = software();
            let configured = targets.clone().find(|target| Some(*target) == software);
            let configured = configured.or(targets.clone().next());
            let deployed = config.deploy.to.as_ref().and_then(Self::of_destination);
            return configured.or(deployed).or(software).unwrap_or(Self::Own);
        }
        let own_media = config.deploy.media.as_ref().filter(|_| media.as_ref().is_some_and(is));
        own_media.and_then(Self::of_destination).or_else(software).unwrap_or(Self::Other)
    }

    fn of_target(target: HostingTarget) -> Self {
        match target {
            HostingTarget::Nginx => Self::Nginx,
            HostingTarget::Caddy => Self::Caddy,
            HostingTarget::Apache => Self::Apache,
            HostingTarget::Netlify => Self::Netlify,
            HostingTarget::CloudflarePages => Self::Cloudflare,
            HostingTarget::Vercel => Self::Vercel,
            HostingTarget::GithubPages => Self::GithubPages,
        }
    }

    fn of_destination(destination: &Destination) -> Option<Self> {
        match destination {
            Destination::S3(_) => Some(Self::Bucket),
            Destination::Netlify(_) => Some(Self::Netlify),
            Destination::CloudflarePages(_) => Some(Self::Cloudflare),
            _ => None,
        }
    }

    /// Returns the host that a `Server` header names.
    fn of_software(server: &str) -> Option<Self> {
        let names = [
            ("nginx", Self::Nginx),
            ("caddy", Self::Caddy),
            ("apache", Self::Apache),
            ("netlify", Self::Netlify),
            ("vercel", Self::Vercel),
            ("github.com", Self::GithubPages),
            ("amazons3", Self::Bucket),
        ];
        let server = server.to_ascii_lowercase();
        names.into_iter().find(|(name, _)| server.starts_with(name)).map(|(_, host)| host)
    }

    /// Returns how to configure headers at the host.
    fn headers(self) -> &'static str {
        match self {
            Self::Nginx => {
                "add \"nginx\" to `targets` in [hosting], include feedwright.nginx.conf in the server block, and reload nginx"
            }
            Self::Caddy => {
                "add \"caddy\" to `targets` in [hosting], import feedwright.caddy in the site's block, and reload Caddy"
            }
            Self::Apache => {
                "add \"apache\" to `targets` in [hosting], set `AllowOverride FileInfo`, and enable mod_headers and mod_rewrite"
            }
            Self::Netlify => "add \"netlify\" to `targets` in [hosting], and deploy again",
            Self::Cloudflare => {
                "add \"cloudflare-pages\" to `targets` in [hosting], and deploy again"
            }
            Self::Vercel => "add \"vercel\" to `targets` in [hosting], and deploy again",
            Self::GithubPages => "GitHub Pages has fixed headers: ignore this, or change the host",
            Self::Bucket => {
                "deploy again, which sets the types and caching of all objects, and add a CORS rule to the bucket or its CDN"
            }
            Self::Own => {
                "name your server in `targets` of [hosting], and include the file that the build writes"
            }
            Self::Other => "ask the host of this address, or move the file to another host",
        }
    }
}

/// Returns the remedy for a problem.
pub fn remedy(need: Need, host: Host) -> &'static str {
    match need {
        Need::MediaType | Need::Cors => host.headers(),
        Need::Caching => match host {
            Host::Netlify | Host::Cloudflare => {
                "remove custom Cache-Control rules of the host's dashboard and of `_headers`, and deploy again"
            }
            host => host.headers(),
        },
        Need::Compression => match host {
            Host::Nginx => {
                "set `precompress = true` in [output] and include feedwright.nginx.conf, or write `gzip on;`"
            }
            Host::Caddy => {
                "write `encode gzip`, or set `precompress = true` in [output] and `precompressed gzip` in file_server"
            }
            Host::Apache => "set `precompress = true` in [output], or enable mod_deflate",
            Host::Bucket => "turn on compression in the CDN in front of the bucket",
            _ => "turn on gzip compression for HTML, XML and JSON at the host",
        },
        Need::Validators => match host {
            Host::Nginx => "remove `etag off;` and `if_modified_since off;` from nginx",
            Host::Apache => "remove `FileETag None` and `Header unset Last-Modified` from Apache",
            _ => "let the server send ETag or Last-Modified, and answer conditional requests",
        },
        Need::Head => "allow HEAD requests, with the headers of GET: directories send HEAD first",
        Need::Ranges => match host {
            Host::Nginx => "remove `max_ranges 0;`, and do not proxy or compress recordings",
            Host::Caddy => "serve recordings with file_server, and exclude them from `encode`",
            Host::Apache => "remove `MaxRanges none`, and do not compress recordings",
            Host::Cloudflare => "serve recordings from a bucket, and set `base_url` in [media]",
            _ => "use a host that supports byte ranges: Apple rejects shows without them",
        },
        Need::Reach => {
            "start the server, or correct its DNS records, firewall, `base_url` or address in the feed"
        }
        Need::Answer => "let the server send complete responses in time, with short headers",
        Need::Status => "deploy again, or correct the address; allow requests by programs",
        Need::Certificate => match host {
            Host::Nginx | Host::Apache => {
                "renew the certificate with `certbot renew`, then reload the server"
            }
            Host::Caddy => "let Caddy manage the certificate, and look for errors in its log",
            Host::Own => "renew the certificate, and serve the site only with https",
            _ => "turn on https at the host, or enter the domain there again",
        },
        Need::NotFound => match host {
            Host::Nginx | Host::Caddy | Host::Apache => host.headers(),
            Host::Bucket => "set 404.html as the error document, with status 404",
            _ => "let the host answer with 404.html and status 404, not with the home page",
        },
        Need::Redirect => "link to the final address, or redirect to it at once, with https",
        Need::BaseUrl => "write the final address as `base_url` in site.toml, and deploy again",
        Need::Recording => {
            "deploy again; if the file changed, rename it, because apps and caches keep the old one"
        }
        Need::Artwork => {
            "publish a square JPEG or PNG of 1400 to 3000 pixels, readable by programs"
        }
        Need::Feed => "deploy again, then purge the caches of the host or CDN",
        Need::Size => "set `limit` in [feed], so that older items are in further documents",
        Need::Robots => "allow feeds and media in robots.txt",
        Need::Hub => "correct or remove the hub in `websub` of [deploy.notify]",
    }
}
