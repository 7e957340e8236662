//! The places that a site and its media go to.

use std::path::Path;

use jiff::Timestamp;

use super::{Deployed, Fault, LocalFile, Place, Plan, Stage, Stored, Terms, stored};
use builder::{Progress, real};
use model::{Config, Destination};
use project::Options;
use source::stored_media::StoredMedia;

/// What is known before the places are looked at.
pub struct Looking<'a> {
    pub options: &'a Options,
    pub config: &'a Config,
    /// Where the site is built.
    pub out: &'a Path,
    /// What is known of the media that lie elsewhere.
    pub list: &'a StoredMedia,
    pub takes_over: bool,
}

/// One of the places, and what is to be done there.
pub struct Part<'a> {
    pub to: &'a Destination,
    pub plan: Plan<'a>,
    pub here: &'a [LocalFile],
    place: Place,
    terms: Terms<'a>,
    /// How many files are deleted when the site is out there that does not name them.
    put_off: usize,
}

/// What was done at a place.
pub struct Published {
    pub to: Destination,
    pub deployed: Deployed,
    pub files: usize,
    pub unchanged: usize,
    pub waiting: usize,
    pub others: usize,
    /// The media that were another version of themselves.
    pub replaced: Vec<String>,
}

impl<'a> Looking<'a> {
    /// Looks at the place of media and at that of the site.
    pub fn look(
        &self,
        media: Option<(&'a Destination, &'a [LocalFile], &'a Stored)>,
        site: Option<(&'a Destination, &'a [LocalFile])>,
    ) -> Result<(Option<Part<'a>>, Option<Part<'a>>), Fault> {
        let below = |inner: Option<&Destination>, outer: Option<&Destination>| {
            below(self.options, inner?, outer?)
        };
        // Even where nothing goes there now, it stays what it is.
        let to = self.config.deploy.media.as_ref();
        // The site's own place holds it too where another machine publishes it.
        let home = site.map(|(to, _)| to).or(self.config.deploy.to.as_ref());
        let (in_media, in_site) = (below(home, to), below(to, home));
        if in_site.as_deref() == Some("") {
            return Err(Fault::same_place());
        }
        let mut media = match media {
            Some((to, here, stored)) => Some(self.part(to, here, (stored, in_media), "")?),
            None => None,
        };
        if let (Some(media), None) = (&mut media, site) {
            media.plan.keep_all(media.terms.now);
        }
        let site = match site {
            Some((to, here)) => Some(self.part(to, here, (&NOTHING, in_site), "media/")?),
            None => None,
        };
        Ok((media, site))
    }

    fn part(
        &self,
        to: &'a Destination,
        here: &'a [LocalFile],
        (stored, apart): (&'a Stored, Option<String>),
        media: &str,
    ) -> Result<Part<'a>, Fault> {
        let terms = Terms {
            site: &self.config.base_url,
            stored,
            apart: apart.into_iter().collect(),
            now: Timestamp::now(),
            keep_days: self.config.deploy.keep_days,
            takes_over: self.takes_over,
        };
        let mut place = Place::open(&self.options.root, self.out, to)?;
        let plan = place.look(here, &terms)?;
        stored::refuse_outdated(self.list, &plan, media)?;
        Ok(Part { to, plan, here, place, terms, put_off: 0 })
    }
}

/// The path of a place from another one that it lies in.
fn below(options: &Options, inner: &Destination, outer: &Destination) -> Option<String> {
    inner.below(outer, |folder| real(&options.root.join(folder)))
}

/// Whether two destinations are one place.
pub fn is_same(options: &Options, one: &Destination, other: &Destination) -> bool {
    below(options, one, other).as_deref() == Some("")
}

static NOTHING: Stored = Stored::new();

impl<'a> Part<'a> {
    /// Sends the files before the site that links to them. Former files, to which published pages may still link, are
    /// only deleted by [`delete_former`](Self::delete_former).
    pub fn send(&mut self, bar: &dyn Progress) -> Result<Published, Fault> {
        self.put_off = std::mem::take(&mut self.plan.delete).len();
        self.publish(false, bar)
    }

    /// Deletes what the published site no longer names.
    pub fn delete_former(
        &mut self,
        published: &mut Published,
        bar: &dyn Progress,
    ) -> Result<(), Fault> {
        if self.put_off == 0 {
            return Ok(());
        }
        let plan = self.place.look(self.here, &self.terms)?;
        published.deployed.deleted += self.place.deploy(self.here, plan, false, bar)?.deleted;
        Ok(())
    }

    /// Notes that all have been told of these files.
    pub fn told(&mut self, files: &[String]) -> Result<(), Fault> {
        self.place.told(files)
    }

    /// Does what is to be done.
    pub fn publish(&mut self, tells: bool, bar: &dyn Progress) -> Result<Published, Fault> {
        let plan = std::mem::take(&mut self.plan);
        let replaced = plan.put.iter();
        let replaced = replaced.filter(|put| !put.is_new && put.file.stage == Stage::Media);
        let mut published = Published {
            to: self.to.clone(),
            deployed: Deployed::default(),
            files: self.here.len(),
            unchanged: plan.unchanged,
            waiting: plan.waiting.len(),
            others: plan.others,
            replaced: replaced.map(|put| put.file.path.clone()).collect(),
        };
        published.deployed = self.place.deploy(self.here, plan, tells, bar)?;
        Ok(published)
    }
}
