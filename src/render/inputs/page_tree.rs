//! The tree of Pages: the folders that they lie in, and the groups that they name.

use std::collections::{BTreeMap, HashMap};
use std::hash::{Hash, Hasher};
use std::ops::Range;

use super::breadcrumbs::place;
use super::{Crumb, Provider, hash_of};
use model::{Page, Status};
use site::PageEntry;
use source::survey::PAGES;

/// So many Pages are shown whole, on every page. Of more, those are that lie near, so that what all pages weigh together,
/// and what a build reads for them, does not grow with the square of the site.
const MOST: usize = 100;

/// So many folders inside one another are branches; what lies deeper stands in the last of them. Partials may be 64 inside
/// one another, and a group may come between two folders.
const DEEPEST: usize = 12;

/// All published Pages as a reader of one language sees them: of those that say the same, the one in that language.
#[derive(Debug)]
pub struct PageTree {
    branches: Vec<Branch>,
    top: Vec<usize>,
    /// The Pages, from the first to the last as one reads down the tree.
    order: Vec<Leaf>,
    /// Where each stands in the order, by its slug.
    positions: HashMap<String, usize>,
    /// The hash of what is shown where no Page is.
    fingerprint: u64,
}

/// A Page, a folder without a Page of its own, or a group.
#[derive(Debug, Default)]
struct Branch {
    /// Its name, where it is no Page.
    name: String,
    page: Option<Leaf>,
    is_group: bool,
    below: Vec<usize>,
    /// The Pages of it and below it, by their places in the order.
    pages: Range<usize>,
}

#[derive(Debug, Clone, Hash)]
struct Leaf {
    slug: String,
    /// What it is called in navigation, or its title.
    name: String,
    language: Option<String>,
}

impl Leaf {
    fn of(page: &Page) -> Self {
        Self {
            slug: page.slug.to_string(),
            name: page.navigation_label.as_ref().unwrap_or(&page.title).clone(),
            language: page.language.clone(),
        }
    }

    fn crumb(&self) -> Crumb<'_> {
        Crumb::Page { slug: &self.slug, name: &self.name, language: self.language.as_deref() }
    }
}

impl PageTree {
    /// `pages` in the order of navigation. A folder stands where its Page does, or else where the first Page in it would; so
    /// does a group.
    fn of<'p>(pages: impl Iterator<Item = &'p Page> + Clone) -> Self {
        let mut tree = Self {
            branches: Vec::new(),
            top: Vec::new(),
            order: Vec::new(),
            positions: HashMap::new(),
            fingerprint: 0,
        };
        let placed = pages.filter_map(|page| Some((place(page.source.as_ref()?), page)));
        let mut places: HashMap<&str, usize> = HashMap::new();
        for (place, page) in placed.clone() {
            let page = Some(Leaf::of(page));
            let branch = tree.add(Branch { page, ..Branch::default() });
            places.entry(place).or_insert(branch);
        }
        for ((place, page), branch) in placed.zip(0..) {
            let above = tree.folder(&mut places, place);
            tree.put(above, page.navigation_group.as_deref(), branch);
        }
        for at in tree.top.clone() {
            tree.count(at);
        }
        let slugs = tree.order.iter().zip(0..);
        tree.positions = slugs.map(|(leaf, at)| (leaf.slug.clone(), at)).collect();
        tree.fingerprint = hash_of(&ShownTree { tree: &tree, current: None }.top());
        tree
    }

    fn add(&mut self, branch: Branch) -> usize {
        self.branches.push(branch);
        self.branches.len() - 1
    }

    /// The branch of the folder that something lies in; none at the top.
    fn folder<'p>(
        &mut self,
        places: &mut HashMap<&'p str, usize>,
        place: &'p str,
    ) -> Option<usize> {
        let (folder, _) = place.rsplit_once('/')?;
        let (above, name) = folder.strip_prefix(PAGES)?.rsplit_once('/')?;
        if above.matches('/').count() >= DEEPEST {
            return self.folder(places, folder);
        }
        if let Some(known) = places.get(folder) {
            return Some(*known);
        }
        let branch = self.add(Branch { name: words(name), ..Branch::default() });
        places.insert(folder, branch);
        let above = self.folder(places, folder);
        self.put(above, None, branch);
        Some(branch)
    }

    /// Puts a branch below another, into the group there of this name.
    fn put(&mut self, above: Option<usize>, group: Option<&str>, branch: usize) {
        let Some(name) = group else {
            self.below(above).push(branch);
            return;
        };
        let is_it = |at: &usize| self.branches[*at].is_group && self.branches[*at].name == name;
        let known =
            above.map_or(&self.top, |at| &self.branches[at].below).iter().copied().find(is_it);
        let group = known.unwrap_or_else(|| {
            let group = self.add(Branch { name: name.into(), is_group: true, ..Branch::default() });
            self.below(above).push(group);
            group
        });
        self.branches[group].below.push(branch);
    }

    fn below(&mut self, above: Option<usize>) -> &mut Vec<usize> {
        above.map_or(&mut self.top, |at| &mut self.branches[at].below)
    }

    /// Counts the Pages of a branch.
    fn count(&mut self, at: usize) {
        let start = self.order.len();
        self.order.extend(self.branches[at].page.clone());
        for below in self.branches[at].below.clone() {
            self.count(below);
        }
        self.branches[at].pages = start..self.order.len();
    }
}

