//! Deploys to Cloudflare Pages by direct upload, in the same way as Cloudflare's own program
//! `wrangler`.
//!
//! Files that the host lacks are sent in batches. Then a deployment is created from the paths and
//! digests of all files. The deployment becomes public when it is complete. Rules for redirects and
//! headers are sent with the deployment, not as files. The message of a deployment contains a hash
//! of its content, so that an unchanged site is not published again.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::{Value, json};

use super::api::{Api, Body, JSON, error_message, variable};
use super::{Host, digests, each, read, too_large};
use crate::run::batches;
use crate::{Deployed, Fault, LocalFile, Plan, Put};
use builder::Progress;
use model::{ACCOUNT_ENV, HostedSite};

const API: &str = "https://api.cloudflare.com/client/v4";

/// Maximum size of a file in bytes.
const MAX_FILE_SIZE: u64 = 25 * 1024 * 1024;

/// Maximum number of files, unless the account has a higher limit.
const DEFAULT_MAX_FILES: usize = 20_000;

/// Maximum number of files in a batch, and its approximate maximum size in bytes.
const BATCH: (usize, u64) = (500, 20 * 1024 * 1024);

/// Files with rules for redirects and headers. Cloudflare does not publish them as files of the
/// site.
const RULES: [&str; 2] = ["_headers", "_redirects"];

/// Maximum time for a deployment to complete after the upload.
const DEPLOYMENT_TIMEOUT: Duration = Duration::from_mins(10);

pub struct CloudflarePages {
    api: Api,
    /// The path of the project in Cloudflare's API.
    project: String,
    /// The digest of each file, in the order of the site's files.
    digests: Vec<String>,
    /// The digests of the files that the host lacks.
    missing: HashSet<String>,
    /// The token for uploading files. It is valid for a few minutes.
    upload: Mutex<String>,
}

impl CloudflarePages {
    /// Opens a project. Sends no request.
    pub fn open(site: &HostedSite) -> Result<Self, Fault> {
        let api = Api::new("Cloudflare Pages", API, site)?;
        let account = variable(api.host, ACCOUNT_ENV)?;
        if !account.bytes().all(|b| b.is_ascii_alphanumeric()) {
            let help =
                "copy the account id from the Cloudflare dashboard: it has only letters and digits";
            return Err(Fault::permanent(format!("{ACCOUNT_ENV} is not a valid account id"), help));
        }
        Ok(Self {
            api,
            project: format!("/accounts/{account}/pages/projects/{}", site.name),
            digests: Vec::new(),
            missing: HashSet::new(),
            upload: Mutex::default(),
        })
    }

    /// Returns the message of the public deployment.
    fn published_message(&self) -> Result<Option<String>, Fault> {
        let reply = self.api.send_request("GET", &self.project, None)?;
        let name = self.project.rsplit('/').next().unwrap_or_default();
        if reply.status == 404 {
            return Err(Fault::permanent(
                format!(
                    "project {name} not found at Cloudflare Pages, or the token has no access to it"
                ),
                "create the project at Cloudflare Pages for direct upload, or correct `to` in [deploy]",
            ));
        }
        let project = self.result(reply.status, reply.body)?;
        let message =
            &project["canonical_deployment"]["deployment_trigger"]["metadata"]["commit_message"];
        Ok(message.as_str().map(str::to_owned))
    }

    /// Returns the `result` of a response, or an error if the request was not successful.
    fn result(&self, status: u16, mut body: Value) -> Result<Value, Fault> {
        match (status, &body["success"]) {
            (200..=299, Value::Bool(true)) => Ok(body["result"].take()),
            (200..=299, _) => Err(self.api.refused(None, &error_message(&body))),
            (status, _) => Err(self.api.refused(Some(status), &error_message(&body))),
        }
    }

    fn get(&self, method: &str, path: &str, body: Option<Body<'_>>) -> Result<Value, Fault> {
        let reply = self.api.send_request(method, path, body)?;
        self.result(reply.status, reply.body)
    }

    /// Requests a new token for uploading files.
    fn renew(&self) -> Result<String, Fault> {
        let given = self.get("GET", &format!("{}/upload-token", self.project), None)?;
        let Some(token) = given["jwt"].as_str() else {
            return Err(self.api.refused(None, "its response contains no upload token"));
        };
        *self.upload.lock().unwrap_or_else(PoisonError::into_inner) = token.to_owned();
        Ok(token.to_owned())
    }

