"""The published Python client of the account API, pointed at feedwright by its base URL alone.

account.sh starts the server and says where it is. The client checks every answer against its own types.
"""

import os
from datetime import datetime, timezone

import cloudflare
from cloudflare import Cloudflare

ACCOUNT = "023e105f4ecef8ad9ca31a8372d0c353"
APP = "14a396e7-ca44-4937-bf1f-050a69118543"
WEBHOOK = "182bd5e5-6e1a-4fe4-a799-aa6d9a6ab26e"


def client(key):
    return Cloudflare(
        api_token=key,
        base_url=os.environ["BASE_URL"],
        max_retries=0,
        _strict_response_validation=True,
    )


def verify(key, account=ACCOUNT):
    return client(key).accounts.tokens.verify(account_id=account)


def webhook(key, app=APP, webhook=WEBHOOK):
    webhooks = client(key).realtime_kit.webhooks
    return webhooks.get_webhook_by_id(webhook, account_id=ACCOUNT, app_id=app)


def fails(error, call, *args):
    """The error that a call has to end in."""
    try:
        found = call(*args)
    except error as raised:
        return raised
    raise AssertionError(f"{args} is answered with {found}")


def utc(*args):
    return datetime(*args, tzinfo=timezone.utc)


key = os.environ["KEY"]

token = verify(key)
assert token.status == "active" and len(token.id) == 32, token
assert token.not_before == utc(2026, 1, 1) and token.expires_on > datetime.now(timezone.utc), token
token = verify(os.environ["PLAIN_KEY"])
assert (token.status, token.not_before, token.expires_on) == ("active", None, None), token

for wrong, why in [
    ("nobody-made-this", "Invalid API Token"),
    (os.environ["LATER_KEY"], "Invalid API Token: it is not valid before "),
    (os.environ["REVOKED_KEY"], "Invalid API Token: it was revoked at "),
]:
    error = fails(cloudflare.AuthenticationError, verify, wrong)
    assert error.errors[0].code == 1000, error.body
    assert error.errors[0].message.startswith(why), error.body
assert error.body["result"]["status"] == "disabled", error.body
error = fails(cloudflare.BadRequestError, verify, key, "x" * 33)
assert error.body["errors"][0]["source"]["pointer"] == "/path/account_id", error.body

found = webhook(key)
assert found.success, found
assert found.data.id == WEBHOOK and found.data.enabled, found
assert (found.data.name, found.data.url) == ("Meetings", "https://example.com/hooks?a=b"), found
assert found.data.events == ["meeting.started", "livestreaming.statusUpdate"], found
assert found.data.created_at == utc(2026, 3, 1, 10), found
assert found.data.updated_at == utc(2026, 7, 2, 12, 30), found

for wrong in ["nobody-made-this"] + [os.environ[name] for name in ("PLAIN_KEY", "LATER_KEY", "REVOKED_KEY")]:
    error = fails(cloudflare.AuthenticationError, webhook, wrong)
    assert error.body == {"message": "Unauthorized"}, error.body
fails(cloudflare.NotFoundError, webhook, key, "nobody")
fails(cloudflare.NotFoundError, webhook, key, APP, APP)
fails(cloudflare.BadRequestError, webhook, key, APP, "meetings")

print(f"account API: the Python client {cloudflare.__version__} is content")
