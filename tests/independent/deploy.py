"""Deploys to real places: an S3 server (moto), an SSH server by SFTP and rsync, a bare git repository and a folder; and to
stand-ins for hosts that take a site as a whole. Each deploy is killed at random instants, and deployed again; then what is there is compared with the build, byte for byte.

    tests/independent/deploy.py FEEDWRIGHT [KILLS [PLACE...]]

Binds to 127.0.0.1 only, writes to a temporary folder only, stops what it started. A program that is missing is skipped,
except in CI.
"""

import json
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import stand_ins
from stand_ins import CloudflarePages, Netlify, Refused

FEEDWRIGHT = os.path.abspath(sys.argv[1])
KILLS = int(sys.argv[2]) if len(sys.argv) > 2 else 6
# Names of functions below, to try these alone.
ONLY = sys.argv[3:]
RECORD = ".feedwright-deploy.json"
FIXTURE = Path(__file__).parent.parent / "fixtures/small-site"
random.seed(17)


def without(what, needs):
    """Reports a place that is not checked. In CI nothing is skipped."""
    print(f"deploy: not checked: {what} (needs {needs})")
    if os.environ.get("CI"):
        sys.exit(1)


def is_of_rsync(path):
    """Whether a file is a temporary one that a killed rsync left: nothing removes it."""
    return re.search(r"(^|/)\.[^/]+\.[A-Za-z0-9]{6}$", path) is not None


def is_temporary(path):
    """Whether a path is a file that a killed deploy had not given its final name yet."""
    return path.endswith(".feedwright-new") or is_of_rsync(path)


def compare(name, before, now, new):
    """Every file is the former or the new one, and no file that both have is missing."""
    for path, text in now.items():
        assert is_temporary(path) or text in (before.get(path), new.get(path)), f"{name}: {path} is neither the former nor the new one"
    lost = before.keys() & new.keys() - now.keys()
    assert not lost, f"{name}: {sorted(lost)[:9]} are missing"


def kill_often(name, kill):
    """Kills at least `KILLS` deploys, and goes on until one of them was killed before it ended."""
    killed = rounds = 0
    while rounds < KILLS or (not killed and rounds < 5 * KILLS):
        killed += kill(rounds)
        rounds += 1
    assert killed, f"{name}: none of {rounds} deploys was killed before it ended"
    print(f"deploy: {name}: {killed} of {rounds} deploys killed and finished")


def environment(**more):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "GIT_", "FEEDWRIGHT_"))}
    return {**kept, "SOURCE_DATE_EPOCH": "1775044800", **more}


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_for(port):
    for _ in range(200):
        with socket.socket() as client:
            if client.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    sys.exit(f"deploy: nothing listens on {port}")


