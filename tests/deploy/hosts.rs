//! `deploy` to hosts that take a site as a whole, by stand-ins that are asked in the test's own words;
//! `tests/independent/deploy.py` has stand-ins that know the hosts' rules, and kills deploys.

use serde_json::{Value, json};

use crate::support::mock_server::mock_server;
use crate::support::program::{self, CommandOutput};
use crate::support::small_site::{SmallSite, site};

fn site_for_host(kind: &str, url: &str) -> SmallSite {
    site()
        .with(
            "site.toml",
            format!(
                "base_url = \"https://walks.example\"\n[hosting]\ntargets = [\"{kind}\"]\n[deploy]\nto = \"{kind}:walks\"\nendpoint = \"{url}\"\n"
            ),
        )
        .item("+++\nid = \"a1\"\nslug = \"walk\"\ntitle = \"Walk\"\n+++\nText.\n")
}

fn run(site: &SmallSite, variables: &[(&str, &str)], arguments: &[&str]) -> CommandOutput {
    let mut command = program::command();
    command.args(["deploy", "--site"]).arg(site.root()).args(arguments);
    for name in ["NETLIFY_AUTH_TOKEN", "CLOUDFLARE_API_TOKEN", "CLOUDFLARE_ACCOUNT_ID"] {
        command.env_remove(name);
    }
    program::run(command.envs(variables.iter().copied()))
}

fn deploy_error(site: &SmallSite, variables: &[(&str, &str)]) -> String {
    let output = run(site, variables, &[]);
    assert_eq!(output.code, Some(1));
    output.err
}

const NETLIFY: [(&str, &str); 1] = [("NETLIFY_AUTH_TOKEN", "the-token")];
const CLOUDFLARE: [(&str, &str); 2] =
    [("CLOUDFLARE_API_TOKEN", "the-token"), ("CLOUDFLARE_ACCOUNT_ID", "a1b2")];

#[test]
fn netlify_gets_all_digests_and_only_missing_files() {
    const OTHER_DIGEST: &str = "0123456789012345678901234567890123456789";
    let mut polled = 0;
    let (url, asked) = mock_server(move |asked| {
        let reply = match asked.line.split(' ').take(2).collect::<Vec<_>>()[..] {
            ["GET", "/sites/walks.netlify.app"] => json!({ "id": "1" }),
            ["GET", "/sites/walks.netlify.app/files"] => json!([
                { "path": "/gone.html", "sha": OTHER_DIGEST },
                { "path": "/robots.txt", "sha": OTHER_DIGEST },
            ]),
            ["POST", "/sites/walks.netlify.app/deploys"] => {
                json!({ "id": "d1", "state": "preparing" })
            }
            ["GET", "/deploys/d1"] => {
                polled += 1;
                // As `sha1sum` has it of "sound".
                let required = json!(["5e2e97c3c7ba3035c6e6fc3a17e1bc22029c0c3e"]);
                let state = ["preparing", "prepared", "processing", "ready"][polled - 1];
                json!({ "id": "d1", "state": state, "required": required })
            }
            ["PUT", "/deploys/d1/files/media/show%20%C3%BC.mp3"] => json!({ "id": "f1" }),
            _ => return ("404 Not Found", String::new()),
        };
        ("200 OK", reply.to_string())
    });
    let site = site_for_host("netlify", &url);
    site.write("content/media/show ü.mp3", "sound");
    let plan = run(&site, &NETLIFY, &["--dry-run", "--json"]);
    let plan: Value = serde_json::from_str(&plan.out).unwrap();
    assert_eq!(plan["delete"], json!(["gone.html"]));
    let put = plan["put"].as_array().unwrap();
    let changed: Vec<&Value> = put.iter().filter(|put| put["new"] == false).collect();
    assert_eq!(changed.len(), 1);
    assert_eq!(changed[0]["path"], "robots.txt");
    assert!(asked.try_iter().all(|asked| asked.line.starts_with("GET ")));
    let done = run(&site, &NETLIFY, &["--json"]);
    let done: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(done["deleted"], 1);
    assert_eq!(done["bytes"], 5);
    let asked: Vec<_> = asked.try_iter().collect();
    assert!(asked.iter().all(|asked| asked.header("authorization") == "Bearer the-token"));
    let sent: Vec<_> = asked.iter().filter(|asked| asked.line.starts_with("PUT ")).collect();
    assert_eq!(sent.len(), 1);
    assert_eq!(sent[0].body, "sound");
    let made = asked.iter().find(|asked| asked.line.starts_with("POST "));
    let made: Value = serde_json::from_str(&made.unwrap().body).unwrap();
    assert!(made["files"]["/index.html"].is_string(), "{made}");
    assert!(made["files"]["/_redirects"].is_string(), "{made}");
}

