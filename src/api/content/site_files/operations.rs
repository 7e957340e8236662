//! The operations on site files.

use super::input::{SiteFileCreateInput, SiteFileInput, SiteFilePreviewInput};
use super::output::SiteFileOutput;
use super::preview::{SiteFilePreviewOutput, preview};
use super::{SiteFileCreated, SiteFileListOutput};
use super::{create, delete, list, publish, read, reset, update, validate};
use crate::operation::{Operation, schema};
use crate::output::{Empty, Validated};

pub const OPERATIONS: &[Operation] = &[
    Operation {
        id: "listSiteFiles",
        path: "/site-files/",
        tag: "Site Files",
        summary: "List Site Files",
        description: "Lists all Site Files by name, including generated ones.",
        ..Operation::reads(list, schema::<SiteFileListOutput>)
    },
    Operation {
        id: "createSiteFile",
        method: "POST",
        path: "/site-files/",
        tag: "Site Files",
        summary: "Create a Site File",
        description: "Saves the draft of a new Site File in `site-files/`. The file is served once it is published.",
        body: Some(schema::<SiteFileCreateInput>),
        status: 201,
        errors: &[400, 409],
        ..Operation::writes(create, schema::<SiteFileCreated>)
    },
    Operation {
        id: "validateSiteFile",
        path: "/site-files/validate/",
        tag: "Site Files",
        summary: "Validate a Site File",
        description: "Checks whether a Site File can be created from this body. Writes nothing.",
        body: Some(schema::<SiteFileCreateInput>),
        errors: &[400],
        ..Operation::tries(validate, schema::<Validated>)
    },
    Operation {
        id: "previewSiteFile",
        path: "/site-files/preview/",
        tag: "Site Files",
        summary: "Preview a Site File",
        description: "Renders a template without saving it. The template can use the public feed, `_site`, the 100 newest published items and the 100 most recently changed published Pages.",
        body: Some(schema::<SiteFilePreviewInput>),
        errors: &[400, 404],
        ..Operation::tries(preview, schema::<SiteFilePreviewOutput>)
    },
    Operation {
        id: "getSiteFile",
        path: "/site-files/{siteFileId}/",
        tag: "Site Files",
        summary: "Read a Site File",
        description: "Returns a Site File with its draft and its published template.",
        errors: &[404],
        ..Operation::reads(read, schema::<SiteFileOutput>)
    },
    Operation {
        id: "updateSiteFile",
        method: "PUT",
        path: "/site-files/{siteFileId}/",
        tag: "Site Files",
        summary: "Change a Site File",
        description: "Saves the draft in a separate file next to the published template. Changes to `enabled` and `content_type` take effect immediately. The name cannot be changed.",
        body: Some(schema::<SiteFileInput>),
        errors: &[400, 404, 409],
        ..Operation::writes(update, schema::<SiteFileOutput>)
    },
    Operation {
        id: "deleteSiteFile",
        method: "DELETE",
        path: "/site-files/{siteFileId}/",
        tag: "Site Files",
        summary: "Delete a Site File",
        description: "Moves the Site File and its draft to `.feedwright/trash/`. A generated Site File cannot be deleted.",
        errors: &[400, 404, 409],
        ..Operation::writes(delete, schema::<Empty>)
    },
    Operation {
        id: "publishSiteFile",
        method: "POST",
        path: "/site-files/{siteFileId}/publish/",
        tag: "Site Files",
        summary: "Publish a Site File",
        description: "Checks that the draft renders to valid content, and replaces the published template with it.",
        errors: &[400, 404, 409],
        ..Operation::writes(publish, schema::<SiteFileOutput>)
    },
    Operation {
        id: "resetSiteFile",
        method: "POST",
        path: "/site-files/{siteFileId}/reset/",
        tag: "Site Files",
        summary: "Reset a generated Site File",
        description: "Moves the template and draft that override the generated content to `.feedwright/trash/`.",
        errors: &[400, 404, 409],
        ..Operation::writes(reset, schema::<SiteFileOutput>)
    },
];
