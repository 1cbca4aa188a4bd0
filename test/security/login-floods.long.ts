import { setTimeout as pause } from 'node:timers/promises';
import { figures } from '../faults/support/figures.ts';
import { expectOk } from '../support/given.ts';
import { sendRequest } from '../support/send-request.ts';
import { sized } from '../support/sizes.ts';
import { type Admin, addressIn, givenAdmin, givenOwner, logIn } from './support/admins.ts';
import { startFlood } from './support/flood.ts';
import { installationForTests } from './support/installation.ts';
import { watchHighest } from './support/probe.ts';

const installation = installationForTests({ worker: false, settings: { TRUST_PROXY: '1' } });
let owner: Admin;

beforeAll(async () => {
  const { url, masterKey } = installation.current;
  owner = await givenOwner(url, masterKey);
  for (let n = 0; n < 3; n += 1) expectOk(await logIn(url, { ...owner, from: '198.51.100.99' }));
  // The memory of a new process grows with its first thousand requests of any kind. This growth is not part of the measurement.
  const { ended } = await loginFlood({ atOnce: 90, count: 900, abortAfterMs: 300 });
  await ended;
}, 60_000);

/** Logins from one /64, each with its own address and account. */
const loginFlood = (flood: { atOnce: number; count: number; abortAfterMs?: number }) =>
  startFlood({
    url: installation.current.url,
    requests: [
      {
        method: 'POST',
        path: '/api/admin-users/login',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': '2001:db8:1:0:{hex}::1' },
        body: '{"email":"nobody-{n}@example.com","password":"not-that-one"}',
      },
    ],
    seconds: 30,
    keepAlive: false,
    ...flood,
  });

async function loginMs(from: string): Promise<number> {
  const startedAt = performance.now();
  const answer = await Promise.race([
    logIn(installation.current.url, { ...owner, from }),
    pause(30_000, undefined, { ref: false }),
  ]);
  if (answer) expectOk(answer);
  return performance.now() - startedAt;
}

test.each([
  [
    '90 at once that are dropped after 0.3 s',
    { atOnce: 90, count: sized({ short: 90, full: 900 }), abortAfterMs: 300 },
  ],
  ['4,000 that are dropped after 0.1 s', { atOnce: 100, count: sized({ short: 200, full: 4_000 }), abortAfterMs: 100 }],
  ['100 at once that wait for their answers', { atOnce: 100, count: sized({ short: 100, full: 600 }) }],
])(
  'a login takes less than 2 s and memory grows by less than 20 MB while another /64 sends logins, %s',
  async (name, size) => {
    const { api } = installation.current;
    const before = api.memory();
    const highest = watchHighest(() => api.memory());

    const flood = await loginFlood(size);
    const during = Math.max(await loginMs('198.51.100.1'), await loginMs('198.51.100.3'));
    const { sent } = await flood.ended;
    const after = await loginMs('198.51.100.2');

    const more = highest.end() - before;
    figures('login floods', {
      [`${name} (${sent} sent): an honest login during, after; memory`]: `${ms(during)}, ${ms(after)}; +${Math.round(more)} MB`,
    });
    expect(during).toBeLessThan(2_000);
    expect(after).toBeLessThan(2_000);
    expect(more).toBeLessThan(20);
  },
);

test('a login takes less than 2 s while another user sends sixty wrong current passwords', async () => {
  const { url } = installation.current;
  const admin = await givenAdmin(url, owner, 'user');
  const body = { current_password: 'a guess', new_password: 'violet-Harbour-92' };

  const guesses = Promise.all(
    Array.from({ length: 60 }, () =>
      sendRequest(url, 'post', '/api/admin-users/me/change-password', { key: admin.token, body }),
    ),
  );
  const took = await loginMs(addressIn(9, 1));

  await guesses;
  figures('guesses of an own password', { 'an honest login beside 60': ms(took) });
  expect(took).toBeLessThan(2_000);
});

const ms = (value: number) => `${Math.round(value)} ms`;
