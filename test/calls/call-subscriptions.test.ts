import { setTimeout as pause } from 'node:timers/promises';
import { type CallSubscriptions, createCallSubscriptions, type Watcher } from '../../src/calls/call-subscriptions.ts';
import type { Database, Statement } from '../../src/db/connection/database.ts';
import type { CallEnd } from '../../src/domain/call-result.ts';
import { createLog } from '../../src/log.ts';
import type { CallEvents } from '../../src/redis/call-events.ts';
import { until } from '../support/until.ts';

/** A record that says of each call that has ended that it was refused, and how often it was asked. */
function recordOfCalls() {
  const ended = new Set<string>();
  let polls = 0;
  const query = async ({ name }: Statement, [asked]: readonly unknown[]) => {
    if (name !== 'ended_calls') return [{ status: 'refused', error: 'completed' }];
    polls += 1;
    record.onPoll();
    return (asked as string[]).filter((callId) => ended.has(callId)).map((call_id) => ({ call_id }));
  };
  const record = { ended, query: query as Database['query'], polls: () => polls, onPoll: (): void => undefined };
  return record;
}

const silent = { subscribe: async () => () => undefined } as unknown as CallEvents;
const watches: CallSubscriptions[] = [];
afterEach(() => {
  for (const watch of watches.splice(0)) watch.close();
});

function startWatch() {
  const record = recordOfCalls();
  const watch = createCallSubscriptions(
    record as unknown as Database,
    silent,
    { isUp: () => false },
    createLog('silent', 'test'),
  );
  watches.push(watch);
  return { record, watch };
}

function watcher() {
  const told: CallEnd[] = [];
  const all: Watcher = { frame: () => undefined, recorded: (end) => told.push(end), leaving: () => undefined };
  return { told, all };
}

test('who stays is told of the recorded end once', async () => {
  const { record, watch } = startWatch();
  const stays = watcher();
  await watch.watch('ended', stays.all);
  await watch.watch('running', watcher().all);

  record.ended.add('ended');
  await until(() => stays.told.length > 0);
  const pollsSoFar = record.polls();
  await until(() => record.polls() >= pollsSoFar + 3);

  expect(stays.told).toEqual([{ status: 'refused', error: 'completed' }]);
});

test('who comes when others were told is told too, also when these leave meanwhile', async () => {
  const { record, watch } = startWatch();
  const [early, late] = [watcher(), watcher()];
  const leave = await watch.watch('ended', early.all);
  record.ended.add('ended');
  await until(() => early.told.length > 0);

  await watch.watch('ended', late.all);
  leave();

  await until(() => late.told.length > 0);
});

test('a watch that was closed while it asked asks no more', async () => {
  const { record, watch } = startWatch();
  await watch.watch('running', watcher().all);
  await until(() => record.polls() > 0);

  record.onPoll = () => watch.close();
  const before = record.polls();
  await until(() => record.polls() > before);
  await pause(600);

  expect(record.polls()).toBe(before + 1);
});
