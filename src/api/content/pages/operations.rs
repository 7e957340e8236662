//! The operations on pages.

use super::input::{PageCreateInput, PageInput};
use super::list::{PageListOutput, PageQuery, list};
use super::output::PageOutput;
use super::{PageCreated, create, delete, read, update, validate};
use crate::operation::{Operation, schema};
use crate::output::{Empty, Validated};

pub const OPERATIONS: &[Operation] = &[
    Operation {
        id: "listPages",
        path: "/pages/",
        tag: "Pages",
        summary: "List Pages",
        description: "Lists Pages, including the 404 Page, most recently changed first.",
        query: Some(schema::<PageQuery>),
        errors: &[400],
        ..Operation::reads(list, schema::<PageListOutput>)
    },
    Operation {
        id: "createPage",
        method: "POST",
        path: "/pages/",
        tag: "Pages",
        summary: "Create a Page",
        description: "Writes a new file in `content/pages/`.",
        body: Some(schema::<PageCreateInput>),
        status: 201,
        errors: &[400, 404, 409, 422],
        ..Operation::writes(create, schema::<PageCreated>)
    },
    Operation {
        id: "validatePage",
        path: "/pages/validate/",
        tag: "Pages",
        summary: "Validate a Page",
        description: "Checks whether a Page can be created from this body. Writes nothing.",
        body: Some(schema::<PageCreateInput>),
        errors: &[400, 404],
        ..Operation::tries(validate, schema::<Validated>)
    },
    Operation {
        id: "getPage",
        path: "/pages/{pageId}/",
        tag: "Pages",
        summary: "Read a Page",
        description: "Returns a Page. The id of the 404 Page is `system-404`, and of the German 404 Page of a site with several languages `system-404-de`.",
        errors: &[404],
        ..Operation::reads(read, schema::<PageOutput<'static>>)
    },
    Operation {
        id: "updatePage",
        method: "PUT",
        path: "/pages/{pageId}/",
        tag: "Pages",
        summary: "Change a Page",
        description: "Changes only the sent fields in the Page's file. The rest of the file stays byte for byte the same. A former path stays reserved and redirects to the Page. The path, language and status of the 404 Page cannot be changed, and the navigation never shows it.",
        body: Some(schema::<PageInput>),
        errors: &[400, 404, 409, 422],
        ..Operation::writes(update, schema::<PageOutput<'static>>)
    },
    Operation {
        id: "deletePage",
        method: "DELETE",
        path: "/pages/{pageId}/",
        tag: "Pages",
        summary: "Delete a Page",
        description: "Moves the Page's file to `.feedwright/trash/`. Its paths stay reserved: `content/redirects.toml` redirects them to the home page. The 404 Page cannot be deleted.",
        errors: &[400, 404, 409],
        ..Operation::writes(delete, schema::<Empty>)
    },
];
