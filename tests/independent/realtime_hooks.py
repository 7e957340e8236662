"""Hooks signed by a published library of the Standard Webhooks specification, sent to feedwright.

    tests/independent/realtime_hooks.py FEEDWRIGHT

Binds to 127.0.0.1 only, writes to a temporary folder only, stops what it started.
"""

import base64
import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from datetime import datetime, timedelta, timezone
from pathlib import Path

from standardwebhooks import Webhook

FEEDWRIGHT = os.path.abspath(sys.argv[1])
SECRET = "whsec_" + base64.b64encode(bytes(range(32))).decode()
FORMER = "whsec_" + base64.b64encode(bytes(range(24))).decode()
NOW = datetime.now(timezone.utc).replace(microsecond=0)
EVENT = "content/calendars/shows/talk.md"


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def make_site(root):
    write(
        root / "site.toml",
        'base_url = "https://example.com"\n\n[[realtime]]\napp_id = "studio"\nsecret_env = "STUDIO_SECRET"\n',
    )
    write(root / "content/channel.md", '+++\ntitle = "Hooks"\n+++\n')
    start = (NOW - timedelta(minutes=10)).isoformat()
    write(root / EVENT, f'+++\nid = "talk"\nsummary = "Talk"\nstart = {start}\n\n[live]\napp = "studio"\n+++\n')


class Server:
    """A server of a site, with a secret in its environment or without."""

    def __init__(self, root, secret):
        environment = {key: value for key, value in os.environ.items() if key != "STUDIO_SECRET"}
        if secret:
            environment["STUDIO_SECRET"] = secret
        self.process = subprocess.Popen(
            [FEEDWRIGHT, "serve", "--site", root, "--addr", "127.0.0.1:0"],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.url = self.says(r"(http://127\.0\.0\.1:\d+)")

    def says(self, pattern):
        """Waits for a line."""
        for line in self.process.stderr:
            if found := re.search(pattern, line):
                return found[0]
        raise AssertionError(f"the server never says {pattern}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def get(self, path):
        return self.open(urllib.request.Request(self.url + path))[1]

    def post(self, body, headers):
        url = f"{self.url}/hooks/realtime/studio"
        status, text = self.open(urllib.request.Request(url, body.encode(), headers, method="POST"))
        return status, json.loads(text)

    @staticmethod
    def open(request):
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=20) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()


def signed(body, delivery, at=NOW, secrets=(SECRET,)):
    signatures = [Webhook(secret).sign(delivery, at, body) for secret in secrets]
    headers = {
        "content-type": "application/json",
        "webhook-id": delivery,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": " ".join(signatures),
    }
    # The library takes what it made itself.
    Webhook(secrets[-1]).verify(body, headers)
    return headers


def hook(event, **fields):
    meeting = {"id": "room", "sessionId": "s1", "startedAt": NOW.isoformat(), "title": "Ünïcode – “…”"}
    return json.dumps({"event": event, "meeting": meeting, **fields}, ensure_ascii=False)


def refused(answer):
    assert answer == (401, {"message": "Unauthorized"}), answer


def check(root):
    event = root / EVENT
    with Server(root, SECRET) as server:
        assert 'status="live"' not in server.get("/rss/")
        body = hook("meeting.started")
        refused(server.post(body, signed(body, "m1", secrets=(FORMER,))))
        refused(server.post(body + " ", signed(body, "m1")))
        refused(server.post(body, {**signed(body, "m1"), "webhook-id": "m2"}))
        assert "status" not in event.read_text()

        status, answer = server.post(body, signed(body, "m1", secrets=(FORMER, SECRET)))
        assert (status, answer["success"]) == (200, True), answer
        assert answer["data"]["matched"]["status"] == "live", answer
        assert 'status = "live"' in event.read_text()
        assert 'status="live"' in server.get("/rss/")

        refused(server.post(body, signed(body, "m1")))
        again = server.post(body, signed(body, "m1", at=NOW + timedelta(seconds=1)))
        assert again == (200, answer), again

        body = hook("meeting.ended")
        assert server.post(body, signed(body, "m3"))[0] == 200
        assert 'status="ended"' in server.get("/rss/")

        recording = {"id": "r", "status": "UPLOADED", "downloadUrl": "https://files.example/a.mp4", "fileSize": "7"}
        body = hook("recording.statusUpdate", recording=recording)
        status, answer = server.post(body, signed(body, "m4"))
        item = answer["data"]["matched"]["item"]
        assert status == 200 and f'item = "{item}"' in event.read_text(), answer
    # Another time, without the secret: it is the one who looks after the server that has to know.
    with Server(root, None) as server:
        status, answer = server.post(body, signed(body, "m5"))
        assert status == 503 and "STUDIO_SECRET" not in answer["message"], answer
        server.says("the environment variable STUDIO_SECRET is not set")


def run(root, *arguments):
    command = [FEEDWRIGHT, arguments[0], "--site", root, *arguments[1:]]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


with tempfile.TemporaryDirectory() as folder:
    root = Path(folder)
    make_site(root)
    check(root)
    log = [json.loads(line)["operation"] for line in run(root, "log", "--json").splitlines()]
    kinds = ["meeting.started", "meeting.ended", "recording.statusUpdate", "recording.statusUpdate"]
    assert log == [f"realtime {kind}" for kind in kinds], log
    run(root, "check")
print("hooks: signed by a published library, taken and refused as they have to be")
