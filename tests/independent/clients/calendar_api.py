"""The published Python client of the calendar API, pointed at feedwright by its base URL alone.

    calendar_api.py FEEDWRIGHT

Lists in pages, syncs while files change, and meets the errors it knows. Binds to 127.0.0.1 only, writes to
a temporary folder only, stops what it started.
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import time

from google.auth.exceptions import RefreshError
from google.oauth2.credentials import Credentials
from googleapiclient.discovery import build
from googleapiclient.errors import HttpError

WEEKLY = """+++
id = "weekly"
summary = "Weekly"
start = "2026-03-20T20:00"
end = "2026-03-20T21:00"
recurrence = ["RRULE:FREQ=WEEKLY;COUNT=3"]
+++
"""


def event(name, summary):
    return f'+++\nid = "{name}"\nsummary = "{summary}"\nstart = "2026-11-20T20:00"\n+++\nText\n'


def service(url, key):
    return build(
        "calendar",
        "v3",
        credentials=Credentials(token=key),
        client_options={"api_endpoint": f"{url}/calendar/v3/"},
        static_discovery=True,
        cache_discovery=False,
    )


def pages(events, **parameters):
    """Every entry of a list, its pages' sizes, and its sync token."""
    items, sizes = [], []
    request = events.list(calendarId="primary", **parameters)
    while request is not None:
        answer = request.execute(num_retries=0)
        sizes.append(len(answer["items"]))
        items += answer["items"]
        assert ("nextPageToken" in answer) != ("nextSyncToken" in answer), answer
        request = events.list_next(request, answer)
    return items, sizes, answer["nextSyncToken"]


def fails(status, reason, request):
    try:
        request.execute(num_retries=0)
    except HttpError as error:
        assert error.status_code == status, error
        assert error.error_details[0]["reason"] == reason, error.error_details
        return
    raise AssertionError(f"{status} was expected")


def synced(events, held, token):
    """Takes what changed: as soon as the server has seen it."""
    for _ in range(100):
        items, _, token = pages(events, syncToken=token, maxResults=2)
        if items:
            break
        time.sleep(0.05)
    for item in items:
        held.pop(item["id"], None)
        if item["status"] != "cancelled":
            held[item["id"]] = item
    return token


def check(url, keys, folder):
    calendar = service(url, keys["reader"])
    events = calendar.events()

    listed = calendar.calendarList().list().execute()
    assert [entry["id"] for entry in listed["items"]] == ["shows"], listed
    assert listed["items"][0]["primary"] and listed["items"][0]["accessRole"] == "reader"
    assert calendar.calendars().get(calendarId="primary").execute()["timeZone"] == "Europe/Berlin"

    items, sizes, token = pages(events, maxResults=2, singleEvents=True, orderBy="startTime")
    assert sizes == [2, 2, 2, 2], sizes
    assert [item["id"] for item in items][:3] == [
        "weekly_20260320T190000Z",
        "weekly_20260327T190000Z",
        "weekly_20260403T180000Z",
    ]
    held = {item["id"]: item for item in items}

    first = events.get(calendarId="primary", eventId="weekly_20260403T180000Z").execute()
    assert first == held["weekly_20260403T180000Z"], first
    request = events.instances(calendarId="primary", eventId="weekly", maxResults=2)
    assert len(request.execute()["items"]) == 2
    assert len(events.instances_next(request, request.execute()).execute()["items"]) == 1

    (folder / "e0.md").write_text(event("e0", "Other"))
    token = synced(events, held, token)
    (folder / "e1.md").unlink()
    token = synced(events, held, token)
    (folder / "weekly.md").write_text(WEEKLY.replace("COUNT=3", "COUNT=2").replace("Weekly", "Each week"))
    token = synced(events, held, token)
    now, _, _ = pages(events, singleEvents=True)
    assert held == {item["id"]: item for item in now}, (held, now)
    assert held["e0"]["summary"] == "Other" and "e1" not in held and len(held) == 6

    everything = dict(
        calendarId="shows",
        eventTypes=["default", "focusTime"],
        iCalUID="e0@example.com",
        maxAttendees=5,
        orderBy="updated",
        privateExtendedProperty=[],
        q="other",
        showDeleted=True,
        showHiddenInvitations=False,
        timeMin="2026-01-01T00:00:00Z",
        timeMax="2026-12-01T00:00:00+01:00",
        timeZone="Asia/Tokyo",
        updatedMin="2000-01-01T00:00:00Z",
        fields="items(id,start),nextPageToken",
        prettyPrint=True,
        quotaUser="someone",
    )
    found = events.list(**everything).execute()["items"]
    assert [item["id"] for item in found] == ["e0"], found
    assert found[0]["start"]["dateTime"] == "2026-11-21T04:00:00+09:00", found
    assert set(found[0]) == {"id", "start"}, found

    fails(410, "fullSyncRequired", events.list(calendarId="primary", syncToken="expired"))
    fails(400, "invalid", events.list(calendarId="primary", syncToken=token, q="x"))
    fails(400, "invalid", events.list(calendarId="primary", maxResults=2501))
    fails(404, "notFound", events.get(calendarId="primary", eventId="nothing"))
    fails(404, "notFound", events.list(calendarId="nothing"))
    fails(403, "insufficientPermissions", service(url, keys["content"]).events().list(calendarId="primary"))
    try:
        service(url, "unknown").events().list(calendarId="primary").execute(num_retries=0)
        raise AssertionError("an unknown key is let in")
    except RefreshError:
        # Told that its token is not valid (401), the client looks for another.
        pass
    fails(405, "httpMethodNotAllowed", events.delete(calendarId="primary", eventId="e0"))

    busy = service(url, keys["busy"]).events().list(calendarId="primary", q="other").execute()
    assert busy["accessRole"] == "freeBusyReader" and busy["items"] == [], busy


def main():
    feedwright = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as work:
        site = pathlib.Path(work)
        folder = site / "content/calendars/shows"
        folder.mkdir(parents=True)
        (site / "site.toml").write_text('base_url = "https://example.com"\n')
        (site / "content/channel.md").write_text('+++\ntitle = "Clients"\n+++\n')
        (folder / "calendar.toml").write_text('summary = "Shows"\ntimeZone = "Europe/Berlin"\n')
        (folder / "weekly.md").write_text(WEEKLY)
        for number in range(5):
            (folder / f"e{number}.md").write_text(event(f"e{number}", f"Event {number}"))
        keys = {}
        for name, scope in [("reader", "calendar.readonly"), ("busy", "calendar.events.freebusy"), ("content", "content:read")]:
            command = [feedwright, "keys", "create", "--site", work, "--name", name, "--scope", scope]
            keys[name] = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
        command = [feedwright, "serve", "--site", work, "--addr", "127.0.0.1:0"]
        log = site / "log"
        with log.open("w") as out, subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=out) as server:
            try:
                url = None
                for _ in range(100):
                    found = re.search(r"http://127\.0\.0\.1:\d+", log.read_text())
                    if found:
                        url = found.group()
                        break
                    time.sleep(0.1)
                assert url, log.read_text()
                check(url, keys, folder)
            finally:
                server.terminate()
    print("calendar API: the Python client lists in pages and syncs")


main()