/// `field-notes` as a person would write it: `Field notes`.
fn words(folder: &str) -> String {
    let words = folder.replace(['-', '_'], " ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// What a page shows of the tree.
#[derive(Debug, Clone, Copy)]
pub struct ShownTree<'a> {
    tree: &'a PageTree,
    /// The Page that is shown, by its place in the order.
    current: Option<usize>,
}

impl<'a> ShownTree<'a> {
    pub fn top(self) -> Vec<ShownBranch<'a>> {
        self.near(&self.tree.top)
    }

    /// The Pages before and after the one that is shown.
    pub fn neighbours(self) -> [Option<Crumb<'a>>; 2] {
        let page = |at: Option<usize>| self.tree.order.get(at?).map(Leaf::crumb);
        [page(self.current.and_then(|at| at.checked_sub(1))), page(self.current.map(|at| at + 1))]
    }

    /// Of more than [`MOST`] side by side the nearest.
    fn near(self, all: &'a [usize]) -> Vec<ShownBranch<'a>> {
        let shown = |at: &usize| ShownBranch { shown: self, branch: &self.tree.branches[*at] };
        let open = all.iter().position(|at| shown(at).is_open()).unwrap_or_default();
        let start = open.saturating_sub(MOST / 2).min(all.len().saturating_sub(MOST));
        all[start..].iter().take(MOST).map(shown).collect()
    }
}

impl Hash for ShownTree<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self.current {
            None => self.tree.fingerprint.hash(state),
            Some(_) => self.top().hash(state),
        }
    }
}

/// A branch as a page shows it.
#[derive(Debug, Clone, Copy)]
pub struct ShownBranch<'a> {
    shown: ShownTree<'a>,
    branch: &'a Branch,
}

impl<'a> ShownBranch<'a> {
    /// The Page that it leads to: the first below, where it is none.
    pub fn page(self) -> Option<Crumb<'a>> {
        let first = self.shown.tree.order.get(self.branch.pages.start);
        first.map(Leaf::crumb)
    }

    /// What a folder without a Page, or a group, is called.
    pub fn own_name(self) -> Option<&'a str> {
        self.branch.page.is_none().then_some(self.branch.name.as_str())
    }

    pub fn is_group(self) -> bool {
        self.branch.is_group
    }

    pub fn is_current(self) -> bool {
        self.branch.page.is_some() && self.shown.current == Some(self.branch.pages.start)
    }

    /// Whether the Page that is shown is this one or lies below.
    pub fn is_open(self) -> bool {
        self.shown.current.is_some_and(|at| self.branch.pages.contains(&at))
    }

    pub fn below(self) -> Vec<ShownBranch<'a>> {
        let is_shown = self.is_open() || self.shown.tree.order.len() <= MOST;
        if is_shown { self.shown.near(&self.branch.below) } else { Vec::new() }
    }
}

/// What is shown of it.
impl Hash for ShownBranch<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.page(), self.own_name(), self.is_group()).hash(state);
        (self.is_current(), self.is_open(), self.below()).hash(state);
    }
}

impl<'a> Provider<'a> {
    /// The tree on a page in this language; `current` is its Page, where it is one.
    pub(super) fn page_tree(
        &self,
        language: Option<&str>,
        current: Option<&PageEntry>,
    ) -> ShownTree<'a> {
        let trees = self.cache.page_trees.get_or_init(|| self.page_trees());
        let site = self.shared().language();
        let key = |language: &str| language.to_ascii_lowercase();
        let tree = trees.get(&key(language.unwrap_or(site)));
        let tree = tree.unwrap_or_else(|| &trees[&key(site)]);
        let position = |entry: &PageEntry| tree.positions.get(entry.page.slug.as_str()).copied();
        ShownTree { tree, current: current.and_then(position) }
    }

    /// A tree for each language that Pages are in.
    fn page_trees(&self) -> BTreeMap<String, PageTree> {
        let site = self.shared().language();
        let published =
            self.snapshot.pages.iter().filter(|entry| entry.status == Status::Published);
        let language =
            |entry: &PageEntry| entry.page.language.as_deref().unwrap_or(site).to_ascii_lowercase();
        let mut trees: BTreeMap<String, PageTree> = BTreeMap::new();
        for wanted in published.clone().map(language).chain([site.to_ascii_lowercase()]) {
            let is_wanted = |entry: &&PageEntry| {
                let others = self.translations_of_page(entry);
                let in_other = |wanted: &str| {
                    language(entry) != wanted
                        && others.iter().any(|one| one.language.eq_ignore_ascii_case(wanted))
                };
                !in_other(&wanted) && (language(entry) == wanted || !in_other(site))
            };
            let pages = published.clone().filter(is_wanted).map(|entry| &*entry.page);
            let make = || PageTree::of(pages);
            trees.entry(wanted.clone()).or_insert_with(make);
        }
        trees
    }
}
