import { randomUUID } from 'node:crypto';
import { deleteExpiredKeys } from '../../../src/db/idempotency/idempotency-keys.ts';
import { countEffects, countRuns, effectsForTests } from './effects.ts';

const { gateway, send, sql } = effectsForTests();

test.each(['400', '404', '409', '500'])(
  'a reply %s is stored for its key and sent to a repetition (spec 10.6)',
  async (outcome) => {
    const name = randomUUID();

    const first = await send(name, { name, outcome });
    const again = await send(name, { name, outcome });

    expect(first.status).toBe(Number(outcome));
    expect(again).toMatchObject({ status: first.status, text: first.text });
    expect(again.headers.get('x-job-id')).toBe(first.headers.get('x-job-id'));
    expect(countRuns(name)).toBe(1);
  },
);

test.each(['403', '422', '429'])(
  'a reply %s is not stored, and its key may be used for another body (spec 10.6)',
  async (outcome) => {
    const name = randomUUID();

    const first = await send(name, { name, outcome });
    const again = await send(name, { name });

    expect(first.status).toBe(Number(outcome));
    expect(again).toMatchObject({ status: 200, body: { run: 2 } });
  },
);

test('a repetition after a 503 executes the same operation (spec 10.6)', async () => {
  const name = randomUUID();

  const first = await send(name, { name, outcome: '503' });
  const again = await send(name, { name, outcome: '503' });

  expect(first.status).toBe(503);
  expect(again).toMatchObject({ status: 200, body: { run: 2 } });
  expect(countEffects(name)).toBe(1);
});

test('a stored answer is encrypted (spec 10.9)', async () => {
  const name = randomUUID();
  const { body } = await send(name, { name });

  const [row] = (await sql('select answer_sealed from idempotency_keys order by created_at desc limit 1')) as {
    answer_sealed: Buffer;
  }[];

  expect(row!.answer_sealed.length).toBeGreaterThan(40);
  expect(row!.answer_sealed.includes(body.id)).toBe(false);
});

test('a stored answer expires after 24 hours and is not deleted earlier (spec 10.9)', async () => {
  const name = randomUUID();
  await send(name, { name });

  const [row] = (await sql('select created_at, expires_at from idempotency_keys order by created_at desc limit 1')) as {
    created_at: Date;
    expires_at: Date;
  }[];

  expect(row!.expires_at.getTime() - row!.created_at.getTime()).toBe(86_400_000);
  expect(await deleteExpiredKeys(gateway.current.deps.database, 5_000)).toBe(0);
});

test('a key whose answer has expired identifies a new operation, and its expired row is deleted (spec 10.9)', async () => {
  const name = randomUUID();
  await send(name, { name });
  await sql(`update idempotency_keys set expires_at = now() - interval '1 second'`);

  const again = await send(name, { name });
  await sql(`update idempotency_keys set expires_at = now() - interval '1 second'`);
  const deleted = await deleteExpiredKeys(gateway.current.deps.database, 5_000);

  expect(again.body.run).toBe(2);
  expect(countEffects(name)).toBe(2);
  expect(deleted).toBeGreaterThan(0);
  expect(await sql('select 1 from idempotency_keys')).toEqual([]);
});
