//! Links: menus, footers, profiles on networks.

use front_matter::{Node, Value};
use serde_json::{Value as Json, json};

use super::chosen::OptionReader;
use crate::services::{Service, service_of};
use model::{Diagnostic, Rule, url};
use source::fields::Fields;

/// Menu entry that represents the pages in navigation.
const PAGES: &str = "pages";

/// Reads a list of links, each a table with a text and an address. A menu can also have `"pages"`.
pub fn read<'r>(
    chooser: &mut OptionReader<'_>,
    fields: &Fields<'r, '_>,
    (name, node): (&str, &'r Node),
    is_menu: bool,
) -> Option<Json> {
    let Value::List(nodes) = &node.value else {
        return fields.report_wrong_type(name, node, "a list", &node.value);
    };
    let links: Vec<Option<Json>> = nodes
        .iter()
        .map(|node| match &node.value {
            Value::String(text) if is_menu && text == PAGES => {
                Some(json!({ "is_pages": true, "text": null, "url": null }))
            }
            Value::Table(table) => fields.read_table(name, table, |fields| {
                let text = fields.required_text_up_to("text", 200, &node.span);
                let Some(at) = fields.node("url") else {
                    let message = format!("`{}` is missing", fields.name("url"));
                    fields.reader.error(&node.span, message, "add `url`");
                    return None;
                };
                let url = address(chooser, fields, ("url", at))?;
                Some(json!({ "is_pages": false, "text": text?, "url": url }))
            }),
            other => {
                let message = format!("`{}` holds {}", fields.name(name), other.kind());
                let or =
                    if is_menu { ", or \"pages\" for the pages in the navigation" } else { "" };
                let help =
                    format!("write each link as {{ text = \"About\", url = \"/about/\" }}{or}");
                fields.reader.error(&node.span, message, help);
                None
            }
        })
        .collect();
    links.into_iter().collect()
}

/// Reads the target of a link: a public path of the site, or an address.
fn address(
    chooser: &mut OptionReader<'_>,
    fields: &Fields<'_, '_>,
    (name, node): (&str, &Node),
) -> Option<String> {
    let text = fields.as_string(name, node)?;
    if text.starts_with('/') && !text.starts_with("//") {
        let end = text.find(['?', '#']).unwrap_or(text.len());
        let (path, rest) = text.split_at(end);
        let in_site = format!("{}{path}", chooser.config.mount);
        let nowhere = Diagnostic::warning(
            Rule::DeadLink,
            format!("broken link: the site has nothing at {in_site}"),
        );
        let nowhere = nowhere.at(fields.reader.source, node.span.start);
        let help = "write the path of a page as the browser shows it: \"/about/\"";
        let link_paths = &mut chooser.gathered.link_paths;
        link_paths.push((in_site, nowhere.help(help)));
        return Some(format!("{}{rest}", chooser.config.url(path)));
    }
    absolute_address(fields, (name, node), text)
}

/// Parses an address with a scheme that readers can open.
fn absolute_address(
    fields: &Fields<'_, '_>,
    (name, node): (&str, &Node),
    text: String,
) -> Option<String> {
    let text = fields.reader.check_harmless(text, &node.span)?;
    let is_whole = url::is_http(&text)
        || ["mailto:", "tel:", "xmpp:", "sms:", "feed:", "matrix:", "nostr:"]
            .iter()
            .any(|scheme| text.starts_with(scheme));
    if !is_whole {
        let message = format!("`{}` cannot be {text:?}", fields.name(name));
        let help = "write a path of the site that starts with /, or an address that starts with https:// or mailto:";
        fields.reader.error(&node.span, message, help);
        return None;
    }
    Some(text)
}

/// Reads profiles: each is an address, or a table with an address and a label to show instead of
/// the network's name.
pub fn profiles<'r>(
    chooser: &mut OptionReader<'_>,
    fields: &Fields<'r, '_>,
    (name, node): (&str, &'r Node),
) -> Option<Json> {
    let nodes = match &node.value {
        Value::List(nodes) => nodes.as_slice(),
        _ => std::slice::from_ref(node),
    };
    let profiles: Vec<Option<Json>> = nodes
        .iter()
        .map(|node| match &node.value {
            Value::Table(table) => fields.read_table(name, table, |fields| {
                let text = fields.text_up_to("text", 200);
                let Some(url) = fields.node("url") else {
                    let message = format!("`{}` is missing", fields.name("url"));
                    fields.reader.error(&node.span, message, "add `url`");
                    return None;
                };
                profile(chooser, fields, ("url", url), text)
            }),
            _ => profile(chooser, fields, (name, node), None),
        })
        .collect();
    profiles.into_iter().collect()
}

fn profile(
    chooser: &mut OptionReader<'_>,
    fields: &Fields<'_, '_>,
    (name, node): (&str, &Node),
    text: Option<String>,
) -> Option<Json> {
    let address = fields.as_string(name, node)?;
    let address = absolute_address(fields, (name, node), address)?;
    let service = service_of(&address);
    let host = url::host(&address);
    let host = host.strip_prefix("www.").unwrap_or(host);
    let known = service.map(|service| service.name);
    // The link shows the mail address itself, because the network name `E-mail` is not readable in
    // every language.
    let mail = address.strip_prefix("mailto:");
    let mail = mail.map(|mail| mail.split('?').next().unwrap_or(mail));
    let text = text.unwrap_or_else(|| mail.or(known).unwrap_or(host).to_owned());
    let letter = known.unwrap_or(&text).chars().find(|c| c.is_alphanumeric());
    let letter: String = letter.into_iter().flat_map(char::to_uppercase).collect();
    let logo = service.and_then(Service::logo);
    chooser.gathered.logos.extend(logo);
    Some(json!({
        "url": address,
        "text": text,
        "name": known,
        "letter": letter,
        "colour": service.map(Service::colour),
        "logo": logo.map(|logo| chooser.config.path(&logo.path())),
    }))
}
