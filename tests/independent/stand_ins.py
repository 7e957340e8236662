"""Stand-ins for hosts that take a site as a whole. Each refuses what the real one would: another or an expired token, a missing
field or header, a body that is not of its digest, a deploy whose files are not all there.

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
        # After so many requests the token expires; None for never.
        self.valid_requests = None
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        # Who is killed hangs up.
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)

    def check_token(self, headers):
        """Whether the token is known and has not expired."""
        if self.valid_requests is not None:
            self.valid_requests -= 1
            if self.valid_requests < 0:
                return False
        return headers.get("authorization") == f"Bearer {TOKEN}"

    def check_form(self, method, headers):
        """Refuses requests without the headers that the real hosts require."""
        if not headers.get("user-agent"):
            raise Refused(400, "a request needs a user agent")
        if method in ("POST", "PUT") and not headers.get("content-length"):
            raise Refused(411, "a request needs a content length")
        if method in ("POST", "PUT") and not headers.get("content-type"):
            raise Refused(415, "a body needs a content type")

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
                self.server.check_form(self.command, self.headers)
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
        if not self.check_token(headers):
            raise Refused(401, "Access Denied")
        if method == "POST" and headers["content-type"] != "application/json":
            raise Refused(415, "the body is not application/json")
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
        if not isinstance(wanted.get("files"), dict) or not all(path.startswith("/") for path in wanted["files"]):
            raise Refused(422, "a deploy needs files by their paths")
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
    # Requests that a token for uploads is good for: the real ones expire after some minutes.
    USES = 2

    def __init__(self):
        super().__init__()
        self.uploads = {}
        self.expired = 0
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
            self.use(token)
            if headers["content-type"] != "application/json":
                raise Refused(415, "the body is not application/json")
            return getattr(self, path.rpartition("/")[2].replace("-", "_"))(json.loads(body))
        if not self.check_token(headers):
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
            token = f"e30.{claims}.{uuid.uuid4().hex}"
            self.uploads[token] = self.USES
            return {"jwt": token}
        if method == "POST" and path == f"{project}/deployments":
            return self.create(headers, body)
        if method == "GET" and path.removeprefix(f"{project}/deployments/") in self.deploys:
            return self.state(self.deploys[path.rpartition("/")[2]])
        raise Refused(404, "Not Found")

    def use(self, token):
        """Counts a use of a token for uploads, and refuses it when it has expired."""
        if token not in self.uploads:
            raise Refused(401, "Unauthorized")
        self.uploads[token] -= 1
        if self.uploads[token] < 0:
            self.expired += 1
            raise Refused(401, "Expired token")

    @staticmethod
    def digests(asked):
        """The field `hashes` of a request."""
        if not isinstance(asked.get("hashes"), list) or not all(re.fullmatch("[0-9a-f]{32}", digest) for digest in asked["hashes"]):
            raise Refused(400, "hashes is a list of digests")
        return asked["hashes"]

    def check_missing(self, asked):
        return [digest for digest in self.digests(asked) if digest not in self.blobs]

    def upsert_hashes(self, asked):
        if any(digest not in self.blobs for digest in self.digests(asked)):
            raise Refused(400, "a digest is not of a file that was sent")

    def upload(self, files):
        for file in files:
            if file.get("base64") is not True or not file.get("metadata", {}).get("contentType") or not re.fullmatch("[0-9a-f]{32}", file["key"]):
                raise Refused(400, f"{file.get('key')}: a file needs a digest, base64 and a content type")
            self.blobs[file["key"]] = base64.b64decode(file["value"], validate=True)
            self.sent += 1
        return {"successful_key_count": len(files), "unsuccessful_keys": []}

    def create(self, headers, body):
        form = BytesParser(policy=HTTP).parsebytes(b"content-type: " + headers["content-type"].encode() + b"\r\n\r\n" + body)
        parts = {part.get_param("name", header="content-disposition"): part.get_payload(decode=True) for part in form.iter_parts()}
        if "manifest" not in parts:
            raise Refused(400, "a deployment needs a manifest")
        if not all(path.startswith("/") for path in json.loads(parts["manifest"])):
            raise Refused(400, "a path of the manifest starts with /")
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
