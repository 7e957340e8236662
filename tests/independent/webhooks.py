"""Messages of webhooks, verified by the published library, from a server that is killed meanwhile.

    tests/independent/webhooks.py FEEDWRIGHT
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from standardwebhooks import Webhook, WebhookVerificationError

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OTHER = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
ROUNDS = 30

came = []
failures = []
busy = [3]


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        try:
            event = Webhook(SECRET).verify(body, headers)
            if event["id"] != headers["webhook-id"]:
                failures.append(f"{event['id']} is not {headers['webhook-id']}")
        except WebhookVerificationError as error:
            failures.append(f"the library refuses a message: {error}")
        try:
            Webhook(OTHER).verify(body, headers)
            failures.append("another secret is as good")
        except WebhookVerificationError:
            pass
        # The first ones are refused.
        busy[0] -= 1
        if busy[0] < 0:
            came.append(event)
        self.send_response(503 if busy[0] >= 0 else 204)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def serve(program, root):
    environment = {**os.environ, "SITE_SECRET": SECRET, "FEEDWRIGHT_WEBHOOK_PACE": "0.0005"}
    command = [program, "serve", "--addr", "127.0.0.1:0", "--site", str(root)]
    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
    for line in process.stderr:
        if "Serving" in line:
            break
    threading.Thread(target=lambda: [None for _ in process.stderr], daemon=True).start()
    return process


def write(root, text):
    (root / "content/items/a.md").write_text(f'+++\nid = "a"\ntitle = "{text}"\n+++\nText.\n')


def wait(holds, what):
    latest = time.monotonic() + 15
    while not holds():
        assert time.monotonic() < latest, f"{what}: {came} {failures}"
        time.sleep(0.01)


def main(program):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "content/items").mkdir(parents=True)
        (root / "site.toml").write_text(
            'base_url = "https://walks.example"\n[[webhooks]]\nlocal = true\nsecret_env = "SITE_SECRET"\n'
            f'url = "http://127.0.0.1:{server.server_port}/hook"\n'
        )
        (root / "content/channel.md").write_text('+++\ntitle = "Walks"\n+++\n')
        write(root, "Ünïcode – “…”")
        process = serve(program, root)
        time.sleep(1)
        for round in range(ROUNDS):
            write(root, str(round))
            time.sleep(0.05)
            if round % 10 == 9:
                process.kill()
                process.wait()
                process = serve(program, root)
        last = str(ROUNDS - 1)
        wait(lambda: came and came[-1]["data"]["title"] == last, "the last change is told")
        process.kill()
        process.wait()
    assert not failures, failures
    titles = [int(event["data"]["title"]) for event in came]
    assert titles == sorted(titles), titles
    assert {event["type"] for event in came} == {"item.updated"}, came
    print(f"{len(came)} messages verified, in order: {json.dumps(titles)}")


if __name__ == "__main__":
    main(sys.argv[1])