#[test]
fn a_deploy_failing_at_the_host_is_reported() {
    let (url, _asked) = mock_server(|asked| {
        let reply = match asked.line.split(' ').take(2).collect::<Vec<_>>()[..] {
            ["GET", "/deploys/d1"] => {
                json!({ "id": "d1", "state": "error", "error_message": "No room is left." })
            }
            ["GET", "/sites/walks.netlify.app/files"] => json!([]),
            _ => json!({ "id": "d1", "state": "new" }),
        };
        ("200 OK", reply.to_string())
    });
    let told = deploy_error(&site_for_host("netlify", &url), &NETLIFY);
    assert!(told.contains("No room is left"), "{told}");
    assert!(told.contains("the previous version is still published"), "{told}");
}

#[test]
fn unsupported_files_are_reported_before_any_upload() {
    let (url, asked) = mock_server(|asked| {
        let is_known = asked.header("authorization") == "Bearer the-token";
        match is_known {
            false => ("401 Unauthorized", json!({ "message": "Access Denied" }).to_string()),
            true if asked.line.contains("/sites/walks.netlify.app ") => {
                let locked = json!({ "id": "1", "published_deploy": { "locked": true } });
                ("200 OK", locked.to_string())
            }
            true => ("404 Not Found", "<html>".into()),
        }
    });
    let netlify = site_for_host("netlify", &url);
    let told = deploy_error(&netlify, &[]);
    assert!(told.contains("NETLIFY_AUTH_TOKEN is not set"), "{told}");
    let told = deploy_error(&netlify, &[("NETLIFY_AUTH_TOKEN", "another")]);
    assert!(
        told.contains("rejected the token: Access Denied") && told.contains("NETLIFY_AUTH_TOKEN"),
        "{told}"
    );
    let told = deploy_error(&netlify, &NETLIFY);
    assert!(told.contains("publishing is locked"), "{told}");
    netlify.write("content/media/a#b.txt", "text");
    assert!(deploy_error(&netlify, &NETLIFY).contains("# or ?"));
    let cloudflare = site_for_host("cloudflare-pages", &url);
    let told = deploy_error(&cloudflare, &CLOUDFLARE[..1]);
    assert!(told.contains("CLOUDFLARE_ACCOUNT_ID is not set"), "{told}");
    let told = deploy_error(&cloudflare, &CLOUDFLARE);
    assert!(told.contains("project walks not found"), "{told}");
    assert!(asked.try_iter().all(|asked| asked.line.starts_with("GET ")));
}

#[test]
fn cloudflare_gets_files_by_digest_and_rules_with_the_deployment() {
    let mut asked_for_token = 0;
    let (url, asked) = mock_server(move |asked| {
        let project = "/accounts/a1b2/pages/projects/walks";
        let path = asked.line.split(' ').nth(1).unwrap();
        let body: Value = serde_json::from_str(&asked.body).unwrap_or_default();
        let result = match path.strip_prefix(project).unwrap_or(path) {
            "" => json!({ "name": "walks", "canonical_deployment": null }),
            "/upload-token" => {
                asked_for_token += 1;
                json!({ "jwt": format!("token{asked_for_token}") })
            }
            "/pages/assets/check-missing" => body["hashes"].clone(),
            // The first token has run out by now.
            _ if path.starts_with("/pages/") && !asked.header("authorization").ends_with('2') => {
                return ("401 Unauthorized", json!({ "success": false }).to_string());
            }
            "/pages/assets/upload" => json!({ "unsuccessful_keys": [] }),
            "/pages/assets/upsert-hashes" => Value::Null,
            "/deployments" => json!({ "id": "d1" }),
            "/deployments/d1" => {
                json!({ "latest_stage": { "name": "deploy", "status": "success" } })
            }
            _ => return ("404 Not Found", String::new()),
        };
        ("200 OK", json!({ "success": true, "result": result }).to_string())
    });
    let site = site_for_host("cloudflare-pages", &url);
    site.write("content/media/show.mp3", "sound");
    let done = run(&site, &CLOUDFLARE, &["--json"]);
    let report: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(report["sent"], report["files"], "{report}");
    let asked: Vec<_> = asked.try_iter().collect();
    let form = asked
        .iter()
        .find(|asked| asked.line.contains("/deployments ") && asked.line.starts_with("POST "));
    let form = &form.unwrap().body;
    // As `b3sum` has it of the base64 of "sound" with "mp3" behind it.
    let digest = "dcede513f1491e4243a162f49c3d8312";
    assert!(form.contains(&format!("\"/media/show.mp3\":\"{digest}\"")), "{form}");
    assert!(!form.contains("\"/_redirects\""), "{form}");
    for rules in ["_redirects", "_headers"] {
        assert!(form.contains(&format!("name=\"{rules}\"; filename=\"{rules}\"")), "{form}");
    }
}
