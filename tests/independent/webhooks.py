"""Messages of webhooks, verified by the published library, while sender and receiver are killed at random: none is lost, none
comes out of order. And the samples of messages in the API's description fit the description.

    tests/independent/webhooks.py FEEDWRIGHT [SEED]
"""

import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from jsonschema import Draft202012Validator
from openapi_spec_validator import validate
from standardwebhooks import Webhook, WebhookVerificationError

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OLD = "whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0"
OTHER = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
ITEMS = 6
ROUNDS = 160
KILLS = 12


class Receiver(BaseHTTPRequestHandler):
    """Writes down what it verified, and answers then."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        event = {}
        for secret in (SECRET, OLD):
            event = Webhook(secret).verify(body, headers)
            assert event["id"] == headers["webhook-id"], headers
        try:
            Webhook(OTHER).verify(body, headers)
            raise AssertionError("another secret is as good")
        except WebhookVerificationError:
            pass
        is_busy = random.random() < 0.2
        if not is_busy:
            os.write(self.server.log, json.dumps(event).encode() + b"\n")
        self.send_response(503 if is_busy else 204)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def receive(port, log):
    server = ThreadingHTTPServer(("127.0.0.1", port), Receiver)
    server.log = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    server.serve_forever()


class Killed:
    """A process that is killed and started again."""

    def __init__(self, command, **more):
        self.command, self.more = command, more
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, **self.more)

    def kill(self):
        self.process.kill()
        self.process.wait()


class Sender(Killed):
    def start(self):
        super().start()
        for line in self.process.stderr:
            if "Serving" in line:
                self.url = line.split()[1].rstrip("/")
                break
        output = self.process.stderr
        threading.Thread(target=lambda: [None for _ in output], daemon=True).start()


class Site:
    """Items that are written, hidden and deleted at random, and how each is now: None where it is not there."""

    def __init__(self, root, port):
        self.root = root
        self.now = dict.fromkeys((f"item{number}" for number in range(ITEMS)))
        (root / "content/items").mkdir(parents=True)
        (root / "content/channel.md").write_text('+++\ntitle = "Walks"\n+++\n')
        (root / "site.toml").write_text(
            'base_url = "https://walks.example"\n[[webhooks]]\nlocal = true\nsecret_env = "SITE_SECRET"\n'
            f'url = "http://127.0.0.1:{port}/hook"\n'
        )

    def change(self, title):
        name = random.choice(list(self.now))
        file = self.root / f"content/items/{name}.md"
        if self.now[name] and random.random() < 0.2:
            file.unlink()
            self.now[name] = None
            return
        public = random.random() < 0.7
        status = "published" if public else "unpublished"
        # Whole at once, as editors write.
        new = file.with_name("." + file.name)
        new.write_text(f'+++\nid = "{name}"\ntitle = "Ünï {title} – “…”"\nstatus = "{status}"\n+++\nText.\n')
        new.rename(file)
        self.now[name] = (title, public)


def follow(events):
    """How each item is by what was told of it. Fails where that cannot have happened in this order."""
    known, ids, titles = {}, set(), {}
    for event in events:
        # What comes twice has the same id.
        if event["id"] in ids or not event["type"].startswith("item."):
            continue
        ids.add(event["id"])
        data, what = event["data"], event["type"].removeprefix("item.")
        name, title = data["id"], int(data["title"].split()[1])
        there, public = known.get(name, (False, False))
        assert title >= titles.get(name, 0), f"{event} comes after {titles[name]}"
        titles[name] = title
        possible = {
            "created": not there,
            "updated": there,
            "published": there and not public,
            "unpublished": public,
            "deleted": there and not public,
        }
        assert possible[what], f"{event} when it is {known.get(name)}"
        public = what == "published" or (public and what != "unpublished")
        known[name] = (what != "deleted", public)
    return {name: (titles[name], public) if there else None for name, (there, public) in known.items()}


def samples(url):
    with urllib.request.urlopen(f"{url}/api/v1/openapi.json") as answer:
        document = json.load(answer)
    validate(document)
    content = document["webhooks"]["serviceEvent"]["post"]["requestBody"]["content"]["application/json"]
    fits = Draft202012Validator({**content["schema"], "components": document["components"]})
    for kind, example in content["examples"].items():
        fits.validate(example["value"])
        assert example["value"]["type"] == kind, example
    print(f"{len(content['examples'])} samples fit the description")
    return fits


def main(program, seed):
    random.seed(seed)
    print(f"seed {seed}")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        root, log = Path(folder, "site"), Path(folder, "log")
        site = Site(root, port)
        # While a secret changes, both are good.
        environment = {**os.environ, "SITE_SECRET": f"{SECRET} {OLD}", "FEEDWRIGHT_WEBHOOK_PACE": "0.0002"}
        command = [program, "serve", "--addr", "127.0.0.1:0", "--site", str(root)]
        sender = Sender(command, env=environment, stderr=subprocess.PIPE, text=True)
        receiver = Killed([sys.executable, __file__, "--receive", str(port), str(log)])
        fits = samples(sender.url)
        kills = set(random.sample(range(ROUNDS), KILLS))
        killed = Counter()
        for title in range(1, ROUNDS + 1):
            site.change(title)
            time.sleep(random.random() * 0.1)
            if title in kills:
                one = random.choice((sender, receiver))
                killed["sender" if one is sender else "receiver"] += 1
                one.kill()
                if random.random() < 0.5:
                    site.change(title)
                one.start()

        def came():
            return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []

        latest = time.monotonic() + 60
        expected = {name: now for name, now in site.now.items() if now}
        while True:
            try:
                told = follow(came())
            except (json.JSONDecodeError, IndexError):
                told = None
            if told and {name: now for name, now in told.items() if now} == expected:
                break
            if time.monotonic() > latest:
                again = [program, "webhooks", "list", "--site", str(root)]
                subprocess.run(again, env=environment, check=False)
                raise AssertionError(f"{told} is not {expected}")
            time.sleep(0.05)
        events = came()
        sender.kill()
        receiver.kill()
    for event in events:
        fits.validate(event)
    ids = {event["id"] for event in events}
    print(f"killed: {dict(killed)}; {len(ids)} messages verified, none lost, none out of order; {len(events) - len(ids)} came twice")


if __name__ == "__main__":
    if sys.argv[1] == "--receive":
        receive(int(sys.argv[2]), sys.argv[3])
    else:
        main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else random.randrange(10**6))
