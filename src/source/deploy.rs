//! `[deploy]` of `site.toml`: where the site is published to.

use super::fields::Fields;
use super::realtime::is_variable;
use crate::model::{Bucket, DeployConfig, Destination, Diagnostic, url};

/// Keys that people give secrets, which a repository would publish.
const SECRETS: [&str; 7] = [
    "access_key_id",
    "key",
    "password",
    "secret",
    "secret_access_key",
    "secret_key",
    "token",
];

pub fn read(fields: &Fields<'_, '_>) -> DeployConfig {
    let usual = DeployConfig::default();
    refuse_secrets(fields);
    let days = fields.integer("keep_days", 0..=365);
    DeployConfig {
        to: destination(fields),
        keep_days: days
            .and_then(|days| u16::try_from(days).ok())
            .unwrap_or(usual.keep_days),
    }
}

/// What a destination needs beside its address stands in keys of the same table.
fn destination(fields: &Fields<'_, '_>) -> Option<Destination> {
    let node = fields.node("to");
    let parsed = node.and_then(|node| {
        let text = fields.as_string("to", node)?;
        let refuse = |help: String| {
            // It may hold a password, which is not for terminals and logs.
            let error =
                Diagnostic::error(format!("`{}` is no place to deploy to", fields.name("to")));
            fields.reader.report(Diagnostic {
                source_line: None,
                source_start: None,
                ..error.at(fields.reader.source, node.span.start).help(help)
            });
        };
        Destination::parse(&text).map_err(refuse).ok()
    });
    let endpoint = endpoint(fields);
    let region = fields.text("region", 100);
    let [key_env, secret_env] = ["key_env", "secret_env"].map(|key| variable(fields, key));
    let keys = ["endpoint", "region", "key_env", "secret_env"];
    Some(match parsed? {
        Destination::S3(bucket) => Destination::S3(Bucket {
            endpoint,
            region,
            key_env: key_env.unwrap_or(bucket.key_env),
            secret_env: secret_env.unwrap_or(bucket.secret_env),
            ..bucket
        }),
        other => {
            let unused = keys.iter().filter_map(|key| Some((key, fields.node(key)?)));
            for (key, node) in unused {
                let message = format!("`{}` is for buckets alone", fields.name(key));
                let help = "leave it out, or deploy to s3://…";
                fields.reader.warning(&node.span, message, help);
            }
            other
        }
    })
}

/// Keys and files are sent there, so plain http is for this machine alone.
fn endpoint(fields: &Fields<'_, '_>) -> Option<String> {
    let node = fields.node("endpoint")?;
    let text = fields.http_url("endpoint")?;
    let text = text.trim_end_matches('/');
    if url::takes_secrets(text) {
        return Some(text.to_owned());
    }
    let message = format!("`{}` cannot be {text:?}", fields.name("endpoint"));
    let help = "write https:// and the host of the service: https://s3.example";
    fields.reader.error(&node.span, message, help);
    None
}

/// The name of an environment variable.
fn variable(fields: &Fields<'_, '_>, key: &'static str) -> Option<String> {
    let node = fields.node(key)?;
    let text = fields.as_string(key, node)?;
    if is_variable(&text) {
        return Some(text);
    }
    // It may be the secret itself.
    refuse(
        fields,
        key,
        "write the name of an environment variable, such as R2_KEY, and put the secret into that",
    );
    None
}

fn refuse_secrets(fields: &Fields<'_, '_>) {
    for key in SECRETS {
        if fields.node(key).is_some() {
            refuse(
                fields,
                key,
                "take another secret, and put it into the environment: `key_env` and `secret_env` name variables",
            );
        }
    }
}

/// The report does not quote the line: it goes to terminals and logs.
fn refuse(fields: &Fields<'_, '_>, key: &'static str, help: &str) {
    let Some(node) = fields.node(key) else { return };
    let message = format!(
        "`{}` would be published with the repository",
        fields.name(key)
    );
    fields.reader.report(Diagnostic {
        source_line: None,
        source_start: None,
        ..Diagnostic::error(message)
            .at(fields.reader.source, node.span.start)
            .help(help)
    });
}
