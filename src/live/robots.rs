//! `robots.txt` (RFC 9309).

/// Programs of podcast directories and apps that read feeds and media. `*` is any other program.
const AGENTS: [&str; 7] =
    ["*", "iTMS", "Spotify", "AmazonMusicPodcast", "PodcastIndex", "PocketCasts", "Overcast"];

/// Returns the agents that may not read one of these paths.
pub fn blocked<'a>(text: &str, paths: &'a [String]) -> Vec<(&'static str, &'a str)> {
    let groups = groups(text);
    let of_agent = AGENTS.into_iter().flat_map(|agent| {
        let rules = rules(&groups, agent);
        let path = paths.iter().find(|path| !allows(&rules, path));
        path.map(|path| (agent, path.as_str()))
    });
    let found: Vec<_> = of_agent.collect();
    // If all programs are blocked, the others need not be listed.
    match found.first() {
        Some((agent, _)) if *agent == "*" => found[..1].to_vec(),
        _ => found,
    }
}

/// The agents of a group in lower case, and its rules: whether to allow, and the path.
type Group<'t> = (Vec<String>, Vec<(bool, &'t str)>);

fn groups(text: &str) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default();
        let Some((name, value)) = line.split_once(':') else { continue };
        let value = value.trim();
        match name.trim().to_ascii_lowercase().as_str() {
            "user-agent" => {
                let agent = value.to_ascii_lowercase();
                match groups.last_mut() {
                    Some((agents, rules)) if rules.is_empty() => agents.push(agent),
                    _ => groups.push((vec![agent], Vec::new())),
                }
            }
            kind @ ("allow" | "disallow") => {
                if let Some((_, rules)) = groups.last_mut() {
                    rules.push((kind == "allow", value));
                }
            }
            _ => {}
        }
    }
    groups
}

/// Returns the rules for an agent: of the groups that name it, otherwise of the groups for `*`.
fn rules<'t>(groups: &[Group<'t>], agent: &str) -> Vec<(bool, &'t str)> {
    let agent = agent.to_ascii_lowercase();
    let of = |agent: &str| {
        let own = groups.iter().filter(|(agents, _)| agents.iter().any(|one| one == agent));
        own.flat_map(|(_, rules)| rules.iter().copied()).collect()
    };
    let is_named = groups.iter().any(|(agents, _)| agents.contains(&agent));
    of(if is_named { &agent } else { "*" })
}

/// Returns whether the longest matching rule allows a path. An empty rule matches nothing.
fn allows(rules: &[(bool, &str)], path: &str) -> bool {
    let matching = rules.iter().filter(|(_, rule)| !rule.is_empty() && matches(rule, path));
    matching.max_by_key(|(allow, rule)| (rule.len(), *allow)).is_none_or(|(allow, _)| *allow)
}

/// Returns whether a rule matches a path: `*` matches any text, and a final `$` the end.
fn matches(rule: &str, path: &str) -> bool {
    let (rule, is_whole) = match rule.strip_suffix('$') {
        Some(rule) => (rule, true),
        None => (rule, false),
    };
    let mut parts = rule.split('*');
    let Some(mut rest) = path.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    for (at, part) in parts.iter().enumerate() {
        let is_last = at + 1 == parts.len();
        let found = match is_whole && is_last {
            true => rest
                .len()
                .checked_sub(part.len())
                .filter(|at| rest.ends_with(part) && rest.is_char_boundary(*at)),
            false => rest.find(part),
        };
        let Some(at) = found else { return false };
        rest = &rest[at + part.len()..];
    }
    !is_whole || rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocked_agents(text: &str) -> Vec<&'static str> {
        let paths = ["/rss.xml".to_owned(), "/media/walk.mp3".to_owned()];
        blocked(text, &paths).into_iter().map(|(agent, _)| agent).collect()
    }

    #[test]
    fn the_longest_rule_of_the_agents_own_group_decides() {
        for (text, expected) in [
            ("", &[][..]),
            ("User-agent: *\nDisallow:\n", &[]),
            ("User-agent: *\nDisallow: /\n", &["*"]),
            ("User-agent: *\nDisallow: /\nAllow: /rss\nAllow: /media/*.mp3$\n", &[]),
            ("User-agent: *\nDisallow: /*.mp3$\n", &["*"]),
            ("User-agent: *\nDisallow: /*.mp3?\nDisallow: /i/\n", &[]),
            ("user-agent: spotify # music\nuser-agent: GPTBot\ndisallow: /media/\n", &["Spotify"]),
            ("User-agent: Overcast\nDisallow: /\nUser-agent: *\nAllow: /\n", &["Overcast"]),
            ("User-agent: GPTBot\nDisallow: /\n\nUser-agent: Amazonbot\nDisallow: /\n", &[]),
        ] {
            assert_eq!(blocked_agents(text), expected, "{text}");
        }
    }
}
