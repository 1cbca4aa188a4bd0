import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Uuid } from '../../src/contracts/fields.ts';
import { statement } from '../../src/db/database.ts';
import { deleteExpiredKeys } from '../../src/db/queries/idempotency-keys.ts';
import { invalid, refuse, Unavailable } from '../../src/errors.ts';
import { isIdempotent } from '../../src/http/idempotency/idempotency-key.ts';
import { route } from '../../src/http/route.ts';
import { ask } from '../support/ask.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { until } from '../support/until.ts';

/** What the handler below did: one effect for each operation, however often it is carried out. */
const effects = new Map<string, Set<string>>();
const runs = new Map<string, number>();
const gates = new Map<string, PromiseWithResolvers<void>>();

const outcomes: Record<string, () => never> = {
  400: () => {
    throw refuse('budget_invalid', 'no');
  },
  403: () => {
    throw refuse('insufficient_credits');
  },
  404: () => {
    throw refuse('job_not_found', 'x');
  },
  409: () => {
    throw refuse('job_finished', 'completed');
  },
  422: () => {
    throw invalid(['body', 'outcome'], 'no');
  },
  429: () => {
    throw refuse('rate_limited').with({ 'Retry-After': '7' });
  },
  500: () => {
    throw refuse('call_failed', 'the upstream said no');
  },
  503: () => {
    throw new Unavailable('worker');
  },
};

const Effect = z.object({ name: z.string(), outcome: z.string().optional(), wait: z.boolean().optional() });

const makeEffect = (path: string) =>
  route(
    {
      method: 'post',
      path,
      summary: 'Has an effect',
      tag: 'Test',
      auth: ['admin'],
      limit: 'management',
      body: Effect,
      response: z.object({ id: Uuid, run: z.int() }),
    },
    async ({ body, newId, setHeader }) => {
      const id = newId('effect');
      effects.set(body.name, (effects.get(body.name) ?? new Set()).add(id));
      const run = (runs.get(body.name) ?? 0) + 1;
      runs.set(body.name, run);
      setHeader('X-Job-Id', id);
      if (body.wait) await gateOf(body.name).promise;
      outcomes[run === 1 ? (body.outcome ?? '') : '']?.();
      return { id, run };
    },
  );

function gateOf(name: string): PromiseWithResolvers<void> {
  const gate = gates.get(name) ?? Promise.withResolvers<void>();
  gates.set(name, gate);
  return gate;
}

const takesNoBody = route(
  {
    method: 'post',
    path: '/test/bare',
    summary: 'Takes no body',
    tag: 'Test',
    auth: ['admin'],
    response: z.object({ id: Uuid }),
  },
  async ({ newId }) => ({ id: newId('bare') }),
);

const routes = [makeEffect('/test/effects'), makeEffect('/test/others'), takesNoBody];
const gateway = gatewayForTests({ worker: false, routes });

const send = (key: string | undefined, body: unknown, path = '/test/effects') =>
  ask(gateway.current.url, 'post', path, {
    key: gateway.current.masterKey,
    headers: key === undefined ? {} : { 'idempotency-key': key },
    body,
  });
const sql = (text: string) => gateway.current.deps.database.query(statement(`test_${randomUUID()}`, text), []);
const runsOf = (name: string) => runs.get(name) ?? 0;
const effectsOf = (name: string) => effects.get(name)?.size ?? 0;

test('a repeated request gets the same bytes, marked, and has no further effect', async () => {
  const name = randomUUID();

  const first = await send(name, { name });
  const again = await send(name, { name });

  expect(first.status).toBe(200);
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  expect(again).toMatchObject({ status: 200, text: first.text });
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.headers.get('x-job-id')).toBe(first.body.id);
  expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
  expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
  expect(runsOf(name)).toBe(1);
});

test('twenty at once have one effect and one answer', async () => {
  const name = randomUUID();

  const answers = await Promise.all(Array.from({ length: 20 }, () => send(name, { name })));

  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(19);
  expect(runsOf(name)).toBe(1);
});

