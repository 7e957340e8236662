//! The workflow with which a forge publishes the site after every push. `feedwright init --ci` and
//! the editor write it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::{Options, show_configs};
use model::{ACCOUNT_ENV, Config, DeployConfig, Destination};
use source::show_folders::show_folders;

/// The command that installs feedwright on the forge's runner, from a wheel that the author
/// specifies. It does not name a package in a registry, because anyone could register a package of
/// that name.
const INSTALL: &str = r#"pip install "${FEEDWRIGHT_WHEEL:?is not set}""#;

/// The forge that runs the workflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Forge {
    Github,
    Gitlab,
    Forgejo,
}

impl Forge {
    pub const NAMES: [&str; 3] = ["github", "gitlab", "forgejo"];

    pub fn parse(name: &str) -> Option<Self> {
        let all = [Self::Github, Self::Gitlab, Self::Forgejo];
        all.into_iter().zip(Self::NAMES).find(|(_, known)| *known == name).map(|(forge, _)| forge)
    }

    /// Returns the path of the workflow file, relative to the repository's root.
    fn file(self) -> &'static str {
        match self {
            Self::Github => ".github/workflows/publish.yml",
            Self::Gitlab => ".gitlab-ci.yml",
            Self::Forgejo => ".forgejo/workflows/publish.yml",
        }
    }

    fn template(self) -> &'static str {
        match self {
            Self::Github => include_str!("workflow/github.yml"),
            Self::Gitlab => include_str!("workflow/gitlab.yml"),
            Self::Forgejo => include_str!("workflow/forgejo.yml"),
        }
    }

    /// Returns the branch from which the forge serves pages. It is the destination if the site has
    /// no other. GitLab uses a folder instead of a branch.
    fn pages(self) -> Option<Destination> {
        let branch = match self {
            Self::Github => "gh-pages",
            Self::Forgejo => "pages",
            Self::Gitlab => return None,
        };
        Destination::parse(&format!("git:origin#{branch}")).ok()
    }
}

/// Returns the root of the repository that contains the site, and the site's path relative to that
/// root, with a trailing slash.
fn repository(site: &Path) -> (PathBuf, String) {
    let site = site.canonicalize().unwrap_or_else(|_| site.to_path_buf());
    let root = site.ancestors().find(|folder| folder.join(".git").exists());
    let root = root.unwrap_or(&site);
    let below = site.strip_prefix(root).unwrap_or(Path::new(""));
    let below = below.to_string_lossy().replace('\\', "/");
    let below = if below.is_empty() { below } else { format!("{below}/") };
    (root.to_path_buf(), below)
}

/// Returns the branch that is checked out.
fn branch(root: &Path) -> Option<String> {
    let head = fs::read_to_string(root.join(".git/HEAD")).ok()?;
    let branch = head.trim().strip_prefix("ref: refs/heads/")?;
    // YAML would require escaping of other characters. A branch with such a name is not named.
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '/' | '.');
    branch.chars().all(is_plain).then(|| branch.to_owned())
}

/// Returns the environment variables with the keys of a destination.
pub fn destination_secrets(place: &Destination) -> Vec<&str> {
    match place {
        Destination::S3(bucket) => vec![&bucket.key_env, &bucket.secret_env],
        Destination::Netlify(site) => vec![&site.token_env],
        Destination::CloudflarePages(site) => vec![&site.token_env, ACCOUNT_ENV],
        _ => Vec::new(),
    }
}

/// The secrets for SSH access to a server.
const SSH: [&str; 2] = ["SSH_KEY", "SSH_KNOWN_HOSTS"];

/// Returns the environment variables of a workflow step that needs these secrets.
fn env<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let lines = names.into_iter();
    let lines: String =
        lines.map(|name| format!("          {name}: ${{{{ secrets.{name} }}}}\n")).collect();
    match lines.as_str() {
        "" => lines,
        lines => format!("        env:\n{lines}"),
    }
}

/// The workflow of a site for a forge.
pub struct Workflow {
    /// The file that contains the workflow.
    pub file: PathBuf,
    forge: Forge,
    deploy: DeployConfig,
    /// Whether the site has shows. Each of them can get its own destination later.
    has_shows: bool,
    /// The settings of the shows that have their own destination.
    shows: Vec<DeployConfig>,
    /// The destination from `site.toml`, or the forge's own pages. `None` for GitLab's pages, which
    /// are published from a folder.
    to: Option<Destination>,
    branch: String,
    /// The site's path relative to the repository's root: empty, or with a trailing slash.
    folder: String,
    /// The site's output folder.
    out: String,
}

impl Workflow {
    /// Returns the workflow of the site in a folder. It deploys by the settings of `config`.
    pub fn of(site: &Path, forge: Forge, config: &Config) -> Self {
        let (root, folder) = repository(site);
        let folders = show_folders(site);
        let (mut shows, _) = show_configs(&Options::new(site), config, folders.iter());
        shows.retain(Config::is_deployed_apart);
        Self {
            file: root.join(forge.file()),
            forge,
            to: config.deploy.to.clone().or_else(|| forge.pages()),
            deploy: config.deploy.clone(),
            has_shows: !folders.is_empty(),
            shows: shows.into_iter().map(|show| show.deploy).collect(),
            branch: branch(&root).unwrap_or_else(|| "main".into()),
            folder,
            out: config.output.dir.clone(),
        }
    }

