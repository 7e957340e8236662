//! The destinations that a site can be published to. Some of them receive individual files, and
//! others only a whole site.

use std::path::Path;

use super::host::{CloudflarePages, Host, Netlify};
use super::{Deployed, Fault, LocalFile, Plan, Target, Terms, destinations, run};
use builder::{Progress, resolved};
use model::Destination;

/// A destination of a site or of its media.
pub enum Place {
    /// A destination that receives individual files.
    Files(Box<dyn Target>),
    /// A host that publishes a whole site at once.
    Whole(Box<dyn Host>),
}

impl Place {
    /// Opens a destination. `root` is the site's root, and `out` is the output folder.
    pub fn open(root: &Path, out: &Path, destination: &Destination) -> Result<Self, Fault> {
        if let Destination::Folder(folder) = destination {
            let (there, out) = (resolved(&root.join(folder)), resolved(out));
            if there.starts_with(&out) || out.starts_with(&there) {
                return Err(Fault::overlaps_output(folder));
            }
        }
        let files = |target| Self::Files(target);
        Ok(match destination {
            Destination::Folder(folder) => {
                files(Box::new(destinations::Folder::new(root, folder)?))
            }
            Destination::S3(bucket) => files(Box::new(destinations::S3::open(bucket)?)),
            Destination::Git { remote, branch } => {
                files(Box::new(destinations::Git::open(root, remote, branch)?))
            }
            Destination::Sftp(at) => files(Box::new(destinations::Sftp::new(at))),
            Destination::Rsync(at) => files(Box::new(destinations::Rsync::new(root, at))),
            Destination::Netlify(site) => Self::Whole(Box::new(Netlify::open(site)?)),
            Destination::CloudflarePages(site) => {
                Self::Whole(Box::new(CloudflarePages::open(site)?))
            }
        })
    }

    /// Examines the destination and returns the plan for it.
    pub fn make_plan<'a>(
        &mut self,
        output_files: &'a [LocalFile],
        terms: &Terms<'_>,
    ) -> Result<Plan<'a>, Fault> {
        match self {
            Self::Files(target) => run::make_plan(target.as_mut(), output_files, terms),
            Self::Whole(host) => host.make_plan(output_files),
        }
    }

    /// Executes a plan for these files. If `announces` is true, new files stay recorded as
    /// unannounced until [`mark_announced`](Self::mark_announced) is called.
    pub fn deploy(
        &mut self,
        output_files: &[LocalFile],
        plan: Plan<'_>,
        announces: bool,
        progress: &dyn Progress,
    ) -> Result<Deployed, Fault> {
        match self {
            _ if plan.is_done() => Ok(Deployed::default()),
            Self::Files(target) => run::deploy(target.as_mut(), plan, announces, progress),
            Self::Whole(host) => host.publish(output_files, &plan, progress),
        }
    }

    /// Records that these files were announced.
    pub fn mark_announced(&mut self, files: &[String]) -> Result<(), Fault> {
        match self {
            Self::Files(target) => run::mark_announced(target.as_mut(), files),
            Self::Whole(_) => Ok(()),
        }
    }
}
