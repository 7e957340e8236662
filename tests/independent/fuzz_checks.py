"""Checks of the fuzzer beyond its own. SCHEMATHESIS_HOOKS names this module.

`accepts_what_is_described` is schemathesis' positive_data_acceptance: what fits the description is accepted. A
description of one request cannot say what depends on the state of the site, on another request, or on two fields
together. Refusals for such a reason are listed here, by operation and message; all others fail.
"""

import re

import schemathesis
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

CURSOR = r"next_cursor: (invalid cursor|does not belong to this query|this cursor belongs to)"
PICTURE = r"_service\.seo\.social_image\.(width|height|mime_type): "
FILES = r"\S+: .*(no file of the site is published|does not exist|points outside the site|is a folder|is hidden|contains a backslash)"
ITEM = [
    r"content_markdown: send either",
    r"date_published_ms: must be the same time",
    r"\S+: duplicate field",
    r"_service\.podcast\.chapters\[\d+\]\.(startTime|endTime): chapter \d+",
    r"attachment: must be the same",
    r".*a published or unlisted item needs",
    # A picture of the site that was read may have another size.
    PICTURE,
    # Files that the site does not have, licences without a text, chapters out of order.
    FILES,
    r"\S+: .*an address cannot start with",
    r"\S+: .*(ascend|is no known licen[cs]e|licen[cs]e)",
]
TEMPLATE = r"draft_content: (line \d+, column \d+: |this Site File renders|has \d+ bytes)"
TIMES = r"time(Max|Min): must be (later|earlier)"
TOKENS = r"(pageToken|syncToken): "
NOT_WITH_SYNC = r"\w+: cannot be (combined|false) with syncToken"

REASONS = {
    # Content
    "GET /feed/": [CURSOR, r"prev_cursor: (send either|invalid cursor|this cursor belongs to)"],
    "GET /pages/": [CURSOR],
    "GET /search/": [CURSOR],
    "POST /items/": ITEM,
    "POST /items/validate/": ITEM,
    "PUT /items/{itemId}/": [*ITEM, r"id: the id of an item cannot be changed"],
    "POST /pages/": [FILES, r"navigation_label: ", r"content_markdown: send either"],
    "POST /pages/validate/": [FILES, r"navigation_label: ", r"content_markdown: send either"],
    "PUT /pages/{pageId}/": [
        FILES,
        r"navigation_label: ",
        r"content_markdown: send either",
        r"\w+: (the|that of the) 404 Page",
        r"\w+: .*404 Page",
    ],
    "DELETE /pages/{pageId}/": [r"the 404 Page cannot be deleted"],
    "POST /site-files/": [TEMPLATE, r"filename: .*(is taken|is generated|takes)"],
    "POST /site-files/validate/": [TEMPLATE, r"filename: .*(is taken|is generated|takes)"],
    "POST /site-files/preview/": [
        TEMPLATE,
        r"filename: (is required|must be \S+, the name)",
        r"filename: .*(is taken|takes)",
    ],
    "PUT /site-files/{siteFileId}/": [TEMPLATE, r"filename: cannot be changed"],
    "DELETE /site-files/{siteFileId}/": [r"\S+ is generated and cannot be deleted"],
    "POST /site-files/{siteFileId}/publish/": [TEMPLATE, r"there is no draft"],
    "POST /site-files/{siteFileId}/reset/": [r"\S+ cannot be reset"],
    "PUT /channels/{channelId}/": [*ITEM, r"the body: duplicate field"],
    "POST /media_files/presigned_urls/": [
        r"(category: does not match the file|type: \.\w+ files)",
        r"item_id: is required unless",
    ],
    "PUT /media-upload/{token}": [r"this upload URL is unknown"],
    # Calendar
    "GET /calendars/{calendarId}/events": [TIMES, TOKENS, NOT_WITH_SYNC, r"orderBy: .*singleEvents"],
    "GET /calendars/{calendarId}/events/{eventId}/instances": [TIMES, TOKENS, r"eventId: ", r"originalStart: "],
    # Warehouse
    "POST /projects/{project}/datasets/{dataset}/tables": [
        r"schema\.fields: duplicate field",
        r"schema\.fields.*(REPEATED|REQUIRED)",
        r".*reserved",
    ],
    "GET /projects/{project}/queries/{job}": [r"this job is not a query"],
    # Another request has given the table other columns.
    "GET /projects/{project}/datasets/{dataset}/tables/{table}/data": [r"selectedFields: unknown column"],
    "POST /projects/{project}/jobs": [r"Unrecognized name: [nt];"],
    "POST /projects/{project}/queries": [r"Unrecognized name: [nt];"],
}


def message_of(response):
    """What the body of an error says is wrong."""
    body = response.json()
    error = body.get("error", body)
    return error if isinstance(error, str) else str(error.get("message", error))


def has_null(value):
    """Whether a body holds null somewhere."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return value is None or any(has_null(one) for one in inner)


@schemathesis.check
def rejects_what_is_not_described(ctx, response, case):
    """schemathesis' negative_data_rejection. The calendar and the warehouse take an empty parameter, and the warehouse
    null in a body, as left out."""
    # An object is sent as parameters of other names.
    is_empty = any(value in ("", [""], []) or isinstance(value, dict) for value in (case.query or {}).values())
    if is_empty and re.search(r"/(calendars|users/me|projects)", case.operation.label):
        return None
    if "/projects" in case.operation.label and has_null(case.body):
        return None
    return negative_data_rejection(ctx, response, case)


@schemathesis.check
def accepts_what_is_described(ctx, response, case):
    # A sync token that is too old or of another site.
    if response.status_code == 410:
        return None
    if response.status_code == 400:
        message = message_of(response)
        reasons = REASONS.get(case.operation.label, [])
        if any(re.match(reason, message, re.DOTALL) for reason in reasons):
            return None
    return positive_data_acceptance(ctx, response, case)