    /// Sends a request to the assets API. Renews the token if it has expired.
    fn assets(&self, what: &str, body: &Value) -> Result<Value, Fault> {
        let (path, body) = (format!("/pages/assets/{what}"), body.to_string());
        let body = Some((JSON, body.as_bytes()));
        let token = self.upload.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let mut reply = self.api.request_with_token(&token, "POST", &path, body)?;
        if matches!(reply.status, 401 | 403) {
            reply = self.api.request_with_token(&self.renew()?, "POST", &path, body)?;
        }
        self.result(reply.status, reply.body)
    }

    /// Returns the files of the site, without the files that contain rules, and the digest of each
    /// file.
    fn files<'a>(
        &'a self,
        output_files: &'a [LocalFile],
    ) -> impl Iterator<Item = (&'a LocalFile, &'a String)> {
        output_files.iter().zip(&self.digests).filter(|(file, _)| !is_rules(file))
    }

    /// Returns the digests of all files without duplicates.
    fn hashes<'a>(&'a self, output_files: &'a [LocalFile]) -> BTreeSet<&'a String> {
        self.files(output_files).map(|(_, digest)| digest).collect()
    }

    fn send(&self, batch: &[(&LocalFile, &String)]) -> Result<(), Fault> {
        let files: Vec<Value> = batch
            .iter()
            .map(|(file, digest)| {
                let bytes = read(file)?;
                Ok(json!({
                    "key": digest,
                    "value": STANDARD.encode(bytes),
                    "metadata": { "contentType": file.sent_as.media_type },
                    "base64": true,
                }))
            })
            .collect::<Result<_, Fault>>()?;
        let taken = self.assets("upload", &Value::Array(files))?;
        match taken["unsuccessful_keys"].as_array() {
            Some(keys) if !keys.is_empty() => {
                Err(self.api.refused(None, "it did not accept all files"))
            }
            _ => Ok(()),
        }
    }

    /// Creates a deployment by sending a form with paths, digests and rules. Returns the id of the
    /// deployment.
    fn create(&self, output_files: &[LocalFile]) -> Result<String, Fault> {
        let manifest: BTreeMap<String, &String> = self
            .files(output_files)
            .map(|(file, digest)| (format!("/{}", file.path), digest))
            .collect();
        let boundary = format!("feedwright-{}", edit::new_id());
        let mut form = Vec::new();
        let mut field = |name: &str, is_file: bool, bytes: &[u8]| {
            let file = if is_file {
                format!("; filename=\"{name}\"\r\nContent-Type: text/plain")
            } else {
                String::new()
            };
            let head = format!(
                "--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n"
            );
            form.extend_from_slice(head.as_bytes());
            form.extend_from_slice(bytes);
            form.extend_from_slice(b"\r\n");
        };
        field("manifest", false, json!(manifest).to_string().as_bytes());
        field("commit_message", false, self.message(output_files).as_bytes());
        for file in output_files.iter().filter(|file| is_rules(file)) {
            field(&file.path, true, &read(file)?);
        }
        form.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
        let form_type = format!("multipart/form-data; boundary={boundary}");
        let path = format!("{}/deployments", self.project);
        let made = self.get("POST", &path, Some((&form_type, &form)))?;
        let id = made["id"].as_str().map(str::to_owned);
        id.ok_or_else(|| self.api.refused(None, "its response contains no deployment id"))
    }

    /// Returns the message of a deployment of these files.
    fn message(&self, output_files: &[LocalFile]) -> String {
        let mut whole = blake3::Hasher::new();
        for (file, digest) in output_files.iter().zip(&self.digests) {
            whole.update(format!("{}\0{digest}\0", file.path).as_bytes());
        }
        format!("Publish the site (feedwright {})", &whole.finalize().to_hex()[..32])
    }

    /// Waits until a deployment is public.
    fn wait(&self, id: &str) -> Result<(), Fault> {
        let begin = Instant::now();
        let mut pause = Duration::from_millis(200);
        loop {
            let deployment =
                self.get("GET", &format!("{}/deployments/{id}", self.project), None)?;
            let stage = &deployment["latest_stage"];
            match (stage["name"].as_str(), stage["status"].as_str()) {
                (Some("deploy"), Some("success")) => return Ok(()),
                (Some(stage), Some(status @ ("failure" | "canceled"))) => {
                    return Err(self.api.refused(
                        None,
                        &format!("the deployment {id} ended with {status} in the stage {stage}"),
                    ));
                }
                _ if begin.elapsed() > DEPLOYMENT_TIMEOUT => {
                    return Err(Fault::permanent(
                        format!("Cloudflare Pages did not finish the deployment {id} in time"),
                        "check the project's deployments at Cloudflare Pages: this one may still finish",
                    ));
                }
                _ => sleep(pause),
            }
            pause = (pause * 2).min(Duration::from_secs(5));
        }
    }

    /// Returns an error if the site exceeds a limit of the host.
    fn check(&self, output_files: &[LocalFile], max: usize) -> Result<(), Fault> {
        if let Some(file) = output_files.iter().find(|file| file.length > MAX_FILE_SIZE) {
            return Err(too_large(file, self.api.host, MAX_FILE_SIZE));
        }
        if output_files.len() > max + RULES.len() {
            return Err(Fault::permanent(
                format!(
                    "the site has {} files; Cloudflare Pages allows at most {max} for this account",
                    output_files.len()
                ),
                "use a separate destination for media: set [deploy.media] and [media] base_url in site.toml; or turn off documents in [output]",
            ));
        }
        Ok(())
    }
}

