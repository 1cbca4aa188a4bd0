import { randomUUID } from 'node:crypto';
import { closeCall } from '../../src/db/calls/close-call.ts';
import { finishCall } from '../../src/db/calls/finish-call.ts';
import { databaseForTests } from '../support/database-for-tests.ts';
import { finished } from './finished-call.ts';

const { database } = await databaseForTests();
const team = 'team';
beforeAll(async () => {
  await database.pool.query(`
    insert into organizations (organization_id, name) values ('${team}', 'Acme');
    insert into teams (team_id, organization_id, proxy_team_id) values ('${team}', '${team}', '${team}');
    insert into webhooks (webhook_id, team_id, webhook_url, events, secret_sealed)
      values ('${randomUUID()}', '${team}', 'https://a.example', '{call.completed,call.failed}', 'x')`);
});

/** A running call of a job, both with this id. */
async function givenCall(asynchronous = true): Promise<string> {
  const id = randomUUID();
  await database.pool.query(`
    insert into jobs (job_id, team_id, organization_id, job_type, status) values ('${id}', '${team}', '${team}', 'report', 'in_progress');
    insert into calls (call_id, job_id, team_id, requested_model, candidates, resolved_model, streamed, status, worker_attempt, asynchronous)
      values ('${id}', '${id}', '${team}', 'smart', '[]', 'gpt-4o', false, 'running', 1, ${asynchronous})`);
  return id;
}

async function read(id: string) {
  const { rows } = await database.pool.query<{ status: string; events: string[] }>(
    'select status, array(select event from webhook_deliveries where job_id = call_id) as events from calls where call_id = $1',
    [id],
  );
  return rows[0]!;
}

test('a call that two attempts of workers finish and the sweeper closes at once has one event, that of its end, in each of 60 rounds (spec 26.6)', async () => {
  const seen = new Set<string>();
  for (let round = 0; round < 60; round += 1) {
    const id = await givenCall();
    const first = () => finishCall(database, finished(id, 'succeeded', { asynchronous: true }));
    const second = () => finishCall(database, finished(id, 'failed', { asynchronous: true, worker_attempt: 2 }));
    const close = () => closeCall(database, id, 'failed', 'the worker was lost');
    const ends = [first, second, close, first];

    await Promise.all([...ends.slice(round % 4), ...ends.slice(0, round % 4)].map((end) => end()));

    const { status, events } = await read(id);
    expect(events).toEqual([status === 'succeeded' ? 'call.completed' : 'call.failed']);
    seen.add(status);
  }
  expect(seen).toEqual(new Set(['succeeded', 'failed']));
});

test('the statements that end a call return the deliveries of its event, and none of a call that is not asynchronous or is refused (spec 26.6)', async () => {
  const [first, second, third, fourth, fifth] = [
    await givenCall(),
    await givenCall(),
    await givenCall(false),
    await givenCall(false),
    await givenCall(),
  ];

  const ends = [
    await finishCall(database, finished(first, 'succeeded', { asynchronous: true })),
    await closeCall(database, second, 'failed', 'cancelled'),
    await finishCall(database, finished(third, 'failed')),
    await closeCall(database, fourth, 'failed', 'cancelled'),
    await closeCall(database, fifth, 'refused', 'completed'),
  ];

  const returned = ends.map((end) => {
    const ids = end && 'call_delivery_ids' in end ? end.call_delivery_ids : end?.delivery_ids;
    return ids?.length;
  });
  expect(returned).toEqual([1, 1, 0, 0, 0]);
  const events = await Promise.all([first, second, third, fourth, fifth].map(async (id) => (await read(id)).events));
  expect(events).toEqual([['call.completed'], ['call.failed'], [], [], []]);
});
