//! `[deploy]` of `site.toml`: the destination of the published site.

use std::path::Path;

use super::fields::Fields;
use super::realtime::is_variable_name;
use front_matter::Node;
use model::{
    Bucket, Config, DeployConfig, Destination, HostedSite, HostingTarget, NotifyConfig, Rule, url,
};

/// Keys that authors might use for secrets. These keys are errors, because `site.toml` is published
/// with the repository.
const SECRETS: [&str; 7] =
    ["access_key_id", "key", "password", "secret", "secret_access_key", "secret_key", "token"];

/// Reads `[deploy]`. Also returns the WebSub hubs, which are listed in the feeds.
pub fn read(fields: &Fields<'_, '_>) -> (DeployConfig, Vec<String>) {
    let usual = DeployConfig::default();
    refuse_secrets(fields);
    let days = fields.integer("keep_days");
    let (notify, hubs) = fields.table("notify", notify).unwrap_or_default();
    let config = DeployConfig {
        to: destination(fields),
        media: fields.table("media", media).flatten(),
        keep_days: days.and_then(|days| u16::try_from(days).ok()).unwrap_or(usual.keep_days),
        notify,
    };
    check_media(fields, &config);
    (config, hubs)
}

/// Reports an error if the site and its media have the same destination, where each deploy would
/// delete the other's files. Also reports an error if the host for media replaces all its files
/// with each deploy. Warns if removed media are not kept for apps that have an older feed.
fn check_media(fields: &Fields<'_, '_>, config: &DeployConfig) {
    let (Some(media), Some(node)) = (&config.media, fields.node("media")) else {
        return;
    };
    let reader = fields.reader;
    let folder = |folder: &str| Path::new("/site").join(folder);
    if (config.to.as_ref()).is_some_and(|to| media.below(to, folder).as_deref() == Some("")) {
        let message = "`deploy.media` has the same destination as the site";
        let help =
            "remove [deploy.media], or write a separate destination, such as a folder inside it";
        reader.error(&node.span, message, help);
    }
    if media.publishes_at_once() {
        let message = "`deploy.media` is a host that replaces all files at once: a recording would be removed before the pages that link to it";
        let help = "write a destination that stores each file separately: s3://…, folder:…, rsync:… or sftp:…";
        reader.error(&node.span, message, help);
    }
    if config.keep_days == 0 {
        let message = "`deploy.keep_days` is 0: recordings are deleted while apps still have feeds that link to them";
        let help = "remove `keep_days`, or write a number of days";
        reader.warning(Rule::Deploy, &node.span, message, help);
    }
}

/// Warns if media are deployed to a separate destination, but pages link to media at the site's
/// address.
pub fn warn_of_media_elsewhere(fields: &Fields<'_, '_>, config: &Config) {
    if let (Some(_), None, Some(node)) =
        (&config.deploy.media, &config.media_base_url, fields.node("deploy"))
    {
        let message =
            "media are deployed to `deploy.media`, but pages link to media at the site's address";
        let help = "add the address that serves the media: [media] with base_url = \"https://media.example\"";
        fields.reader.warning(Rule::Deploy, &node.span, message, help);
    }
}

/// Warns if the host supports rules for redirects and headers, but the site generates none.
pub fn warn_of_missing_rules(fields: &Fields<'_, '_>, config: &Config) {
    let name = match &config.deploy.to {
        Some(Destination::Netlify(_)) => "netlify",
        Some(Destination::CloudflarePages(_)) => "cloudflare-pages",
        _ => return,
    };
    // Netlify and Cloudflare Pages read the same two files.
    let readers = [HostingTarget::Netlify, HostingTarget::CloudflarePages];
    let has_rules = config.hosting.iter().any(|one| readers.contains(one));
    if let (false, Some(node)) = (has_rules, fields.node("deploy")) {
        let message = "no hosting rules are generated for this host: redirects become pages, and feeds lack the headers that web players need";
        let help = format!("add [hosting] with targets = [\"{name}\"]");
        fields.reader.warning(Rule::Deploy, &node.span, message, help);
    }
}

/// Reads `[deploy.notify]`. Also returns the WebSub hubs.
fn notify(fields: &Fields<'_, '_>) -> (NotifyConfig, Vec<String>) {
    refuse_secrets(fields);
    let config = NotifyConfig {
        indexnow: indexnow(fields),
        indexnow_endpoint: endpoint(fields, "indexnow_endpoint"),
        podping: endpoint(fields, "podping"),
        podping_token_env: variable(fields, "podping_token_env"),
        webhooks: endpoints(fields, "webhooks"),
        webhooks_env: variable(fields, "webhooks_env"),
        webhook_secret_env: variable(fields, "webhook_secret_env"),
    };
    (config, endpoints(fields, "websub"))
}

