import { setTimeout as pause } from 'node:timers/promises';
import {
  type CallSubscriber,
  type CallSubscriptions,
  createCallSubscriptions,
} from '../../src/calls/call-subscriptions.ts';
import type { Database } from '../../src/db/connection/database.ts';
import type { Statement } from '../../src/db/sql/statement.ts';
import type { CallResult } from '../../src/domain/call-result.ts';
import { createLog } from '../../src/log.ts';
import type { CallEvents } from '../../src/redis/call-events.ts';
import { until } from '../support/until.ts';

/** A database in which every ended call was refused. It counts its polls. */
function recordOfCalls() {
  const ended = new Set<string>();
  let polls = 0;
  const query = async ({ name }: Statement, values: { call_ids?: string[] }) => {
    if (name !== 'ended_calls') return [{ status: 'refused', error: 'completed' }];
    polls += 1;
    record.onPoll();
    return values.call_ids!.filter((callId) => ended.has(callId)).map((call_id) => ({ call_id }));
  };
  const record = {
    ended,
    query: query as unknown as Database['query'],
    polls: () => polls,
    onPoll: (): void => undefined,
  };
  return record;
}

const silent = { subscribe: async () => () => undefined } as unknown as CallEvents;
const opened: CallSubscriptions[] = [];
afterEach(() => {
  for (const subscriptions of opened.splice(0)) subscriptions.close();
});

function openSubscriptions() {
  const record = recordOfCalls();
  const subscriptions = createCallSubscriptions(
    record as unknown as Database,
    silent,
    { isUp: () => false },
    createLog('silent', 'test'),
  );
  opened.push(subscriptions);
  return { record, subscriptions };
}

function newSubscriber() {
  const results: CallResult[] = [];
  const subscriber: CallSubscriber = {
    onEvent: () => undefined,
    onRecordedResult: (result) => results.push(result),
    onShutdown: () => undefined,
  };
  return { results, subscriber };
}

test('a subscriber that stays receives the recorded result once', async () => {
  const { record, subscriptions } = openSubscriptions();
  const staying = newSubscriber();
  await subscriptions.subscribe('ended', staying.subscriber);
  await subscriptions.subscribe('running', newSubscriber().subscriber);

  record.ended.add('ended');
  await until(() => staying.results.length > 0);
  const pollsSoFar = record.polls();
  await until(() => record.polls() >= pollsSoFar + 3);

  expect(staying.results).toEqual([{ status: 'refused', error: 'completed' }]);
});

test('a subscriber that subscribes after a result was delivered to others receives the result too, also when the others unsubscribe meanwhile', async () => {
  const { record, subscriptions } = openSubscriptions();
  const [early, late] = [newSubscriber(), newSubscriber()];
  const unsubscribe = await subscriptions.subscribe('ended', early.subscriber);
  record.ended.add('ended');
  await until(() => early.results.length > 0);

  await subscriptions.subscribe('ended', late.subscriber);
  unsubscribe();

  await until(() => late.results.length > 0);
});

test('subscriptions that are closed during a poll do not poll again', async () => {
  const { record, subscriptions } = openSubscriptions();
  await subscriptions.subscribe('running', newSubscriber().subscriber);
  await until(() => record.polls() > 0);

  record.onPoll = () => subscriptions.close();
  const before = record.polls();
  await until(() => record.polls() > before);
  await pause(600);

  expect(record.polls()).toBe(before + 1);
});
