//! Deploys to Netlify by file digests:
//! <https://docs.netlify.com/api-and-cli-guides/api-guides/get-started-with-api>.
//!
//! A deploy is created from the paths and SHA-1 digests of all files. Netlify responds with the
//! digests of the files that it lacks, and publishes the deploy as soon as it has received these
//! files.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::thread::sleep;
use std::time::{Duration, Instant};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};
use sha1::{Digest, Sha1};

use super::api::{Api, JSON, error_message};
use super::{Host, MAX_PARALLEL_SIZE, digests, each, read};
use crate::{Deployed, Fault, LocalFile, Plan, Put};
use builder::Progress;
use model::HostedSite;

const API: &str = "https://api.netlify.com/api/v1";

/// Maximum number of files in one folder.
const MAX_FOLDER_FILES: usize = 54_000;

/// Maximum time for Netlify to process a deploy.
const DEPLOY_TIMEOUT: Duration = Duration::from_mins(20);

/// Characters that are not percent-encoded in the path of a file.
const UNENCODED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

pub struct Netlify {
    api: Api,
    /// The site's identifier in the API, which is an id or a domain.
    site: String,
    /// The digest of each file, in the order of the site's files.
    digests: Vec<String>,
}

impl Netlify {
    /// Opens a site. Sends no request.
    pub fn open(site: &HostedSite) -> Result<Self, Fault> {
        let is_id = site.name.len() == 36 && site.name.bytes().filter(|b| *b == b'-').count() == 4;
        Ok(Self {
            api: Api::new("Netlify", API, site)?,
            site: match is_id || site.name.contains('.') {
                true => site.name.clone(),
                false => format!("{}.netlify.app", site.name),
            },
            digests: Vec::new(),
        })
    }

    /// Checks that the site exists, and that its published deploy is not locked.
    fn check_site(&self) -> Result<(), Fault> {
        let reply = self.api.send_request("GET", &format!("/sites/{}", self.site), None)?;
        match reply.status {
            200 if reply.body["published_deploy"]["locked"] == true => Err(Fault::permanent(
                format!("publishing is locked for {} at Netlify", self.site),
                "unlock it at Netlify under Deploys; until then, Netlify publishes no new deploys",
            )),
            200 => Ok(()),
            404 => Err(Fault::permanent(
                format!(
                    "site {} not found at Netlify, or the token has no access to it",
                    self.site
                ),
                "create the site at Netlify, or correct `to` in [deploy]",
            )),
            status => Err(self.api.refused(Some(status), &error_message(&reply.body))),
        }
    }

    /// Returns the digest of each published file, by path.
    fn published_digests(&self) -> Result<HashMap<String, String>, Fault> {
        let files = self.api.list(&format!("/sites/{}/files", self.site))?;
        let named = files.into_iter().flatten().filter_map(|file| {
            let path = file["path"].as_str()?.trim_start_matches('/').to_owned();
            Some((path, file["sha"].as_str()?.to_owned()))
        });
        Ok(named.collect())
    }

    /// Waits until a deploy has one of these states.
    fn wait(&self, id: &str, states: &[&str]) -> Result<Value, Fault> {
        let begin = Instant::now();
        let mut pause = Duration::from_millis(200);
        loop {
            let deploy = self.api.get("GET", &format!("/deploys/{id}"), None)?;
            let state = deploy["state"].as_str().unwrap_or_default();
            if states.contains(&state) {
                return Ok(deploy);
            }
            if matches!(state, "error" | "rejected") {
                return Err(self.api.refused(None, &error_message(&deploy)));
            }
            if begin.elapsed() > DEPLOY_TIMEOUT {
                return Err(Fault::permanent(
                    format!(
                        "Netlify did not finish the deploy {id} in time; its state is {state:?}"
                    ),
                    "check the site's deploys at Netlify: this one may still finish",
                ));
            }
            sleep(pause);
            pause = (pause * 2).min(Duration::from_secs(5));
        }
    }

