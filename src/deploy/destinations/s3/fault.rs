//! Converts errors from a storage service to faults with a remedy.

use std::error::Error as _;

use crate::Fault;
use model::Bucket;
use object_store::Error;

/// Whether the object is missing from an existing bucket.
pub fn is_missing_object(error: &Error) -> bool {
    matches!(error, Error::NotFound { .. }) && !full_message(error).contains("NoSuchBucket")
}

/// Converts an error to a fault. The client has already retried the request several times.
pub fn of(bucket: &Bucket, error: &Error) -> Fault {
    let text = full_message(error);
    let name = &bucket.name;
    let at = bucket.endpoint.as_deref().unwrap_or("Amazon S3");
    let keys = format!("{} and {}", bucket.key_env, bucket.secret_env);
    let detail = between(&text, "<Message>", "</Message>")
        .or_else(|| between(&text, "<Code>", "</Code>"))
        .map_or_else(String::new, |detail| format!(": {}", detail.trim_end_matches('.')));
    let is_refused =
        matches!(error, Error::PermissionDenied { .. } | Error::Unauthenticated { .. });
    if text.contains("NoSuchBucket") {
        let help = "create the bucket, or correct `to` and `endpoint` in [deploy]";
        Fault::permanent(format!("bucket {name} not found at {at}"), help)
    } else if text.contains("RequestTimeTooSkewed") {
        Fault::permanent(
            format!("{at} rejected the request because this machine's clock is wrong{detail}"),
            "correct the clock of this machine, and deploy again",
        )
    } else if is_refused
        || ["InvalidAccessKeyId", "SignatureDoesNotMatch", "AccessDenied"]
            .iter()
            .any(|code| text.contains(code))
    {
        Fault::permanent(
            format!("{at} rejected the key{detail}"),
            format!(
                "check that {keys} contain a key with permission to list, read, write and delete objects in the bucket {name}"
            ),
        )
    } else if text.contains("Received redirect")
        || text.contains("status code: 30")
        || text.contains("AuthorizationHeaderMalformed")
        || text.contains("PermanentRedirect")
    {
        Fault::permanent(
            format!("the bucket {name} is in another region{detail}"),
            "add `region` to [deploy]",
        )
    } else if text.contains("HTTP error") {
        let cause = match last_cause(error) {
            cause if cause.starts_with("timeout") => "it timed out".to_owned(),
            cause => cause,
        };
        Fault::permanent(
            format!("{at} cannot be reached: {cause}"),
            "check the network connection and `endpoint`; deploy again to continue",
        )
    } else {
        let detail = if detail.is_empty() { format!(": {}", last_cause(error)) } else { detail };
        Fault::permanent(format!("the request to {at} failed{detail}"), "deploy again to continue")
    }
}

/// Returns the messages of an error and its causes.
fn full_message(error: &Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text.push('\n');
        text.push_str(&inner.to_string());
        cause = inner.source();
    }
    text
}

fn last_cause(error: &Error) -> String {
    let mut last: &dyn std::error::Error = error;
    while let Some(inner) = last.source() {
        last = inner;
    }
    last.to_string()
}

fn between<'t>(text: &'t str, start: &str, end: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(start)?;
    let (found, _) = rest.split_once(end)?;
    Some(found).filter(|found| !found.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::Destination;

    #[test]
    fn a_bucket_is_in_another_region_only_if_the_service_says_so() {
        let message_for = |detail: &str| {
            let bucket = Destination::parse("s3://redirects").unwrap();
            let Destination::S3(bucket) = bucket else { panic!("{bucket:?}") };
            let error = Error::Generic { store: "S3", source: detail.to_owned().into() };
            model::Diagnostic::from(of(&bucket, &error)).to_string()
        };
        let bare = "PUT https://s3.example/redirects/a - Received redirect without LOCATION";
        let moved = "Server returned non-2xx status code: 301 Moved Permanently: ";
        let full = "PUT https://s3.example/redirects/_redirects - status code: 400 Bad Request: <Message>full</Message>";
        for (detail, is_elsewhere) in [(bare, true), (moved, true), (full, false)] {
            let message = message_for(detail);
            assert_eq!(message.contains("in another region"), is_elsewhere, "{message}");
        }
    }
}
