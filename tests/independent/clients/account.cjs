// The published JavaScript client of the account API, pointed at feedwright by its base URL alone.
// account.sh starts the server and says where it is.
"use strict";

const assert = require("node:assert/strict");
const Cloudflare = require("cloudflare");
const { VERSION } = require("cloudflare/version");

const ACCOUNT = "023e105f4ecef8ad9ca31a8372d0c353";
const APP = "14a396e7-ca44-4937-bf1f-050a69118543";
const WEBHOOK = "182bd5e5-6e1a-4fe4-a799-aa6d9a6ab26e";

const { BASE_URL: baseURL, KEY, PLAIN_KEY, LATER_KEY, REVOKED_KEY } = process.env;

const client = (apiToken) => new Cloudflare({ apiToken, baseURL, maxRetries: 0 });

const verify = (key, account_id = ACCOUNT) => client(key).accounts.tokens.verify({ account_id });

const webhook = (key, app_id = APP, id = WEBHOOK) =>
  client(key).realtimeKit.webhooks.getWebhookByID(id, { account_id: ACCOUNT, app_id });

// The error that a call has to end in.
const fails = async (kind, call) => {
  const error = await call.then(
    (found) => assert.fail(`it is answered with ${JSON.stringify(found)}`),
    (error) => error,
  );
  assert.equal(error.constructor, kind, String(error));
  return error;
};

const run = async () => {
  const { id, expires_on, ...token } = await verify(KEY);
  assert.deepEqual(token, { status: "active", not_before: "2026-01-01T00:00:00Z" });
  assert.match(id, /^[0-9a-f]{32}$/);
  assert.ok(new Date(expires_on) > new Date());
  assert.equal((await verify(PLAIN_KEY)).status, "active");

  for (const [key, why] of [
    ["nobody-made-this", "Invalid API Token"],
    [LATER_KEY, "Invalid API Token: it is not valid before "],
    [REVOKED_KEY, "Invalid API Token: it was revoked at "],
  ]) {
    const { errors } = await fails(Cloudflare.AuthenticationError, verify(key));
    assert.equal(errors[0].code, 1000);
    assert.ok(errors[0].message.startsWith(why), errors[0].message);
  }
  const { errors } = await fails(Cloudflare.BadRequestError, verify(KEY, "x".repeat(33)));
  assert.equal(errors[0].source.pointer, "/path/account_id");

  assert.deepEqual(await webhook(KEY), {
    success: true,
    data: {
      id: WEBHOOK,
      created_at: "2026-03-01T10:00:00Z",
      updated_at: "2026-07-02T12:30:00Z",
      enabled: true,
      events: ["meeting.started", "livestreaming.statusUpdate"],
      name: "Meetings",
      url: "https://example.com/hooks?a=b",
    },
  });
  for (const key of ["nobody-made-this", PLAIN_KEY, LATER_KEY, REVOKED_KEY]) {
    const { error } = await fails(Cloudflare.AuthenticationError, webhook(key));
    assert.deepEqual(error, { message: "Unauthorized" });
  }
  await fails(Cloudflare.NotFoundError, webhook(KEY, "nobody"));
  await fails(Cloudflare.NotFoundError, webhook(KEY, APP, APP));
  await fails(Cloudflare.BadRequestError, webhook(KEY, APP, "meetings"));
  console.log(`account API: the JavaScript client ${VERSION} is content`);
};

run().catch((error) => {
  console.error(error);
  process.exit(1);
});