test('another key, another path or no key is another request', async () => {
  const name = randomUUID();

  await send(name, { name });
  await send(`${name}-2`, { name });
  await send(name, { name }, '/test/others');
  await send(undefined, { name });
  await send(undefined, { name });

  expect(effectsOf(name)).toBe(5);
});

test('the body is compared by what it says', async () => {
  const name = randomUUID();
  const raw = (text: string) =>
    ask(gateway.current.url, 'post', '/test/effects', {
      key: gateway.current.masterKey,
      headers: { 'idempotency-key': name, 'content-type': 'application/json' },
      raw: text,
    });

  const first = await raw(`{"name":"${name}","outcome":""}`);
  const same = await raw(`{ "outcome": "", "name": "${name}" }`);
  const other = await raw(`{"name":"${name}","outcome":" "}`);

  expect(same).toMatchObject({ status: 200, text: first.text });
  expect(other.status).toBe(422);
  expect(other.body.detail).toEqual([
    { loc: ['header', 'idempotency-key'], msg: expect.stringContaining('another body'), type: 'value_error' },
  ]);
  expect(runsOf(name)).toBe(1);
});

test('it is compared also where none is needed', async () => {
  const [bodiless, named] = [randomUUID(), randomUUID()];

  const first = await send(bodiless, undefined, '/test/bare');
  const same = await send(bodiless, undefined, '/test/bare');
  const other = await send(bodiless, { reason: 'another' }, '/test/bare');

  expect(same).toMatchObject({ status: 200, text: first.text });
  expect(other.status).toBe(422);
  expect((await send(named, { reason: 'one' }, '/test/bare')).status).toBe(200);
  expect((await send(named, { reason: 'another' }, '/test/bare')).status).toBe(422);
});

test.each(['400', '404', '409', '500'])('a %s is the answer, and stays it', async (outcome) => {
  const name = randomUUID();

  const first = await send(name, { name, outcome });
  const again = await send(name, { name, outcome });

  expect(first.status).toBe(Number(outcome));
  expect(again).toMatchObject({ status: first.status, text: first.text });
  expect(again.headers.get('x-job-id')).toBe(first.headers.get('x-job-id'));
  expect(runsOf(name)).toBe(1);
});

test.each(['403', '422', '429'])('a %s frees the key, for another body too', async (outcome) => {
  const name = randomUUID();

  const first = await send(name, { name, outcome });
  const again = await send(name, { name });

  expect(first.status).toBe(Number(outcome));
  expect(again).toMatchObject({ status: 200, body: { run: 2 } });
});

test('after a 503 the same operation is carried out', async () => {
  const name = randomUUID();

  const first = await send(name, { name, outcome: '503' });
  const again = await send(name, { name, outcome: '503' });

  expect(first.status).toBe(503);
  expect(again).toMatchObject({ status: 200, body: { run: 2 } });
  expect(effectsOf(name)).toBe(1);
});

test('while the first is running the second waits, then learns to come back', async () => {
  const name = randomUUID();
  const first = send(name, { name, wait: true });
  await until(() => runsOf(name) === 1);

  const startedAt = performance.now();
  const impatient = await send(name, { name, wait: true });
  const waitedMs = performance.now() - startedAt;
  const patient = send(name, { name, wait: true });
  gateOf(name).resolve();

  expect(impatient).toMatchObject({ status: 409, body: { detail: expect.any(String) } });
  expect(impatient.headers.get('retry-after')).toBe('1');
  expect(waitedMs).toBeGreaterThan(1_900);
  expect((await patient).text).toBe((await first).text);
  expect(runsOf(name)).toBe(1);
});

test('a request under way keeps its lock; one whose process died is taken over', async () => {
  const name = randomUUID();
  const lockedUntil = async () => {
    const [row] = (await sql('select max(locked_until) as until from idempotency_keys')) as { until: Date }[];
    return row!.until.getTime();
  };
  const hanging = send(name, { name, wait: true });
  await until(() => runsOf(name) === 1);
  const before = await lockedUntil();
  await until(async () => (await lockedUntil()) > before);

  // The one who has it lives on here; for the key it has been silent too long.
  await sql(`update idempotency_keys set locked_until = now() - interval '1 second' where locked_until is not null`);
  const taken = send(name, { name, wait: true });
  await until(() => runsOf(name) === 2);
  gateOf(name).resolve();

  expect(effectsOf(name)).toBe(1);
  expect((await taken).body.id).toBe((await hanging).body.id);
});