    /// Returns the content of the file.
    pub fn text(&self) -> String {
        let is_git = self.destinations().any(|to| matches!(to, Destination::Git { .. }));
        let to = match &self.to {
            Some(to) if self.deploy.to.is_none() => format!(" --to {}", to.address()),
            _ => String::new(),
        };
        let folder = self.folder.trim_end_matches('/');
        let defaults = match folder {
            "" => String::new(),
            folder => {
                format!("    defaults:\n      run:\n        working-directory: \"{folder}\"\n")
            }
        };
        let cd = match folder {
            "" => String::new(),
            folder => format!("    - cd \"{folder}\"\n"),
        };
        // The shows come last, because the site can have their media.
        let shows = |indent: &str| match self.has_shows {
            true => format!("\n{indent}feedwright deploy --all-shows"),
            false => String::new(),
        };
        let deploy = format!("feedwright deploy{to}{}", shows("          "));
        let shows = shows("    - ");
        // GitLab publishes the output of the job named `pages`.
        let (job, publish) = match &self.to {
            None => ("pages", self.pages_of_gitlab(&shows)),
            Some(_) => ("publish", format!("    - feedwright deploy{shows}")),
        };
        self.forge
            .template()
            .replace("{branch}", &self.branch)
            .replace("{contents}", if is_git { "write" } else { "read" })
            .replace("{site}", &self.folder)
            .replace("{install}", INSTALL)
            .replace("{defaults}", &defaults)
            .replace("{cd}", &cd)
            .replace("{ssh}", &self.ssh())
            .replace("{deploy}", &deploy)
            .replace("{job}", job)
            .replace("{publish}", &publish)
            .replace("{secrets}\n", &self.secrets_of_gitlab())
            .replace("{env}\n", &self.env())
    }

    fn pages_of_gitlab(&self, shows: &str) -> String {
        let (folder, out) = (&self.folder, &self.out);
        format!(
            "    - feedwright build{shows}\n  pages:\n    publish: {folder}{out}\n  artifacts:\n    paths:\n      - {folder}{out}"
        )
    }

    /// Returns the destinations of the site, its media and its shows.
    fn destinations(&self) -> impl Iterator<Item = &Destination> {
        let of_shows = self.shows.iter().filter_map(|show| show.to.as_ref());
        self.to.iter().chain(&self.deploy.media).chain(of_shows)
    }

    /// Returns the names of the secrets that `deploy` reads: keys for destinations, and tokens for
    /// notifications.
    fn secrets(&self) -> BTreeSet<&str> {
        let keys = self.destinations().flat_map(destination_secrets);
        let notify = [&self.deploy].into_iter().chain(&self.shows).map(|deploy| &deploy.notify);
        let told = notify.flat_map(|notify| {
            let tokens = notify.podping_token_env.iter().chain(&notify.webhooks_env);
            tokens.chain(&notify.webhook_secret_env)
        });
        keys.chain(told.map(String::as_str)).collect()
    }

    fn needs_ssh(&self) -> bool {
        self.destinations()
            .any(|place| matches!(place, Destination::Rsync(_) | Destination::Sftp(_)))
    }

    /// Returns the names of all secrets that the author must set.
    fn all_secrets(&self) -> String {
        let ssh = if self.needs_ssh() { &SSH[..] } else { &[] };
        let names: Vec<&str> = self.secrets().into_iter().chain(ssh.iter().copied()).collect();
        names.join(", ")
    }

    /// Returns the step that installs the SSH key for the server.
    fn ssh(&self) -> String {
        const LINES: [&str; 3] = [
            "install -m 700 -d ~/.ssh && install -m 600 /dev/null ~/.ssh/id_ed25519",
            "printf '%s\\n' \"$SSH_KEY\" > ~/.ssh/id_ed25519",
            "printf '%s\\n' \"$SSH_KNOWN_HOSTS\" >> ~/.ssh/known_hosts",
        ];
        let lines = |indent: &str| -> String {
            LINES.iter().map(|line| format!("{indent}{line}\n")).collect()
        };
        if !self.needs_ssh() {
            return String::new();
        }
        match self.forge {
            Forge::Gitlab => {
                let rsync = "    - apt-get update && apt-get install -y --no-install-recommends openssh-client rsync\n";
                format!("{rsync}{}", lines("    - "))
            }
            _ => format!(
                "      - name: Install the SSH key\n        run: |\n{}{}",
                lines("          "),
                env(SSH),
            ),
        }
    }

    /// Returns the environment of the deploy step.
    fn env(&self) -> String {
        match self.forge {
            Forge::Gitlab => String::new(),
            _ => env(self.secrets()),
        }
    }

    fn secrets_of_gitlab(&self) -> String {
        match self.all_secrets().as_str() {
            "" => String::new(),
            names => {
                format!(
                    "#\n# Set these protected variables under Settings > CI/CD > Variables: {names}.\n"
                )
            }
        }
    }

    /// Returns the steps that the author must perform at the forge.
    pub fn steps_at_forge(&self) -> Vec<String> {
        let mut steps = vec![
            "set the variable FEEDWRIGHT_WHEEL in the repository's CI settings to the address of feedwright's wheel, or to its path in the repository".to_owned(),
        ];
        let names = self.all_secrets();
        if !names.is_empty() {
            steps.push(format!("set these secrets in the repository's CI settings: {names}"));
        }
        if let Some(Destination::Git { branch, .. }) = &self.to {
            steps.push(format!(
                "set the branch {branch} as the source in the repository's Pages settings"
            ));
        }
        if self.forge == Forge::Gitlab {
            steps.push("create a pipeline schedule, which publishes scheduled items".to_owned());
        }
        steps
    }

    /// Returns the steps that the author must still perform, as a sentence.
    pub fn remaining_steps(&self) -> String {
        let text = [self.steps_at_forge(), vec!["commit the file and push".to_owned()]].concat();
        let text = text.join(", then ");
        let mut letters = text.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        format!("{}{}.", first.map(String::from).unwrap_or_default(), letters.as_str())
    }
}
