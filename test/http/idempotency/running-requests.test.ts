import { randomUUID } from 'node:crypto';
import { until } from '../../support/until.ts';
import { countEffects, countRuns, effectsForTests, gates, getGate } from './effects.ts';

const { send, sql } = effectsForTests();

test('a repetition of a running request waits two seconds and is refused with 409 and Retry-After (spec 1.4, spec 10.5)', async () => {
  const name = randomUUID();
  const first = send(name, { name, wait: true });
  await until(() => countRuns(name) === 1);

  const startedAt = performance.now();
  const refused = await send(name, { name, wait: true });
  const waitedMs = performance.now() - startedAt;
  const waiting = send(name, { name, wait: true });
  getGate(name).resolve();

  expect(refused).toMatchObject({ status: 409, body: { detail: expect.any(String) } });
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(waitedMs).toBeGreaterThan(1_900);
  expect((await waiting).text).toBe((await first).text);
  expect(countRuns(name)).toBe(1);
});

test('a request with the key of a running one and another body is refused at once (spec 10.4)', async () => {
  const name = randomUUID();
  const first = send(name, { name, wait: true });
  await until(() => countRuns(name) === 1);

  const other = await send(name, { name, wait: false });
  getGate(name).resolve();

  expect(other.status).toBe(422);
  expect((await first).status).toBe(200);
});

test('a running request renews its lock, and a request whose lock has expired is taken over (spec 10.8)', async () => {
  const name = randomUUID();
  const lockedUntil = async () => {
    const [row] = (await sql('select max(locked_until) as until from idempotency_keys')) as { until: Date }[];
    return row!.until.getTime();
  };
  const hanging = send(name, { name, wait: true });
  await until(() => countRuns(name) === 1);
  const before = await lockedUntil();
  await until(async () => (await lockedUntil()) > before);

  // The holder goes on here; its lock is expired as if it had died.
  await sql(`update idempotency_keys set locked_until = now() - interval '1 second' where locked_until is not null`);
  const taken = send(name, { name, wait: true });
  await until(() => countRuns(name) === 2);
  getGate(name).resolve();

  expect(countEffects(name)).toBe(1);
  expect((await taken).body.id).toBe((await hanging).body.id);
});

test('a request that was taken over and then fails does not release the key', async () => {
  const name = randomUUID();
  const back = send(name, { name, wait: true, outcome: '429' });
  await until(() => countRuns(name) === 1);
  const gateOfFirst = getGate(name);
  gates.delete(name);

  await sql(`update idempotency_keys set locked_until = now() - interval '1 second' where locked_until is not null`);
  const taken = send(name, { name, wait: true, outcome: '429' });
  await until(() => countRuns(name) === 2);
  gateOfFirst.resolve();
  expect((await back).status).toBe(429);
  getGate(name).resolve();
  const again = await send(name, { name, wait: true, outcome: '429' });

  expect(again).toMatchObject({ status: 200, text: (await taken).text });
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(countEffects(name)).toBe(1);
});

test('a request that was taken over and then succeeds does not replace the stored answer', async () => {
  const name = randomUUID();
  const back = send(name, { name, wait: true });
  await until(() => countRuns(name) === 1);
  const gateOfFirst = getGate(name);
  gates.delete(name);

  await sql(`update idempotency_keys set locked_until = now() - interval '1 second' where locked_until is not null`);
  const taken = send(name, { name, wait: true });
  await until(() => countRuns(name) === 2);
  getGate(name).resolve();
  const { text } = await taken;
  gateOfFirst.resolve();
  await back;

  expect((await send(name, { name, wait: true })).text).toBe(text);
});

/** Executes the request as a process that dies before it can store the answer. */
async function sendAndDie(name: string, body: object): Promise<void> {
  await sql(`create or replace function crash() returns trigger language plpgsql as
             $$ begin raise exception 'the process is gone'; end $$`);
  await sql(`create trigger crash before update on idempotency_keys
             for each row when (new.status is not null) execute function crash()`);
  await send(name, body);
  await sql('drop trigger crash on idempotency_keys');
  await sql(`update idempotency_keys set locked_until = now() - interval '1 second' where locked_until is not null`);
}

test('a request that is repeated after a crash between its effect and its stored answer has one effect (spec 10.8)', async () => {
  const name = randomUUID();
  await sendAndDie(name, { name });

  const again = await send(name, { name });
  const replayed = await send(name, { name });

  expect(again).toMatchObject({ status: 200, body: { run: 2 } });
  expect(replayed.text).toBe(again.text);
  expect(countEffects(name)).toBe(1);
});

test('a request that is repeated after a crash before its answer was stored, and refused once, has one effect', async () => {
  const name = randomUUID();
  const body = { name, outcome: '403', failing_run: 2 };
  await sendAndDie(name, body);

  const refused = await send(name, body);
  const again = await send(name, body);

  expect(refused.status).toBe(403);
  expect(again).toMatchObject({ status: 200, body: { run: 3 } });
  expect(countEffects(name)).toBe(1);
});

test('a request with another body is refused for the key of a request whose process crashed', async () => {
  const name = randomUUID();
  await sendAndDie(name, { name });

  const other = await send(name, { name, wait: false });

  expect(other.status).toBe(422);
  expect(countRuns(name)).toBe(1);
});
