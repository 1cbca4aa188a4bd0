import { randomUUID } from 'node:crypto';
import type { ChangeSet } from '../../src/domain/changes.ts';
import { channel } from '../../src/domain/ids.ts';
import { createChangePublisher, subscribeToChanges } from '../../src/redis/change-channel.ts';
import { createPubSub } from '../../src/redis/pubsub.ts';
import { closedAfterEach, openReadyRedis } from '../support/redis-for-tests.ts';
import { until } from '../support/until.ts';
import { junkAbout } from './junk.ts';

const closing = closedAfterEach();

async function openChanges() {
  const installation = randomUUID();
  const redis = await openReadyRedis(closing);
  const commands = redis.commands.duplicate({ commandTimeout: undefined, enableOfflineQueue: true });
  closing.push(() => commands.disconnect());
  const dropped: string[] = [];
  const channels = createPubSub({ ...redis, reportDropped: (source) => dropped.push(source) });
  const received: ChangeSet[] = [];
  let gaps = 0;
  const listener = { onChanges: (changes: ChangeSet) => received.push(changes), onGap: () => (gaps += 1) };
  const subscribe = subscribeToChanges(channels, installation);
  // On a busy machine a command may take longer than the gateway gives it.
  const unsubscribe = await until(() => subscribe(listener).catch(() => undefined));
  return { installation, redis, commands, received, dropped, unsubscribe, gaps: () => gaps };
}

const job = (team_id = 'team') => ({ job_id: randomUUID(), team_id, status: 'pending' }) as const;

test('a thousand changes at once are published in a few messages, and each arrives', async () => {
  const { installation, commands, received } = await openChanges();
  const publisher = createChangePublisher(commands, installation);
  const jobs = Array.from({ length: 1_000 }, () => job());

  for (const one of jobs) publisher.publish('jobs', one);

  const all = () => received.flatMap((changes) => changes.jobs ?? []);
  await until(() => all().length === jobs.length);
  expect(new Set(all().map(({ job_id }) => job_id))).toEqual(new Set(jobs.map(({ job_id }) => job_id)));
  expect(received.length).toBeLessThanOrEqual(3);
});

test('what is gathered is published when the process closes', async () => {
  const { installation, commands, received } = await openChanges();
  const publisher = createChangePublisher(commands, installation);

  publisher.publish('teams', { team_id: 'team' });
  await publisher.close();

  await until(() => received.length === 1);
  expect(received).toEqual([{ teams: [{ team_id: 'team' }] }]);
});

test('changes of another installation on the same Redis are not received', async () => {
  const [own, other] = [await openChanges(), await openChanges()];

  createChangePublisher(other.commands, other.installation).publish('teams', { team_id: 'theirs' });
  await until(() => other.received.length === 1);
  createChangePublisher(own.commands, own.installation).publish('teams', { team_id: 'own' });
  await until(() => own.received.length === 1);

  expect(own.received).toEqual([{ teams: [{ team_id: 'own' }] }]);
});

test('the first message after a failed publish reports a gap', async () => {
  const { installation, redis, commands, received, gaps } = await openChanges();
  const lost = createChangePublisher(redis.commands, installation);
  const publish = redis.commands.publish.bind(redis.commands);
  let failures = 0;
  redis.commands.publish = (...given: unknown[]) => {
    failures += 1;
    return failures === 1 ? Promise.reject(new Error('away')) : (publish as (...all: unknown[]) => never)(...given);
  };

  lost.publish('teams', { team_id: 'first' });
  await until(() => failures === 1);
  lost.publish('teams', { team_id: 'second' });
  await until(() => received.length === 1);
  createChangePublisher(commands, installation).publish('teams', { team_id: 'third' });
  await until(() => received.length === 2);

  expect(received[0]).toEqual({ teams: [{ team_id: 'second' }] });
  expect(gaps()).toBe(1);
});

test('a connection that was lost and is subscribed again reports a gap, until it is unsubscribed', async () => {
  const { redis, unsubscribe, gaps } = await openChanges();

  redis.subscriber.disconnect(true);
  await until(() => gaps() === 1);
  unsubscribe!();
  redis.subscriber.disconnect(true);
  await until(() => redis.subscriber.status === 'ready');

  expect(gaps()).toBe(1);
});

test('junk on the channel of changes is dropped, and unknown fields are left out', async () => {
  const { installation, commands, received, dropped } = await openChanges();
  const name = channel.changes(installation);
  const one = job();
  const malformed = [
    { changes: { jobs: [one] } },
    { changes: { jobs: [{ ...one, status: 'paid' }] }, has_gap: false },
    { changes: { jobs: [{ ...one, job_id: 'x' }] }, has_gap: false },
    { changes: { jobs: one }, has_gap: false },
    { changes: { jobs: [one] }, has_gap: 'no' },
  ].map((value) => JSON.stringify(value));
  const junk = [...junkAbout(one.job_id), ...malformed];

  for (const text of junk) await commands.publish(name, text);
  const forged = { changes: { jobs: [{ ...one, html: '<b>' }], money: [1] }, has_gap: false };
  await commands.publish(name, JSON.stringify(forged));

  await until(() => received.length > 0);
  expect(received).toEqual([{ jobs: [one] }]);
  expect(dropped).toHaveLength(junk.length);
}, 60_000);