fn is_rules(file: &LocalFile) -> bool {
    RULES.contains(&file.path.as_str())
}

/// Returns the key of a file: the first half of the BLAKE3 hash of its base64 encoding and its
/// extension.
fn digest(file: &LocalFile, bytes: &[u8]) -> String {
    let ending = Path::new(&file.path).extension().unwrap_or_default();
    let mut hasher = blake3::Hasher::new();
    hasher.update(STANDARD.encode(bytes).as_bytes());
    hasher.update(ending.as_encoded_bytes());
    hasher.finalize().to_hex()[..32].to_owned()
}

/// Returns the account's maximum number of files, according to an upload token.
fn account_max_files(token: &str) -> Option<usize> {
    let claims = URL_SAFE_NO_PAD.decode(token.split('.').nth(1)?).ok()?;
    let claims: Value = serde_json::from_slice(&claims).ok()?;
    usize::try_from(claims["max_file_count_allowed"].as_u64()?).ok()
}

impl Host for CloudflarePages {
    fn make_plan<'a>(&mut self, output_files: &'a [LocalFile]) -> Result<Plan<'a>, Fault> {
        let published_message = self.published_message()?;
        let max = account_max_files(&self.renew()?).unwrap_or(DEFAULT_MAX_FILES);
        self.check(output_files, max)?;
        self.digests = digests(output_files, digest)?;
        if published_message.as_deref() == Some(&self.message(output_files)) {
            return Ok(Plan::for_whole_site(output_files, Vec::new(), Vec::new(), true));
        }
        let missing =
            self.assets("check-missing", &json!({ "hashes": self.hashes(output_files) }))?;
        let missing = missing.as_array().into_iter().flatten();
        self.missing = missing.filter_map(Value::as_str).map(str::to_owned).collect();
        let put = output_files
            .iter()
            .zip(&self.digests)
            .filter(|(file, digest)| is_rules(file) || self.missing.contains(*digest))
            .map(|(file, _)| Put { file, is_new: true });
        Ok(Plan::for_whole_site(output_files, put.collect(), Vec::new(), false))
    }

    fn publish(
        &mut self,
        output_files: &[LocalFile],
        plan: &Plan<'_>,
        progress: &dyn Progress,
    ) -> Result<Deployed, Fault> {
        let mut missing = std::mem::take(&mut self.missing);
        // If several files have the same digest, only one of them is sent.
        let send: Vec<(&LocalFile, &String)> =
            self.files(output_files).filter(|(_, digest)| missing.remove(*digest)).collect();
        progress.phase("sending files", send.len());
        each(&batches(&send, BATCH, |(file, _)| file.length), |batch| {
            let sent = self.send(batch);
            batch.iter().for_each(|_| progress.tick());
            sent
        })?;
        progress.phase("publishing", 0);
        // This request marks the files as still in use. If it fails, a later deploy may need to
        // send some files again.
        let _ = self.assets("upsert-hashes", &json!({ "hashes": self.hashes(output_files) }));
        self.wait(&self.create(output_files)?)?;
        progress.finish();
        let sent: Vec<&LocalFile> = send.into_iter().map(|(file, _)| file).collect();
        // The host may already have files of a deployment that was never public, so visitors may
        // never have seen any of the files.
        let all = output_files.iter().map(|file| file.path.clone());
        Ok(Deployed::for_whole_site(plan, &sent, all.collect()))
    }
}