def files_of(folder):
    """What is in a folder, without what deploys and git note there."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and name != RECORD and not name.startswith(".git/"):
            found[name] = path.read_bytes()
    return found


class Site:
    """A site that changes between deploys."""

    def __init__(self, root, deploy, long=20_000_000):
        shutil.copytree(FIXTURE, root)
        self.root = root
        with open(root / "site.toml", "a") as config:
            config.write(f"\n[deploy]\nkeep_days = 0\n{deploy}\n")
        # Long enough to be killed in the middle of.
        (root / "content/media").mkdir(exist_ok=True)
        (root / "content/media/long.bin").write_bytes(random.randbytes(long))

    def change(self, round):
        item = f'+++\nid = "round"\nslug = "round-{round}"\ntitle = "Round {round}"\ndate_published = 2026-03-01\n+++\nText {round}\n'
        (self.root / "content/items/round.md").write_text(item)
        (self.root / "content/media/other.bin").write_bytes(random.randbytes(300_000))

    def command(self, *more):
        return [FEEDWRIGHT, "--site", str(self.root), "deploy", "--json", *more]

    def deploy(self, env, *more):
        done = subprocess.run(self.command(*more), env=env, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"deploy: {done.stdout}\n{done.stderr}")
        return json.loads(done.stdout)

    def kill(self, env, after):
        program = subprocess.Popen(self.command(), env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            return program.wait(after) == 0
        except subprocess.TimeoutExpired:
            # With all that it started.
            os.killpg(program.pid, 9)
            program.wait()
            return False

    def built(self):
        return files_of(self.root / "public")


def exercise(name, site, env, there, whole=None):
    """`there` reads what is out there; `whole` checks that each file is a former or a new one."""
    first = site.deploy(env)
    assert first["sent"] == first["files"], (name, first)
    assert there() == site.built(), f"{name}: what is there is not what was built"
    start = time.monotonic()
    again = site.deploy(env)
    took = time.monotonic() - start
    assert again["sent"] == 0 and again["unchanged"] == again["files"], (name, again)

    def kill(round):
        site.change(round)
        before = there()
        was_killed = not site.kill(env, random.uniform(0.3, 1.3) * took)
        compare(name, before, there(), site.built())
        site.deploy(env)
        left = {path: text for path, text in there().items() if not is_of_rsync(path)}
        assert left == site.built(), f"{name}: what was killed is not finished"
        return was_killed

    kill_often(name, kill)
    plan = site.deploy(env, "--dry-run")
    assert plan["put"] == [] and plan["delete"] == [], (name, plan)


def fails(site, env, *words):
    done = subprocess.run(site.command(), env=env, capture_output=True, text=True)
    assert done.returncode == 1, (done.returncode, done.stdout, done.stderr)
    told = done.stdout
    assert all(word in told for word in words), told


def in_a_folder(work):
    out = work / "folder"
    site = Site(work / "folder-site", f'to = "folder:{out}"')
    exercise("folder", site, environment(), lambda: files_of(out))


def in_git(work):
    bare = work / "bare.git"
    subprocess.run(["git", "init", "--quiet", "--bare", bare], check=True)
    site = Site(work / "git-site", 'to = "git:origin#gh-pages"')
    git = ["git", "-C", str(site.root), "-c", "user.name=A", "-c", "user.email=a@example.com"]
    (site.root / ".gitignore").write_text(".feedwright/\npublic/\n")
    for arguments in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "A site"], ["remote", "add", "origin", str(bare)]):
        subprocess.run([*git, *arguments], check=True)
    # What the author has not committed yet.
    (site.root / "content/items/unfinished.md").write_text('+++\ntitle = "Unfinished"\nstatus = "unpublished"\n+++\n')
    subprocess.run([*git, "add", "content/items/unfinished.md"], check=True)

    def state():
        return [subprocess.run([*git, *arguments], check=True, capture_output=True).stdout for arguments in (["ls-files", "--stage"], ["branch", "--verbose"], ["stash", "list"])]

    def there():
        folder = work / "clone"
        shutil.rmtree(folder, ignore_errors=True)
        if subprocess.run(["git", "--git-dir", bare, "rev-parse", "--verify", "--quiet", "gh-pages"], stdout=subprocess.DEVNULL).returncode:
            return {}
        subprocess.run(["git", "clone", "--quiet", "--branch", "gh-pages", bare, folder], check=True)
        return files_of(folder)

    before = state()
    exercise("git", site, environment(), there)
    after = state()
    assert before == after, f"git: the author's index or branches changed: {before} {after}"
    subprocess.run(["git", "--git-dir", bare, "fsck", "--strict"], check=True, capture_output=True)


def s3_key(iam):
    """The id and the secret of a new key that may do everything with S3."""
    policy = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}
    iam.create_user(UserName="deploys")
    iam.put_user_policy(UserName="deploys", PolicyName="s3", PolicyDocument=json.dumps(policy))
    key = iam.create_access_key(UserName="deploys")["AccessKey"]
    return key["AccessKeyId"], key["SecretAccessKey"]


def in_a_bucket(work):
    try:
        import boto3
        from botocore.config import Config
    except ImportError:
        return without("S3", "moto")
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    log = open(work / "moto.log", "w")
    server = subprocess.Popen([Path(sys.executable).parent / "moto_server", "-H", "127.0.0.1", "-p", str(port)], stdout=log, stderr=log, env=environment())
    try:
        wait_for(port)

        def client_of(service, id, secret):
            config = Config(retries={"max_attempts": 3})
            return boto3.client(service, endpoint_url=url, region_name="us-east-1", aws_access_key_id=id, aws_secret_access_key=secret, config=config)

        id, secret = s3_key(client_of("iam", "any", "any"))
        # From now on every request needs the signature of a key that is known and may do it.
        urllib.request.urlopen(urllib.request.Request(f"{url}/moto-api/reset-auth", data=b"0", headers={"content-type": "text/plain"})).read()
        env = environment(AWS_ACCESS_KEY_ID=id, AWS_SECRET_ACCESS_KEY=secret)
        client = client_of("s3", id, secret)
        site = Site(work / "s3-site", f'to = "s3://walks/a/site"\nendpoint = "{url}"')
        fails(site, env, "bucket walks not found")
        fails(site, environment(), "AWS_ACCESS_KEY_ID is not set")
        client.create_bucket(Bucket="walks")
        fails(site, environment(AWS_ACCESS_KEY_ID=id, AWS_SECRET_ACCESS_KEY=f"{secret}x"), "rejected")
        fails(site, environment(AWS_ACCESS_KEY_ID="another", AWS_SECRET_ACCESS_KEY=secret), "rejected")
        client.put_object(Bucket="walks", Key="a/site.txt", Body=b"of others")

        def there():
            found = {}
            for page in client.get_paginator("list_objects_v2").paginate(Bucket="walks", Prefix="a/site/"):
                for object in page.get("Contents", []):
                    name = object["Key"].removeprefix("a/site/")
                    if name != RECORD:
                        found[name] = client.get_object(Bucket="walks", Key=object["Key"])["Body"].read()
            return found

        exercise("S3", site, env, there)
        head = client.head_object
        typed = {
            "index.html": ("text/html; charset=utf-8", "max-age=300"),
            "feed.json": ("application/feed+json; charset=utf-8", "max-age=300"),
            "rss.xml": ("application/xml; charset=utf-8", "max-age=300"),
            "media/long.bin": ("application/octet-stream", "max-age=300, must-revalidate"),
        }
        names = there()
        typed[next(name for name in names if name.endswith("chapters.json"))] = ("application/json+chapters; charset=utf-8", "max-age=300")
        typed[next(name for name in names if name.startswith("assets/") and name.endswith(".css"))] = ("text/css; charset=utf-8", "immutable")
        for name, (media_type, caching) in typed.items():
            found = head(Bucket="walks", Key=f"a/site/{name}")
            assert found["ContentType"] == media_type, (name, found["ContentType"])
            assert caching in found["CacheControl"], (name, found["CacheControl"])
        assert client.get_object(Bucket="walks", Key="a/site.txt")["Body"].read() == b"of others"
        # The record went, or an object was changed by hand.
        client.delete_object(Bucket="walks", Key=f"a/site/{RECORD}")
        assert site.deploy(env)["sent"] == len(site.built())
        client.put_object(Bucket="walks", Key="a/site/index.html", Body=b"x" * len(names["index.html"]))
        assert site.deploy(env)["sent"] == 1
        assert there() == site.built()
    finally:
        server.kill()
        server.wait()
        log.close()
    fails(site, env, "cannot be reached")


def over_ssh(work):
    sshd = shutil.which("sshd") or shutil.which("sshd", path="/usr/sbin:/sbin")
    if not sshd or not shutil.which("ssh"):
        return without("SFTP and rsync", "openssh")
    home = work / "ssh"
    home.mkdir(mode=0o700)
    for name in ("host", "key", "stranger"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", home / name], check=True)
    port = free_port()
    (home / "authorized").write_text((home / "key.pub").read_text())
    (home / "known").write_text(f"[127.0.0.1]:{port} {(home / 'host.pub').read_text()}")
    (home / "config").write_text(
        f"Port {port}\nListenAddress 127.0.0.1\nHostKey {home}/host\nAuthorizedKeysFile {home}/authorized\nPidFile {home}/pid\n"
        "StrictModes no\nUsePAM no\nPasswordAuthentication no\nKbdInteractiveAuthentication no\nPermitRootLogin yes\nSubsystem sftp internal-sftp\n"
    )
    if os.geteuid() == 0:
        os.makedirs("/run/sshd", mode=0o755, exist_ok=True)
    server = subprocess.Popen([sshd, "-D", "-e", "-f", home / "config"], stderr=open(home / "log", "w"))
    try:
        wait_for(port)

        def ssh(key="key", known="known"):
            return f"ssh -F /dev/null -i {home}/{key} -o IdentitiesOnly=yes -o UserKnownHostsFile={home}/{known} -o GlobalKnownHostsFile=/dev/null"

        user = subprocess.run(["id", "-un"], check=True, capture_output=True, text=True).stdout.strip()
        env = environment(FEEDWRIGHT_SSH=ssh())
        for kind in ("sftp", "rsync"):
            if kind == "rsync" and not shutil.which("rsync"):
                without("rsync", "rsync")
                continue
            out = work / kind / "www site"
            site = Site(work / f"{kind}-site", f'to = "{kind}://{user}@127.0.0.1:{port}{out}"')
            exercise(kind, site, env, lambda out=out: files_of(out))
            assert (out / RECORD).stat().st_mode & 0o077 == 0, f"{kind}: everyone can read the record"
            assert (out / "index.html").stat().st_mode & 0o004, f"{kind}: visitors cannot read a page"
            (site.root / "content/items/more.md").write_text('+++\nid = "more"\ntitle = "More"\n+++\n')
            fails(site, environment(FEEDWRIGHT_SSH=ssh(key="stranger")), "rejected the SSH key")
            fails(site, environment(FEEDWRIGHT_SSH=ssh(known="none")), "is unknown or has changed")
    finally:
        server.kill()
        server.wait()


def in_a_host(work, kind, host, env):
    """What takes a site as a whole shows the former or the new one, at any instant."""
    site = Site(work / f"{kind}-site", f'to = "{kind}:walks"\nendpoint = "{host.url}"')
    config = site.root / "site.toml"
    config.write_text(re.sub(r"(?m)^targets = .*$", f'targets = ["{kind}"]', config.read_text()))
    (site.root / "content/media/a b & ü%41.txt").write_text("odd\n")
    before = {}

    def whole():
        """Never a mixture."""
        there = host.site()
        assert there in (before, site.built()), f"{kind}: what is shown is no whole site"
        return there

    fails(site, environment(), "is not set")
    fails(site, {**env, **{name: "another" for name in env if name.endswith("TOKEN")}}, "rejected the token")
    site.deploy(env, "--dry-run")
    assert host.sent == 0 and not host.deploys, f"{kind}: a dry run sends something"
    # What passes is asked again; what does not is told.
    host.faults = [Refused(429, "busy", Retry_After="1"), Refused(500, "broken"), Refused(429, "busy", X_RateLimit_Reset=str(int(time.time()) + 2))]
    first = site.deploy(env)
    assert not host.faults and first["sent"] == first["files"], first
    assert whole() == site.built()
    start = time.monotonic()
    sent = host.sent
    again = site.deploy(env)
    took = time.monotonic() - start
    assert again["sent"] == 0 and host.sent == sent and len(host.deploys) == 1, f"{kind}: the same site is published again"

    def kill(round):
        nonlocal before
        before = host.site()
        site.change(round)
        was_killed = not site.kill(env, random.uniform(0.5, 2) * took)
        whole()
        site.deploy(env)
        assert host.site() == site.built(), f"{kind}: what was killed is not finished"
        return was_killed

    kill_often(kind, kill)
    # Something is taken away alone.
    (site.root / "content/items/round.md").unlink()
    sent = host.sent
    site.deploy(env)
    assert host.site() == site.built() and host.sent - sent < 40
    host.faults = [Refused(422, "the plan ended.")] * 9
    fails(site, env, "failed: the plan ended")
    host.faults = []
    site.deploy(env)
    # A token that expires in the middle of a deploy leaves the former site.
    before = host.site()
    site.change("expired")
    host.valid_requests = 3
    fails(site, env, "rejected the token")
    assert host.site() == before, f"{kind}: a deploy whose token expired changed the site"
    host.valid_requests = None
    site.deploy(env)
    assert host.site() == site.built()
    return site


def in_netlify(work):
    host = Netlify()
    env = environment(NETLIFY_AUTH_TOKEN=stand_ins.TOKEN)
    site = in_a_host(work, "netlify", host, env)
    (site.root / "content/media/what?.txt").write_text("no\n")
    fails(site, env, "# or ?")
    host.shutdown()
    if host.checked:
        print(f"deploy: netlify: {host.checked} messages are as the published OpenAPI document has them")
    else:
        without("Netlify's messages", "@netlify/open-api")


def in_cloudflare_pages(work):
    try:
        import blake3  # noqa: F401
    except ImportError:
        return without("Cloudflare Pages", "blake3")
    host = CloudflarePages()
    env = environment(CLOUDFLARE_API_TOKEN=stand_ins.TOKEN, CLOUDFLARE_ACCOUNT_ID=host.ACCOUNT)
    site = in_a_host(work, "cloudflare-pages", host, env)
    assert set(host.rules) == {"_headers", "_redirects"}
    assert host.expired, "no token for uploads expired"
    (site.root / "content/media/huge.bin").write_bytes(random.randbytes(26 * 1024 * 1024 + 1))
    sent = host.sent
    fails(site, env, "allows at most 25 MiB per file", "[deploy.media]")
    assert host.sent == sent
    host.shutdown()


def main():
    with tempfile.TemporaryDirectory(prefix="deploy-") as folder:
        work = Path(folder)
        for place in (in_a_folder, in_git, in_netlify, in_cloudflare_pages, in_a_bucket, over_ssh):
            if not ONLY or place.__name__ in ONLY:
                place(work)


main()
