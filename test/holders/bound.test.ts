import { Refusal, Unavailable } from '../../src/errors.ts';
import { createBound } from '../../src/holders/bound.ts';
import { adminHolder, networkHolder, teamHolder } from '../../src/holders/holder.ts';
import { createApiMeasures } from '../../src/holders/measures.ts';

const one = teamHolder('one');
const other = teamHolder('other');

test('work above the share of a holder waits, and that of another holder does not (spec 9.6)', async () => {
  const bound = createBound({ name: 'SHARE', perKey: 1 });
  const release = await bound.acquire(one);
  let hasStarted = false;
  const waiting = bound.run(one, async () => {
    hasStarted = true;
  });

  await bound.run(other, async () => undefined);
  expect(hasStarted).toBe(false);

  release();
  await waiting;
  expect(hasStarted).toBe(true);
});

test('a 429 for work that finds too much waiting names the bound and its figure (spec 9.6)', async () => {
  const bound = createBound({ name: 'SHARE', perKey: 3, waiting: 0 });
  await bound.acquire(one, { weight: 3 });

  const refusal = await bound.acquire(one).catch((error: unknown) => error);

  expect(refusal).toBeInstanceOf(Refusal);
  expect(refusal).toMatchObject({
    status: 429,
    message: 'Rate limit exceeded: SHARE (3)',
    limit: { limit: 3, remaining: 0 },
  });
});

test('work that has waited for too long is unavailable (spec 9.6)', async () => {
  const bound = createBound({ name: 'SHARE', perKey: 1, maxWaitMs: 1 });
  await bound.acquire(one);

  await expect(bound.acquire(one)).rejects.toThrow(Unavailable);
});

test('holders of a kind with figures of its own take nothing from the others', async () => {
  const bound = createBound(
    { name: 'SHARE', perKey: 1, total: 1, waiting: 0 },
    { admin: { name: 'ADMINS', perKey: 1, waiting: 0 } },
  );
  await bound.acquire(one);

  await expect(bound.acquire(other)).rejects.toThrow('SHARE (1)');
  await bound.acquire(adminHolder('platform'));
  await expect(bound.acquire(adminHolder('platform'))).rejects.toThrow('ADMINS (1)');
});

test('all streams of events of teams leave those of admins free (spec 19.16)', async () => {
  const { eventStreams } = createApiMeasures({ HELD_BYTES: 1, MAX_WAITING_JOB_ENDS: 1 }).places;
  for (let team = 0; team < 20; team += 1)
    for (let stream = 0; stream < 20; stream += 1) await eventStreams.acquire(teamHolder(String(team)));

  await expect(eventStreams.acquire(teamHolder('late'))).rejects.toThrow('streams of events');
  await eventStreams.acquire(adminHolder('user:ada'));
});

test('a holder has a quarter of the bytes of a process, and a network without a credential 4 MiB', async () => {
  const { bytes } = createApiMeasures({ HELD_BYTES: 400, MAX_WAITING_JOB_ENDS: 1 });
  let held = 0;
  const hold = (holder: typeof one, weight: number) =>
    bytes.acquire(holder, { weight }).then(() => {
      held += weight;
    });

  await hold(one, 100);
  void hold(one, 1);
  await hold(other, 100);
  await hold(networkHolder('192.0.2.1'), 4 * 1_048_576);

  expect(held).toBe(200 + 4 * 1_048_576);
});
