//! The places that a site can be published to: some take files one by one, some a site as a whole.

use std::path::Path;

use jiff::Timestamp;

use super::host::{CloudflarePages, Host, Netlify};
use super::{Deployed, Fault, LocalFile, Plan, Stored, Target, run, target};
use crate::build::Progress;
use crate::model::Destination;

/// A place that a site is published to.
pub enum Place {
    /// One that takes files one by one.
    Files(Box<dyn Target>),
    /// One that takes a site as a whole.
    Whole(Box<dyn Host>),
}

impl Place {
    /// Opens a destination. `root` is the site's.
    pub fn open(root: &Path, destination: &Destination) -> Result<Self, Fault> {
        let files = |target| Self::Files(target);
        Ok(match destination {
            Destination::Folder(folder) => files(Box::new(target::Folder::new(root, folder)?)),
            Destination::S3(bucket) => files(Box::new(target::S3::open(bucket)?)),
            Destination::Git { remote, branch } => {
                files(Box::new(target::Git::open(root, remote, branch)?))
            }
            Destination::Sftp(at) => files(Box::new(target::Sftp::new(at))),
            Destination::Rsync(at) => files(Box::new(target::Rsync::new(root, at))),
            Destination::Netlify(site) => Self::Whole(Box::new(Netlify::open(site)?)),
            Destination::CloudflarePages(site) => {
                Self::Whole(Box::new(CloudflarePages::open(site)?))
            }
        })
    }

    /// Looks at the place and says what is to be done there.
    pub fn look<'a>(
        &mut self,
        here: &'a [LocalFile],
        stored: &Stored,
        now: (Timestamp, u16),
    ) -> Result<Plan<'a>, Fault> {
        match self {
            Self::Files(target) => run::look(target.as_mut(), here, stored, now),
            Self::Whole(_) if let Some(path) = stored.keys().next() => {
                Err(Fault::not_stored(path, None))
            }
            Self::Whole(host) => host.look(here),
        }
    }

    /// Does what a plan says of these files.
    pub fn deploy(
        &mut self,
        here: &[LocalFile],
        plan: Plan<'_>,
        progress: &dyn Progress,
    ) -> Result<Deployed, Fault> {
        match self {
            _ if plan.is_done() => Ok(Deployed::default()),
            Self::Files(target) => run::deploy(target.as_mut(), plan, progress),
            Self::Whole(host) => host.publish(here, &plan, progress),
        }
    }
}