    /// Creates a deploy of all files. Returns the id of the deploy, and the digests that Netlify
    /// lacks.
    fn create(&self, output_files: &[LocalFile]) -> Result<(String, HashSet<String>), Fault> {
        let files: BTreeMap<String, &String> = output_files
            .iter()
            .zip(&self.digests)
            .map(|(file, digest)| (format!("/{}", file.path), digest))
            .collect();
        let body = json!({ "files": files, "async": true }).to_string();
        let path = format!("/sites/{}/deploys", self.site);
        let made = self.api.get("POST", &path, Some((JSON, body.as_bytes())))?;
        let Some(id) = made["id"].as_str() else {
            return Err(self.api.refused(None, "its response contains no deploy id"));
        };
        let deploy = self.wait(id, &["prepared", "uploading", "uploaded", "ready"])?;
        let required = deploy["required"].as_array().into_iter().flatten();
        let required = required.filter_map(Value::as_str).map(str::to_owned);
        Ok((id.to_owned(), required.collect()))
    }

    fn put(&self, id: &str, file: &LocalFile) -> Result<(), Fault> {
        let path = utf8_percent_encode(&file.path, UNENCODED);
        let path = format!("/deploys/{id}/files/{path}");
        let bytes = read(file)?;
        let body = ("application/octet-stream", bytes.as_slice());
        self.api.get("PUT", &path, Some(body)).map(drop)
    }
}

/// Returns an error if the site exceeds a limit of Netlify.
fn check(output_files: &[LocalFile]) -> Result<(), Fault> {
    let mut folders: HashMap<&str, usize> = HashMap::new();
    for file in output_files {
        if file.path.contains(['#', '?']) {
            return Err(Fault::permanent(
                format!("Netlify allows no # or ? in file names: {}", file.path),
                "rename the file",
            ));
        }
        let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let files = folders.entry(folder).or_default();
        *files += 1;
        if *files > MAX_FOLDER_FILES {
            return Err(Fault::permanent(
                format!(
                    "/{folder} has too many files: Netlify allows at most {MAX_FOLDER_FILES} in a folder"
                ),
                "use a separate destination for media: set [deploy.media] and [media] base_url in site.toml",
            ));
        }
    }
    Ok(())
}

impl Host for Netlify {
    fn make_plan<'a>(&mut self, output_files: &'a [LocalFile]) -> Result<Plan<'a>, Fault> {
        check(output_files)?;
        self.check_site()?;
        let mut published_digests = self.published_digests()?;
        self.digests = digests(output_files, |_, bytes| hex(&Sha1::digest(bytes)))?;
        let mut put = Vec::new();
        for (file, digest) in output_files.iter().zip(&self.digests) {
            let found = published_digests.remove(&file.path);
            if found.as_ref() != Some(digest) {
                let is_new = found.is_none();
                put.push(Put { file, is_new });
            }
        }
        let mut delete: Vec<String> = published_digests.into_keys().collect();
        delete.sort();
        let is_done = put.is_empty() && delete.is_empty();
        Ok(Plan::for_whole_site(output_files, put, delete, is_done))
    }

    fn publish(
        &mut self,
        output_files: &[LocalFile],
        plan: &Plan<'_>,
        progress: &dyn Progress,
    ) -> Result<Deployed, Fault> {
        let (id, mut required) = self.create(output_files)?;
        // If several files have the same digest, only one of them is sent.
        let send: Vec<&LocalFile> = output_files
            .iter()
            .zip(&self.digests)
            .filter(|(_, digest)| required.remove(*digest))
            .map(|(file, _)| file)
            .collect();
        progress.phase("sending files", send.len());
        let (large, small): (Vec<&LocalFile>, Vec<&LocalFile>) =
            send.iter().partition(|file| file.length > MAX_PARALLEL_SIZE);
        let put = |file: &&LocalFile| {
            let put = self.put(&id, file);
            progress.tick();
            put
        };
        each(&small, put)?;
        large.iter().try_for_each(put)?;
        progress.phase("publishing", 0);
        self.wait(&id, &["ready"])?;
        progress.finish();
        let changed = plan.put.iter().map(|put| put.file.path.clone());
        Ok(Deployed::for_whole_site(plan, &send, changed.collect()))
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
