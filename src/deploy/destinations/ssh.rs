//! Runs the program ssh, so that the author's ssh configuration, keys and known hosts are used.

use std::env;
use std::process::Command;

use crate::Fault;
use model::RemoteFolder;

/// The environment variable for another ssh program, or for options of ssh, such as `ssh -i key`.
const VARIABLE: &str = "FEEDWRIGHT_SSH";

/// Whether the environment variable contains an ssh command.
pub fn is_named() -> bool {
    env::var(VARIABLE).is_ok_and(|named| !named.trim().is_empty())
}

/// Returns the ssh command without the host, as separate arguments. ssh never prompts for input,
/// because nobody may be there to answer.
pub fn words(port: Option<u16>) -> Vec<String> {
    let named = env::var(VARIABLE).unwrap_or_default();
    let mut words: Vec<String> = named.split_whitespace().map(str::to_owned).collect();
    if words.is_empty() {
        words.push("ssh".into());
    }
    words.extend(["-o", "BatchMode=yes", "-o", "ConnectTimeout=15"].map(str::to_owned));
    words
        .extend(["-o", "ServerAliveInterval=15", "-o", "ServerAliveCountMax=4"].map(str::to_owned));
    if let Some(port) = port {
        words.extend(["-p".into(), port.to_string()]);
    }
    words
}

/// Returns a command that starts a subsystem on the remote machine.
pub fn subsystem(at: &RemoteFolder, name: &str) -> Command {
    let words = words(at.port);
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).args(["-s", "--", &at.host, name]);
    command
}

/// Returns the fault for an error message from ssh, or from a program that uses ssh.
pub fn refused(program: &str, at: &RemoteFolder, said: &str) -> Fault {
    let said = said.trim();
    let host = &at.host;
    let has = |words: &[&str]| words.iter().any(|word| said.contains(word));
    let message = match said {
        "" => format!("the connection to {host} was closed"),
        said => format!("{program} to {host} failed: {said}"),
    };
    // After "Permission denied", ssh lists the accepted authentication methods in parentheses.
    // rsync prints an error number there.
    let is_refused = ["publickey", "password", "keyboard", "gssapi", "hostbased"]
        .iter()
        .any(|way| said.contains(&format!("Permission denied ({way}")));
    if is_refused || has(&["Too many authentication"]) {
        Fault::permanent(
            format!("{host} rejected the SSH key: {said}"),
            format!(
                "check that `ssh {host}` works without a password; to choose a key, set {VARIABLE}=\"ssh -i FILE\""
            ),
        )
    } else if has(&["Host key verification failed"]) {
        Fault::permanent(
            format!("the host key of {host} is unknown or has changed"),
            format!(
                "connect once with `ssh {host}`, or add the key to known_hosts with ssh-keyscan"
            ),
        )
    } else if has(&["No such file", "mkdir", "Permission denied", "Read-only"]) {
        Fault::permanent(
            message,
            format!("check that the folder {} can be created and written on the server", at.folder),
        )
    } else if has(&["No space", "Disk quota"]) {
        Fault::permanent(
            message,
            "free disk space at the destination, and deploy again; the published files are intact",
        )
    } else if has(&["not found", "Could not resolve", "subsystem request failed"]) {
        Fault::permanent(
            message,
            format!("check the host name {host}, and that {program} is installed there"),
        )
    } else {
        Fault::temporary(
            message,
            "check that this machine and the server are online, and deploy again",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_key_and_an_unwritable_folder_have_different_messages() {
        let at = RemoteFolder {
            host: "ada@walks.example".into(),
            port: None,
            folder: "/srv/www".into(),
        };
        let message_for = |said| model::Diagnostic::from(refused("rsync", &at, said)).to_string();
        let key = message_for("ada@walks.example: Permission denied (publickey,password).");
        assert!(key.contains("rejected the SSH key"), "{key}");
        let folder = message_for(
            "rsync: [generator] recv_generator: mkdir \"/srv/www/a\" failed: Permission denied (13)",
        );
        assert!(folder.contains("can be created and written"), "{folder}");
    }
}