/// Reads the IndexNow key, in the form that indexnow.org specifies.
fn indexnow(fields: &Fields<'_, '_>) -> Option<String> {
    let node = fields.node("indexnow")?;
    let text = fields.as_string("indexnow", node)?;
    let is_key = NotifyConfig::is_key(&text);
    if !is_key {
        let message = format!("`{}` is not an IndexNow key: {text:?}", fields.name("indexnow"));
        let help =
            "write 8 to 128 letters and digits of your choice; the key is published as /<key>.txt";
        fields.reader.error(&node.span, message, help);
    }
    is_key.then_some(text)
}

fn endpoints(fields: &Fields<'_, '_>, key: &'static str) -> Vec<String> {
    let nodes = fields.list(key).iter();
    nodes.filter_map(|node| address(fields, key, node)).collect()
}

fn endpoint(fields: &Fields<'_, '_>, key: &'static str) -> Option<String> {
    address(fields, key, fields.node(key)?)
}

/// Reads `[deploy.media]`.
fn media(fields: &Fields<'_, '_>) -> Option<Destination> {
    refuse_secrets(fields);
    destination(fields)
}

/// Reads a destination from a table: the address and the other settings.
fn destination(fields: &Fields<'_, '_>) -> Option<Destination> {
    let node = fields.node("to");
    let parsed = node.and_then(|node| {
        let text = fields.as_string("to", node)?;
        let refuse = |help: String| {
            let message = format!("`{}` is not a valid destination", fields.name("to"));
            // The value may contain a password.
            fields.reader.unquoted_error(&node.span, message, help);
        };
        Destination::parse(&text).map_err(refuse).ok()
    });
    let endpoint = endpoint(fields, "endpoint").map(|url| url.trim_end_matches('/').to_owned());
    let region = fields.text("region");
    let [key_env, secret_env] = ["key_env", "secret_env"].map(|key| variable(fields, key));
    let unused = |keys: &[&'static str], help: &str| {
        for key in keys {
            let Some(node) = fields.node(key) else {
                continue;
            };
            let message = format!("`{}` is ignored: it applies only to buckets", fields.name(key));
            fields.reader.warning(Rule::Deploy, &node.span, message, help);
        }
    };
    let at_host = |site: HostedSite| {
        unused(&["region", "secret_env"], "remove it");
        HostedSite {
            endpoint: endpoint.clone(),
            token_env: key_env.clone().unwrap_or(site.token_env),
            ..site
        }
    };
    Some(match parsed? {
        Destination::S3(bucket) => Destination::S3(Bucket {
            endpoint: endpoint.clone(),
            region,
            key_env: key_env.clone().unwrap_or(bucket.key_env),
            secret_env: secret_env.unwrap_or(bucket.secret_env),
            ..bucket
        }),
        Destination::Netlify(site) => Destination::Netlify(at_host(site)),
        Destination::CloudflarePages(site) => Destination::CloudflarePages(at_host(site)),
        other => {
            let keys = ["endpoint", "region", "key_env", "secret_env"];
            unused(&keys, "remove it, or deploy to s3://…");
            other
        }
    })
}

/// Reads an address that receives confidential data. Plain `http:` is allowed only for this
/// machine.
fn address(fields: &Fields<'_, '_>, key: &'static str, node: &Node) -> Option<String> {
    let text = fields.as_string(key, node)?;
    if url::is_http(&text) && url::is_safe_for_secrets(&text) {
        return Some(text);
    }
    let message = format!("`{}` cannot be {text:?}", fields.name(key));
    let help = "write the full URL, starting with https://";
    fields.reader.error(&node.span, message, help);
    None
}

/// Reads the name of an environment variable.
fn variable(fields: &Fields<'_, '_>, key: &'static str) -> Option<String> {
    let node = fields.node(key)?;
    let text = fields.as_string(key, node)?;
    if is_variable_name(&text) {
        return Some(text);
    }
    // The value may be the secret itself.
    refuse(
        fields,
        key,
        "write the name of an environment variable, such as R2_KEY, and store the secret in that variable",
    );
    None
}

fn refuse_secrets(fields: &Fields<'_, '_>) {
    for key in SECRETS {
        if fields.misplaced(key).is_some() {
            refuse(
                fields,
                key,
                "create a new secret, store it in an environment variable, and write the variable's name in `key_env` or `secret_env`",
            );
        }
    }
}

fn refuse(fields: &Fields<'_, '_>, key: &'static str, help: &str) {
    let Some(node) = fields.node(key) else { return };
    let message =
        format!("a secret in `{}` would be published with the repository", fields.name(key));
    fields.reader.unquoted_error(&node.span, message, help);
}
