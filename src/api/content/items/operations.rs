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
        description: "Writes a new file in `content/items/`. With an `Idempotency-Key`, a retry within 24 hours returns the first response again and creates nothing.",
        idempotent: true,
        body: Some(schema::<ItemInput>),
        status: 201,
        errors: &[400, 404, 409],
        ..Operation::writes(create, schema::<ItemCreated>)
    },
    Operation {
        id: "validateItem",
        path: "/items/validate/",
        tag: "Items",
        summary: "Validate an item",
        description: "Checks whether an item can be created from this body. Writes nothing.",
        body: Some(schema::<ItemInput>),
        errors: &[400, 404],
        ..Operation::tries(validate, schema::<Validated>)
    },
    Operation {
        id: "getItem",
        path: "/items/{itemId}/",
        tag: "Items",
        summary: "Read an item",
        description: "Returns a feed with this item only. The path accepts the item's id, its slug, a former slug, or any slug that ends in the id.",
        errors: &[404],
        ..Operation::reads(read, schema::<FeedOutput>)
    },
    Operation {
        id: "updateItem",
        method: "PUT",
        path: "/items/{itemId}/",
        tag: "Items",
        summary: "Change an item",
        description: "Changes only the sent fields in the item's file. The rest of the file stays byte for byte the same. Sending `content_html` converts a Markdown item to HTML.",
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
        description: "Moves the item's file to `.feedwright/trash/`. If the item has its own folder, the folder moves with everything in it. If the folder also contains other items, those items and the media stay.",
        errors: &[400, 404, 409],
        ..Operation::writes(delete, schema::<Empty>)
    },
];
