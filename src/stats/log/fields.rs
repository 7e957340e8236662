//! The fields of log formats with named fields: JSON lines and W3C extended logs.

use std::borrow::Cow;

use super::combined::split_request;
use super::{Method, Reason, Request, status, time};

/// The meaning of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldMeaning {
    Address,
    Time,
    Date,
    TimeOfDay,
    Method,
    Target,
    /// The method and the target in a single field.
    RequestLine,
    Status,
    Bytes,
    Agent,
}

const FIELD_COUNT: usize = 10;

/// For each meaning, the names of fields in the logs of servers and CDNs, most reliable first.
/// Names are in lower case. They contain only letters, digits, and dots between the names of nested
/// objects.
const NAMES: [(FieldMeaning, &[&str]); FIELD_COUNT] = [
    (
        FieldMeaning::Address,
        &[
            "clientip", "request.clientip", "request.remoteip", "remoteip", "remoteaddr", "cip",
            "httprequest.remoteip", "clienthost", "clientaddr", "client.ip", "source.ip", "ip",
            "remotehost", "host.ip", "client", "remote",
        ],
    ),
    (
        FieldMeaning::Time,
        &[
            "edgestarttimestamp", "timeiso8601", "startutc", "timestamp", "ts", "msec",
            "starttime", "datetime", "timelocal", "eventtime", "time", "startlocal",
            "receivetimestamp",
        ],
    ),
    (FieldMeaning::Date, &["date"]),
    (FieldMeaning::TimeOfDay, &["time"]),
    (
        FieldMeaning::Method,
        &[
            "clientrequestmethod", "requestmethod", "request.method", "httprequest.requestmethod",
            "http.request.method", "csmethod", "method", "verb",
        ],
    ),
    (
        FieldMeaning::Target,
        &[
            "clientrequesturi", "requesturi", "request.uri", "httprequest.requesturl",
            "requesturl", "csuristem", "requestpath", "clientrequestpath", "url.path",
            "url.original", "uri", "url", "path",
        ],
    ),
    (FieldMeaning::RequestLine, &["request", "requestline"]),
    (
        FieldMeaning::Status,
        &[
            "edgeresponsestatus", "status", "scstatus", "httprequest.status", "downstreamstatus",
            "responsestatus", "statuscode", "http.response.statuscode", "responsecode",
        ],
    ),
    (
        FieldMeaning::Bytes,
        &[
            "bodybytessent", "edgeresponsebytes", "size", "responsebodysize", "respbodysize",
            "httprequest.responsesize", "downstreamcontentsize", "http.response.body.bytes",
            "scbytes", "responsesize", "responsebytes", "bytessent", "bytes",
        ],
    ),
    (
        FieldMeaning::Agent,
        &[
            "clientrequestuseragent", "httpuseragent", "request.headers.useragent",
            "requestuseragent", "httprequest.useragent", "useragent.original", "csuseragent",
            "useragent", "agent",
        ],
    ),
];

/// Returns the meanings of a field with this name, each with a rank. A field with a lower rank is
/// more reliable.
pub(super) fn field_meanings(name: &str) -> impl Iterator<Item = (FieldMeaning, usize)> {
    let name: String = name
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || *c == '.')
        .map(|c| c.to_ascii_lowercase())
        .collect();
    NAMES.iter().filter_map(move |(part, names)| {
        let at = names.iter().position(|known| *known == name)?;
        Some((*part, at))
    })
}

/// The fields of a line that describe a request.
#[derive(Debug, Default)]
pub(super) struct RequestFields<'l>([Option<(usize, Cow<'l, str>)>; FIELD_COUNT]);

impl<'l> RequestFields<'l> {
    /// Sets a field. If several fields have the same meaning, the most reliable field is used.
    pub(super) fn set(&mut self, (part, rank): (FieldMeaning, usize), value: Cow<'l, str>) {
        let place = &mut self.0[part as usize];
        if place.as_ref().is_none_or(|(known, _)| rank < *known) {
            *place = Some((rank, value));
        }
    }

    fn take(&mut self, part: FieldMeaning) -> Option<Cow<'l, str>> {
        self.0[part as usize].take().map(|(_, value)| value)
    }

    /// Builds the request from the fields.
    pub(super) fn request(mut self) -> Result<Request<'l>, Reason> {
        let time = self.time()?;
        let address = self.take(FieldMeaning::Address).ok_or("the address is missing")?;
        let line = self.take(FieldMeaning::RequestLine);
        let of_line = line.as_deref().map(split_request);
        let target = self.take(FieldMeaning::Target);
        let target = match (target, of_line) {
            (Some(target), _) => target,
            (None, Some((_, target))) => Cow::Owned(target.to_owned()),
            (None, None) => return Err("the path is missing"),
        };
        let method = match (self.take(FieldMeaning::Method), of_line) {
            (Some(method), _) => Method::parse(&method),
            (None, Some((method, _))) => method,
            (None, None) => return Err("the method is missing"),
        };
        let status = self.take(FieldMeaning::Status).ok_or("the status is missing")?;
        let bytes = self.take(FieldMeaning::Bytes).filter(|bytes| bytes != "-");
        let bytes = bytes.map(|bytes| bytes.parse().map_err(|_| "the number of bytes is invalid"));
        let agent = self.take(FieldMeaning::Agent).map(|agent| match &*agent {
            "-" => Cow::Borrowed(""),
            _ => agent,
        });
        Ok(Request {
            address,
            time,
            method,
            target,
            status: self::status(&status).ok_or("the status is not a number")?,
            bytes: bytes.transpose()?,
            agent,
        })
    }

    fn time(&mut self) -> Result<i64, Reason> {
        let date = self.take(FieldMeaning::Date);
        let of_day = self.take(FieldMeaning::TimeOfDay);
        let time = match (date, of_day, self.take(FieldMeaning::Time)) {
            (Some(date), Some(of_day), _) => time::any(&format!("{date}T{of_day}")),
            (_, _, Some(text)) => time::any(&text),
            (Some(date), None, None) => time::any(&date),
            _ => return Err("the time is missing"),
        };
        time.ok_or("the time is invalid")
    }
}