test('a holder that was taken over and comes back does not free the key', async () => {
  const name = randomUUID();
  const back = send(name, { name, wait: true, outcome: '429' });
  await until(() => runsOf(name) === 1);
  const gateOfFirst = gateOf(name);
  gates.delete(name);

  await sql(`update idempotency_keys set locked_until = now() - interval '1 second' where locked_until is not null`);
  const taken = send(name, { name, wait: true, outcome: '429' });
  await until(() => runsOf(name) === 2);
  gateOfFirst.resolve();
  expect((await back).status).toBe(429);
  gateOf(name).resolve();
  const again = await send(name, { name, wait: true, outcome: '429' });

  expect(again).toMatchObject({ status: 200, text: (await taken).text });
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(effectsOf(name)).toBe(1);
});

test('a crash between the effect and its record leaves one effect', async () => {
  const name = randomUUID();
  await sql(`create or replace function crash() returns trigger language plpgsql as
             $$ begin raise exception 'the process is gone'; end $$`);
  await sql(`create trigger crash before update on idempotency_keys
             for each row when (new.status is not null) execute function crash()`);
  await send(name, { name });
  await sql('drop trigger crash on idempotency_keys');
  await sql(`update idempotency_keys set locked_until = now() - interval '1 second' where locked_until is not null`);

  const again = await send(name, { name });
  const replayed = await send(name, { name });

  expect(again).toMatchObject({ status: 200, body: { run: 2 } });
  expect(replayed.text).toBe(again.text);
  expect(effectsOf(name)).toBe(1);
});

test.each([
  ['empty', ''],
  ['256 characters', 'k'.repeat(256)],
  ['a space', 'a b'],
  ['a tab', 'a\tb'],
  ['not ASCII', 'é'],
])('a key that is %s is refused', async (_what, key) => {
  const name = randomUUID();

  const answer = await send(key, { name });

  expect(answer.status).toBe(422);
  expect(answer.body.detail).toMatchObject([{ loc: ['header', 'idempotency-key'] }]);
  expect(runsOf(name)).toBe(0);
});

test('what is kept is sealed', async () => {
  const name = randomUUID();
  const { body } = await send(name, { name });

  const [row] = (await sql('select answer_sealed from idempotency_keys order by created_at desc limit 1')) as {
    answer_sealed: Buffer;
  }[];

  expect(row!.answer_sealed.length).toBeGreaterThan(40);
  expect(row!.answer_sealed.includes(body.id)).toBe(false);
});

test('an answer is kept for a day', async () => {
  const name = randomUUID();
  await send(name, { name });

  const [row] = (await sql('select created_at, expires_at from idempotency_keys order by created_at desc limit 1')) as {
    created_at: Date;
    expires_at: Date;
  }[];

  expect(row!.expires_at.getTime() - row!.created_at.getTime()).toBe(86_400_000);
  expect(await deleteExpiredKeys(gateway.current.deps.database, 5_000)).toBe(0);
});

test('after a day the key is a new one, and the old row is deleted', async () => {
  const name = randomUUID();
  await send(name, { name });
  await sql(`update idempotency_keys set expires_at = now() - interval '1 second'`);

  const again = await send(name, { name });
  await sql(`update idempotency_keys set expires_at = now() - interval '1 second'`);
  const deleted = await deleteExpiredKeys(gateway.current.deps.database, 5_000);

  expect(again.body.run).toBe(2);
  expect(effectsOf(name)).toBe(2);
  expect(deleted).toBeGreaterThan(0);
  expect(await sql('select 1 from idempotency_keys')).toEqual([]);
});

test('admin users are left out', () => {
  const post = (path: string) => ({ ...makeEffect(path).spec });

  expect(isIdempotent(post('/api/admin-users/login'))).toBe(false);
  expect(isIdempotent(post('/api/jobs/create'))).toBe(true);
  expect(isIdempotent({ ...post('/api/jobs/create'), method: 'put' })).toBe(false);
});
