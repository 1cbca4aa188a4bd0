import { randomUUID } from 'node:crypto';
import { deleteExpiredKeys } from '../../../src/db/idempotency/idempotency-keys.ts';
import { effectsForTests, effectsOf, runsOf } from './effects.ts';

const { gateway, send, sql } = effectsForTests();

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
