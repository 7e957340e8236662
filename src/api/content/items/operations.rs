//! The operations on items.

use super::{ItemInput, create, delete, read, update, validate};
use crate::operation::{Operation, schema};
use crate::output::{Empty, FeedOutput, ItemCreated, ItemOutput, Validated};

pub const OPERATIONS: &[Operation] = &[
    Operation {
        id: "createItem",
        method: "POST",
        path: "/items/",
        tag: "Items",
        summary: "Create an item",
        description: "Writes a new file in `content/items/`. With an `Idempotency-Key` a retry within 24 hours answers the first response again and creates nothing.",
        idempotent: true,
        body: Some(schema::<ItemInput>),
        status: 201,
        errors: &[400, 409],
        ..Operation::writes(create, schema::<ItemCreated>)
    },
    Operation {
        id: "validateItem",
        path: "/items/validate/",
        tag: "Items",
        summary: "Validate an item",
        description: "Says whether an item could be created from this body. Nothing is written.",
        body: Some(schema::<ItemInput>),
        errors: &[400],
        ..Operation::tries(validate, schema::<Validated>)
    },
    Operation {
        id: "getItem",
        path: "/items/{itemId}/",
        tag: "Items",
        summary: "Read an item",
        description: "Answers a feed with this one item. The path takes the item's id, its slug, a former slug, or any slug that ends in the id.",
        errors: &[404],
        ..Operation::reads(read, schema::<FeedOutput>)
    },
    Operation {
        id: "updateItem",
        method: "PUT",
        path: "/items/{itemId}/",
        tag: "Items",
        summary: "Change an item",
        description: "Changes the fields that are sent, and no other byte of the item's file. `content_html` makes a Markdown item an HTML one.",
        body: Some(schema::<ItemInput>),
        errors: &[400, 404, 409],
        ..Operation::writes(update, schema::<ItemOutput>)
    },
    Operation {
        id: "deleteItem",
        method: "DELETE",
        path: "/items/{itemId}/",
        tag: "Items",
        summary: "Delete an item",
        description: "Moves the item's file to `.feedwright/trash/`: where it is a folder, the folder with all that lies in it. Where other items lie in the folder too, they and the media stay.",
        errors: &[400, 404, 409],
        ..Operation::writes(delete, schema::<Empty>)
    },
];
