"""Stand-ins for hosts that take a site as a whole. Each refuses what the real one would: another token, a body that is not of its
digest, a deploy whose files are not all there.

Netlify's are as its published OpenAPI document has them, and checked by it where the npm package `@netlify/open-api` is in
NODE_PATH. Cloudflare's are as its program wrangler uses them; what digests are is known by the package `blake3`.
"""

import base64
import hashlib
import json
import os
import re
import sys
import threading
import time
import uuid
from email.parser import BytesParser
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

OPEN_API = Path(os.environ.get("NODE_PATH") or ".", "@netlify/open-api/dist/swagger.json")
TOKEN = "the-token"


class Refused(Exception):
    def __init__(self, status, message, **headers):
        super().__init__(message)
        self.status, self.message, self.headers = status, message, headers


class Host(ThreadingHTTPServer):
    """What each has: files by digests, the site that is shown, and faults that pass."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.lock = threading.RLock()
        self.blobs, self.deploys, self.shown = {}, {}, {}
        self.sent = 0
        self.faults = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        # Who is killed hangs up.
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)

    def site(self):
        """What visitors get."""
        with self.lock:
            return {path: self.blobs[digest] for path, digest in self.shown.items()}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self):
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        headers = {}
        try:
            with self.server.lock:
                if self.server.faults:
                    raise self.server.faults.pop(0)
                status, reply = 200, self.server.reply(self.command, unquote(urlsplit(self.path).path), self.headers, body)
        except Refused as refused:
            status, headers = refused.status, refused.headers
            reply = self.server.refusal(refused)
        reply = json.dumps(reply).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    do_GET = do_POST = do_PUT = answer


class Netlify(Host):
    def __init__(self):
        super().__init__()
        self.checked = 0
        self.schemas = {}
        if OPEN_API.exists():
            from jsonschema import Draft4Validator

            definitions = json.loads(OPEN_API.read_text())["definitions"]
            for name in ("deploy", "deployFiles", "file"):
                self.schemas[name] = Draft4Validator({**definitions[name], "definitions": definitions})

    def refusal(self, refused):
        return {"code": refused.status, "message": refused.message}

    def check(self, name, value):
        """By the published document."""
        if name in self.schemas:
            self.schemas[name].validate(value)
            self.checked += 1
        return value

    def reply(self, method, path, headers, body):
        if headers.get("authorization") != f"Bearer {TOKEN}":
            raise Refused(401, "Access Denied")
        site = re.fullmatch(r"/sites/([^/]+)(/files|/deploys|)", path)
        if site and site[1] != "walks.netlify.app":
            raise Refused(404, "Not Found")
        if method == "GET" and site and not site[2]:
            return {"id": "1", "name": "walks", "published_deploy": {"id": "0", "locked": False}}
        if method == "GET" and site and site[2] == "/files":
            files = [{"id": f"/{path}", "path": f"/{path}", "sha": sha, "size": len(self.blobs[sha])} for path, sha in self.shown.items()]
            return [self.check("file", file) for file in files]
        if method == "POST" and site and site[2] == "/deploys":
            return self.create(self.check("deployFiles", json.loads(body)))
        deploy = re.fullmatch(r"/deploys/([^/]+)(?:/files/(.+))?", path)
        if not deploy or deploy[1] not in self.deploys:
            raise Refused(404, "Not Found")
        if method == "GET" and not deploy[2]:
            return self.state(self.deploys[deploy[1]])
        if method == "PUT" and deploy[2]:
            return self.put(self.deploys[deploy[1]], deploy[2], headers, body)
        raise Refused(405, "Method Not Allowed")

    def create(self, wanted):
        files = {path.removeprefix("/"): sha for path, sha in wanted["files"].items()}
        if any("#" in path or "?" in path for path in files):
            raise Refused(422, "a file name holds # or ?")
        if any(not re.fullmatch("[0-9a-f]{40}", sha) for sha in files.values()):
            raise Refused(422, "no SHA-1")
        deploy = {"id": uuid.uuid4().hex, "files": files, "asked": 0}
        self.deploys[deploy["id"]] = deploy
        # It takes a moment to see what is lacking.
        return self.check("deploy", {"id": deploy["id"], "state": "preparing" if wanted.get("async") else "uploading", "required": self.missing(deploy)})

    def missing(self, deploy):
        return sorted({sha for sha in deploy["files"].values() if sha not in self.blobs})

    def state(self, deploy):
        deploy["asked"] += 1
        missing = self.missing(deploy)
        state = "preparing" if deploy["asked"] == 1 else "prepared" if missing else "processing" if deploy["asked"] % 2 else "ready"
        if state == "ready":
            self.shown = deploy["files"]
        return self.check("deploy", {"id": deploy["id"], "state": state, "required": missing})

    def put(self, deploy, path, headers, body):
        if headers.get("content-type") != "application/octet-stream":
            raise Refused(422, "no octets")
        sha = hashlib.sha1(body).hexdigest()
        if deploy["files"].get(path) != sha:
            raise Refused(422, f"{path} is not of its digest")
        self.blobs[sha] = body
        self.sent += 1
        return self.check("file", {"id": path, "path": path, "sha": sha, "size": len(body)})


class CloudflarePages(Host):
    ACCOUNT = "a1b2c3"

    def __init__(self):
        super().__init__()
        self.uploads = set()
        self.rules = {}
        self.message = None

    def refusal(self, refused):
        return {"success": False, "errors": [{"code": 8000000 + refused.status, "message": refused.message}], "messages": [], "result": None}

    def reply(self, *asked):
        return {"success": True, "errors": [], "messages": [], "result": self.result(*asked)}

    def result(self, method, path, headers, body):
        project = f"/accounts/{self.ACCOUNT}/pages/projects/walks"
        token = (headers.get("authorization") or "").removeprefix("Bearer ")
        if path.startswith("/pages/assets/"):
            # Its tokens run out after a while.
            if token not in self.uploads:
                raise Refused(401, "Unauthorized")
            return getattr(self, path.rpartition("/")[2].replace("-", "_"))(json.loads(body))
        if token != TOKEN:
            raise Refused(403, "Authentication error")
        if not (path + "/").startswith(project + "/"):
            raise Refused(404, "Project not found")
        if method == "GET" and path == project:
            metadata = {"commit_message": self.message}
            configs = {"production": {}, "preview": {}}
            shown = self.message and {"deployment_trigger": {"metadata": metadata}}
            return {"name": "walks", "production_branch": "main", "deployment_configs": configs, "canonical_deployment": shown}
        if method == "GET" and path == f"{project}/upload-token":
            claims = base64.urlsafe_b64encode(json.dumps({"max_file_count_allowed": 20_000, "exp": time.time() + 300}).encode()).decode().rstrip("=")
            self.uploads = {f"e30.{claims}.{uuid.uuid4().hex}"}
            return {"jwt": next(iter(self.uploads))}
        if method == "POST" and path == f"{project}/deployments":
            return self.create(headers, body)
        if method == "GET" and path.removeprefix(f"{project}/deployments/") in self.deploys:
            return self.state(self.deploys[path.rpartition("/")[2]])
        raise Refused(404, "Not Found")

    def check_missing(self, asked):
        return [digest for digest in asked["hashes"] if digest not in self.blobs]

    def upsert_hashes(self, asked):
        return None

    def upload(self, files):
        for file in files:
            assert file["base64"] is True and file["metadata"]["contentType"], file["key"]
            self.blobs[file["key"]] = base64.b64decode(file["value"], validate=True)
            self.sent += 1
        return {"successful_key_count": len(files), "unsuccessful_keys": []}

    def create(self, headers, body):
        form = BytesParser(policy=HTTP).parsebytes(b"content-type: " + headers["content-type"].encode() + b"\r\n\r\n" + body)
        parts = {part.get_param("name", header="content-disposition"): part.get_payload(decode=True) for part in form.iter_parts()}
        manifest = {path.removeprefix("/"): digest for path, digest in json.loads(parts["manifest"]).items()}
        for path, digest in manifest.items():
            if digest not in self.blobs:
                raise Refused(400, f"{path} is missing")
            if digest != self.digest(path, self.blobs[digest]):
                raise Refused(400, f"{path} is not of its digest")
        rules = {name: parts[name] for name in ("_headers", "_redirects") if name in parts}
        deploy = {"id": uuid.uuid4().hex, "files": manifest, "rules": rules, "message": parts["commit_message"].decode(), "asked": 0}
        self.deploys[deploy["id"]] = deploy
        return {"id": deploy["id"], "url": self.url, "environment": "production"}

    @staticmethod
    def digest(path, body):
        from blake3 import blake3

        name = path.rpartition("/")[2]
        ending = name.rpartition(".")[2] if "." in name[1:] else ""
        return blake3(base64.b64encode(body) + ending.encode()).hexdigest()[:32]

    def state(self, deploy):
        deploy["asked"] += 1
        if deploy["asked"] < 2:
            return {"id": deploy["id"], "latest_stage": {"name": "queued", "status": "active"}}
        self.shown, self.rules, self.message = deploy["files"], deploy["rules"], deploy["message"]
        return {"id": deploy["id"], "latest_stage": {"name": "deploy", "status": "success"}}

    def site(self):
        return {**super().site(), **self.rules}
