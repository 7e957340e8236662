//! The destinations of a site and its media.

use std::path::Path;

use jiff::Timestamp;

use super::{Deployed, Fault, LocalFile, Place, Plan, Stage, Stored, Terms, stored};
use builder::{Changed, Progress, resolved};
use model::{Config, Destination};
use project::Options;
use source::stored_media::StoredMedia;

/// The data needed to examine the destinations of a deploy.
pub struct DeployContext<'a> {
    pub options: &'a Options,
    pub config: &'a Config,
    /// The output folder of the build.
    pub out: &'a Path,
    /// The media files that are stored elsewhere, from `content/media.json`.
    pub list: &'a StoredMedia,
    pub takes_over: bool,
}

/// One destination with the plan for it.
pub struct Part<'a> {
    pub to: &'a Destination,
    pub plan: Plan<'a>,
    pub output_files: &'a [LocalFile],
    place: Place,
    terms: Terms<'a>,
    /// The number of files whose deletion is postponed until the new site, which no longer links to
    /// them, is published.
    put_off: usize,
}

/// The result for one destination.
pub struct Published {
    pub to: Destination,
    pub deployed: Deployed,
    pub files: usize,
    pub unchanged: usize,
    /// Recordings that got new tags or audio.
    pub recordings: Changed,
    pub waiting: usize,
    pub others: usize,
    /// The media files that replaced another version.
    pub replaced: Vec<String>,
}

impl<'a> DeployContext<'a> {
    /// Examines the destinations of the media and of the site, and makes a plan for each.
    pub fn make_plan(
        &self,
        media: Option<(&'a Destination, &'a [LocalFile], &'a Stored)>,
        site: Option<(&'a Destination, &'a [LocalFile])>,
    ) -> Result<(Option<Part<'a>>, Option<Part<'a>>), Fault> {
        let path_below = |inner: Option<&Destination>, outer: Option<&Destination>| {
            path_below(self.options, inner?, outer?)
        };
        // The destination of the media is a separate destination, even if this deploy sends no
        // media.
        let to = self.config.deploy.media.as_ref();
        // Another machine may deploy the site, so the destination in `site.toml` is also compared
        // with the destination of the media.
        let home = site.map(|(to, _)| to).or(self.config.deploy.to.as_ref());
        let (in_media, in_site) = (path_below(home, to), path_below(to, home));
        if in_site.as_deref() == Some("") {
            return Err(Fault::same_place());
        }
        let mut media = match media {
            Some((to, output_files, stored)) => {
                Some(self.part(to, output_files, (stored, in_media), "")?)
            }
            None => None,
        };
        if let (Some(media), None) = (&mut media, site) {
            media.plan.postpone_deletions(media.terms.now);
        }
        let site = match site {
            Some((to, output_files)) => {
                Some(self.part(to, output_files, (&NO_FILES, in_site), "media/")?)
            }
            None => None,
        };
        Ok((media, site))
    }

    fn part(
        &self,
        to: &'a Destination,
        output_files: &'a [LocalFile],
        (stored, separate): (&'a Stored, Option<String>),
        media: &str,
    ) -> Result<Part<'a>, Fault> {
        let terms = Terms {
            site: &self.config.base_url,
            stored,
            separate: separate.into_iter().collect(),
            now: Timestamp::now(),
            keep_days: self.config.deploy.keep_days,
            takes_over: self.takes_over,
        };
        let mut place = Place::open(&self.options.root, self.out, to)?;
        let plan = place.make_plan(output_files, &terms)?;
        stored::refuse_outdated(&self.options.root, self.list, &plan, media)?;
        Ok(Part { to, plan, output_files, place, terms, put_off: 0 })
    }
}

/// Returns the path of a destination within another one, or `None` if it is not within the other
/// one.
fn path_below(options: &Options, inner: &Destination, outer: &Destination) -> Option<String> {
    inner.below(outer, |folder| resolved(&options.root.join(folder)))
}

/// Whether two destinations are the same.
pub fn is_same(options: &Options, one: &Destination, other: &Destination) -> bool {
    path_below(options, one, other).as_deref() == Some("")
}

static NO_FILES: Stored = Stored::new();

impl<'a> Part<'a> {
    /// Uploads files before the site that links to them is published. Published pages may still
    /// link to former files, so [`delete_former`](Self::delete_former) deletes them later.
    pub fn send(&mut self, bar: &dyn Progress) -> Result<Published, Fault> {
        self.put_off = std::mem::take(&mut self.plan.delete).len();
        self.publish(false, bar)
    }

    /// Deletes files that the published site no longer links to.
    pub fn delete_former(
        &mut self,
        published: &mut Published,
        bar: &dyn Progress,
    ) -> Result<(), Fault> {
        if self.put_off == 0 {
            return Ok(());
        }
        let plan = self.place.make_plan(self.output_files, &self.terms)?;
        published.deployed.deleted +=
            self.place.deploy(self.output_files, plan, false, bar)?.deleted;
        Ok(())
    }

    /// Records that these files were announced.
    pub fn mark_announced(&mut self, files: &[String]) -> Result<(), Fault> {
        self.place.mark_announced(files)
    }

    /// Executes the plan.
    pub fn publish(&mut self, announces: bool, bar: &dyn Progress) -> Result<Published, Fault> {
        let plan = std::mem::take(&mut self.plan);
        let replaced = plan.put.iter();
        let replaced = replaced.filter(|put| !put.is_new && put.file.stage == Stage::Media);
        let mut published = Published {
            to: self.to.clone(),
            deployed: Deployed::default(),
            files: self.output_files.len(),
            unchanged: plan.unchanged,
            recordings: plan.recordings(),
            waiting: plan.waiting.len(),
            others: plan.others,
            replaced: replaced.map(|put| put.file.path.clone()).collect(),
        };
        published.deployed = self.place.deploy(self.output_files, plan, announces, bar)?;
        Ok(published)
    }
}
