//! The tree of pages in template contexts.

use mustache::{Data, object};

use super::breadcrumbs::{crumb_lang, crumb_name, crumb_url};
use crate::inputs::{Crumb, Shared, ShownBranch, ShownTree};

/// Returns the part of the tree that a page shows.
pub fn page_tree<'a>(shared: &'a Shared<'a>, tree: ShownTree<'a>) -> Data<'a> {
    branches(shared, tree.top())
}

fn branches<'a>(shared: &'a Shared<'a>, all: Vec<ShownBranch<'a>>) -> Data<'a> {
    let views = all.into_iter().map(|branch| {
        let page = branch.page();
        Data::object(BranchData { shared, branch, page })
    });
    views.collect()
}

struct BranchData<'a> {
    shared: &'a Shared<'a>,
    branch: ShownBranch<'a>,
    /// The page that the branch links to.
    page: Option<Crumb<'a>>,
}

object!(impl BranchData<'a>, |this| {
    "name" => match this.branch.own_name() {
        Some(name) => Data::from(name),
        None => this.page.as_ref().map(|page| crumb_name(this.shared, page).into_owned()).into(),
    },
    "lang" => match this.branch.own_name() {
        Some(_) => None,
        None => this.page.as_ref().and_then(|page| crumb_lang(this.shared, page)),
    },
    "url" => this.page.as_ref().map(|page| crumb_url(this.shared, page)),
    "is_page" => this.branch.own_name().is_none(),
    "is_group" => this.branch.is_group(),
    "is_current" => this.branch.is_current(),
    "is_open" => this.branch.is_open(),
    "below" => branches(this.shared, this.branch.below()),
});
