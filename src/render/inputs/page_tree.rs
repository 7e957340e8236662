//! The tree of pages, built from the folders of their files and the groups in their front matter.

use std::collections::{BTreeMap, HashMap};
use std::hash::{Hash, Hasher};
use std::ops::Range;

use super::breadcrumbs::place;
use super::{Crumb, Provider, hash_of};
use model::content_folder::{ITEMS, PAGES};
use model::{ContentFolder, Page, Status};
use site::PageEntry;

/// Maximum number of pages for which every page shows the whole tree. In a larger tree only nearby
/// pages are shown. Otherwise the total size of all pages, and the data a build reads for them,
/// would grow with the square of the number of pages.
const MAX_WHOLE_TREE: usize = 100;

/// Maximum depth of nested folders in the tree. Pages in deeper folders are attached to the branch
/// at this depth. Even with a group in every folder, the limit stays below the maximum nesting of
/// partials, which is 64.
const MAX_DEPTH: usize = 12;

/// All published pages, for readers of one language. If a page has a translation in that language,
/// the tree contains only this translation.
#[derive(Debug)]
pub struct PageTree {
    branches: Vec<Branch>,
    top: Vec<usize>,
    /// The pages in reading order, from the top of the tree to the bottom.
    order: Vec<Leaf>,
    /// The index of each page in `order`, by its slug.
    positions: HashMap<String, usize>,
    /// The hash of the whole tree, for documents that are not in the tree.
    fingerprint: u64,
}

/// A page, a folder without its own page, or a group.
#[derive(Debug, Default)]
struct Branch {
    /// The name of a folder or group. Empty for a page.
    name: String,
    page: Option<Leaf>,
    is_group: bool,
    below: Vec<usize>,
    /// The range of the branch's pages in `order`, including pages below it.
    pages: Range<usize>,
}

#[derive(Debug, Clone, Hash)]
struct Leaf {
    slug: String,
    /// The page's navigation label, or else its title.
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
    /// Builds the tree from `pages`, which are in navigation order. A folder takes the position of
    /// its page, or else the position of the first page in it. A group takes the position of its
    /// first page.
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
            tree.add_branch_below(above, page.navigation_group.as_deref(), branch);
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

    /// Returns the branch of the folder that contains the page at `place`. Returns None at the top
    /// level.
    fn folder<'p>(
        &mut self,
        places: &mut HashMap<&'p str, usize>,
        place: &'p str,
    ) -> Option<usize> {
        let (folder, _) = place.rsplit_once('/')?;
        let inner = ContentFolder::split(folder)?.1;
        let inner = inner.strip_prefix(PAGES).or_else(|| inner.strip_prefix(ITEMS));
        let (above, name) = inner?.rsplit_once('/')?;
        if above.matches('/').count() >= MAX_DEPTH {
            return self.folder(places, folder);
        }
        if let Some(known) = places.get(folder) {
            return Some(*known);
        }
        let branch = self.add(Branch { name: words(name), ..Branch::default() });
        places.insert(folder, branch);
        let above = self.folder(places, folder);
        self.add_branch_below(above, None, branch);
        Some(branch)
    }

    /// Adds a branch below the branch `above`, inside the group with this name if a name is given.
    fn add_branch_below(&mut self, above: Option<usize>, group: Option<&str>, branch: usize) {
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

    /// Adds the pages of a branch to `order`, and records their range.
    fn count(&mut self, at: usize) {
        let start = self.order.len();
        self.order.extend(self.branches[at].page.clone());
        for below in self.branches[at].below.clone() {
            self.count(below);
        }
        self.branches[at].pages = start..self.order.len();
    }
}

/// Formats a folder name for people: `field-notes` becomes `Field notes`.
fn words(folder: &str) -> String {
    let words = folder.replace(['-', '_'], " ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The tree as shown on one page.
#[derive(Debug, Clone, Copy)]
pub struct ShownTree<'a> {
    tree: &'a PageTree,
    /// The index in `order` of the page being shown.
    current: Option<usize>,
}

impl<'a> ShownTree<'a> {
    pub fn top(self) -> Vec<ShownBranch<'a>> {
        self.nearest_siblings(&self.tree.top)
    }

    /// Returns the pages before and after the current page.
    pub fn neighbours(self) -> [Option<Crumb<'a>>; 2] {
        let page = |at: Option<usize>| self.tree.order.get(at?).map(Leaf::crumb);
        [page(self.current.and_then(|at| at.checked_sub(1))), page(self.current.map(|at| at + 1))]
    }

    /// Returns at most [`MAX_WHOLE_TREE`] siblings, nearest to the current page.
    fn nearest_siblings(self, all: &'a [usize]) -> Vec<ShownBranch<'a>> {
        let shown = |at: &usize| ShownBranch { shown: self, branch: &self.tree.branches[*at] };
        let open = all.iter().position(|at| shown(at).is_open()).unwrap_or_default();
        let start =
            open.saturating_sub(MAX_WHOLE_TREE / 2).min(all.len().saturating_sub(MAX_WHOLE_TREE));
        all[start..].iter().take(MAX_WHOLE_TREE).map(shown).collect()
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

/// A branch as shown on one page.
#[derive(Debug, Clone, Copy)]
pub struct ShownBranch<'a> {
    shown: ShownTree<'a>,
    branch: &'a Branch,
}

impl<'a> ShownBranch<'a> {
    /// Returns the page that the branch links to: its own page, or else the first page below it.
    pub fn page(self) -> Option<Crumb<'a>> {
        let first = self.shown.tree.order.get(self.branch.pages.start);
        first.map(Leaf::crumb)
    }

    /// Returns the name of a group, or of a folder without a page.
    pub fn own_name(self) -> Option<&'a str> {
        self.branch.page.is_none().then_some(self.branch.name.as_str())
    }

    pub fn is_group(self) -> bool {
        self.branch.is_group
    }

    pub fn is_current(self) -> bool {
        self.branch.page.is_some() && self.shown.current == Some(self.branch.pages.start)
    }

    /// Returns whether the current page is this page or is below it.
    pub fn is_open(self) -> bool {
        self.shown.current.is_some_and(|at| self.branch.pages.contains(&at))
    }

    pub fn below(self) -> Vec<ShownBranch<'a>> {
        let is_shown = self.is_open() || self.shown.tree.order.len() <= MAX_WHOLE_TREE;
        if is_shown { self.shown.nearest_siblings(&self.branch.below) } else { Vec::new() }
    }
}

/// Hashes only the data of the branch that the page shows.
impl Hash for ShownBranch<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.page(), self.own_name(), self.is_group()).hash(state);
        (self.is_current(), self.is_open(), self.below()).hash(state);
    }
}

impl<'a> Provider<'a> {
    /// Returns the tree for a page in this language. `current` is the page that the document shows,
    /// if any.
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

    /// Builds a tree for each language of published pages.
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
