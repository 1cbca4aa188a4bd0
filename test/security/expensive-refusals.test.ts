import { gzipSync } from 'node:zlib';
import { as, expectOk, givenIn, singleCallBody } from '../support/given.ts';
import { sendRequest } from '../support/send-request.ts';
import { givenOwner } from './support/admins.ts';
import { statusOn } from './support/held-requests.ts';
import { installationForTests } from './support/installation.ts';
import { openSocket, unfinishedRequest } from './support/sockets.ts';

const installation = installationForTests();
const given = givenIn(installation);

const packed = (text: string) => new Uint8Array(gzipSync(text));
const gzip = { 'content-type': 'application/json', 'content-encoding': 'gzip' };

test.each(['create-and-call', 'create-and-call-stream'])(
  'a %s over the limit of calls is answered 429 before its body has arrived',
  async (call) => {
    const team = await given.team({ rpm_limit: 1 });
    expectOk(await as(installation, team).single());
    const socket = await openSocket(installation.current);

    socket.write(
      unfinishedRequest(`POST /api/jobs/${call}`, { Authorization: `Bearer ${team.key}` }, '{"team_id": "', 5_000_000),
    );

    expect(await statusOn(socket)).toBe(429);
  },
);

test('a call over the limit of calls with an invalid compressed body is answered 429, not 422', async () => {
  const team = await given.team({ rpm_limit: 1 });
  expectOk(await as(installation, team).single());
  const raw = packed(JSON.stringify(singleCallBody(team, { temperature: 'x'.repeat(9_000_000) })));

  const answer = await sendRequest(installation.current.url, 'post', '/api/jobs/create-and-call', {
    key: team.key,
    raw,
    headers: gzip,
  });

  expect(answer.status).toBe(429);
});

const email = (length: number) => `${'a.'.repeat(length / 2)}a@example.com`;

test.each(['login', 'setup'])(
  'a compressed body of more than 16 KiB on the public route /%s is answered 413',
  async (path) => {
    const raw = packed(JSON.stringify({ email: email(900_000), password: 'not-that-one', display_name: 'x' }));

    const answer = await sendRequest(installation.current.url, 'post', `/api/admin-users/${path}`, {
      raw,
      headers: gzip,
    });

    expect(raw.length).toBeLessThan(2_000);
    expect(answer.status).toBe(413);
  },
);

test('a login with a small compressed body is answered 200', async () => {
  const { url, masterKey } = installation.current;
  const { email, password } = await givenOwner(url, masterKey);

  const raw = packed(JSON.stringify({ email, password }));

  expectOk(await sendRequest(url, 'post', '/api/admin-users/login', { raw, headers: gzip }));
});

test('a login with a too long email is answered 422 with one short error', async () => {
  const body = { email: email(20_000), password: 'not-that-one' };

  const answer = await sendRequest(installation.current.url, 'post', '/api/admin-users/login', { body });

  expect(answer.status).toBe(422);
  expect(answer.body.detail).toHaveLength(1);
  expect(answer.text.length).toBeLessThan(1_000);
});
