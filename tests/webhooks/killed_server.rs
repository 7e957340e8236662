//! Sender and receiver are killed at random while a site changes: no message is lost, none comes out of order.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::support::program::{self, Program};
use crate::support::receiver::receiver;
use crate::support::served::HOOK_SECRET;
use crate::support::small_site::site;
use crate::support::wait;

const ITEMS: usize = 6;
const KILLS: usize = 5;

fn start(root: &std::path::Path) -> Program {
    let mut command = program::command();
    command.env(HOOK_SECRET.0, HOOK_SECRET.1).env("FEEDWRIGHT_WEBHOOK_PACE", "0.0005");
    Program::of(command, root)
}

#[test]
fn messages_are_neither_lost_nor_reordered() {
    let mut receiver = receiver();
    let toml = format!("base_url = \"https://walks.example\"\n{}", receiver.webhook(""));
    let site = site().with("site.toml", toml);
    let write = |item: usize, round: usize| {
        let text = format!("+++\nid = \"item{item}\"\ntitle = \"{round}\"\n+++\nText.\n");
        site.write(&format!("content/items/item{item}.md"), text);
    };
    (0..ITEMS).for_each(|item| write(item, 0));
    let mut program = start(site.root());
    let noted = || {
        let state = rusqlite::Connection::open(site.path(".feedwright/state.sqlite")).unwrap();
        let items = "SELECT count(*) FROM resources WHERE kind = 'item'";
        state.query_row(items, (), |row| row.get(0)) == Ok(ITEMS as i64)
    };
    wait::until(noted);
    let mut round = 0;
    for kill in 0..KILLS {
        let end = Instant::now() + Duration::from_millis(150 + 37 * kill as u64);
        while Instant::now() < end {
            round += 1;
            write(round % ITEMS, round);
            wait::pause(Duration::from_millis(7));
        }
        program.kill();
        if kill % 2 == 1 {
            receiver.end();
            receiver = receiver.again();
        }
        round += 1;
        write(round % ITEMS, round);
        program = start(site.root());
    }
    let last = |item: usize| (0..=round).rev().find(|round| round % ITEMS == item).unwrap();
    let told = || {
        let mut told: BTreeMap<String, Vec<(usize, String)>> = BTreeMap::new();
        for got in receiver.got() {
            let title = got.json["data"]["title"].as_str().unwrap().parse().unwrap();
            let id = got.json["data"]["id"].as_str().unwrap().to_owned();
            told.entry(id).or_default().push((title, got.id));
        }
        told
    };
    let is_whole = || {
        let told = told();
        (0..ITEMS).all(|item| {
            let of_item = told.get(&format!("item{item}"));
            of_item.and_then(|all| all.last()).is_some_and(|(title, _)| *title == last(item))
        })
    };
    assert!(wait::within(wait::MAX_WAIT, is_whole), "{:?}", told());
    for (item, all) in told() {
        for pair in all.windows(2) {
            let ((before, one), (after, other)) = (&pair[0], &pair[1]);
            assert!(before < after || (before == after && one == other), "{item}: {all:?}");
        }
    }
    program.kill();
}
