import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { closeCall } from '../../src/db/calls/close-call.ts';
import { type FinishedCall, finishCall } from '../../src/db/calls/finish-call.ts';
import { markFirstToken } from '../../src/db/calls/mark-first-token.ts';
import { startCall } from '../../src/db/calls/start-call.ts';
import { type CallStatus, callStatuses, callStatusesBefore } from '../../src/domain/call-state.ts';
import { databaseForTests } from '../support/database-for-tests.ts';
import { besideUncommitted } from '../support/locks.ts';
import { finished } from './finished-call.ts';

const { database } = await databaseForTests();
const team = 'team';
beforeAll(async () => {
  await database.pool.query(`
    insert into organizations (organization_id, name) values ('${team}', 'Acme');
    insert into teams (team_id, organization_id, proxy_team_id) values ('${team}', '${team}', '${team}')`);
});

/** A way in which a statement changes the status of a call. Each is executed as attempt 1 or 2 of a worker. */
interface Change {
  file: string;
  to: CallStatus;
  /** Where the statement permits less than the life cycle. */
  from?: readonly CallStatus[];
  execute(callId: string): Promise<unknown>;
}

const finish = (call_id: string, status: FinishedCall['status']) => finishCall(database, finished(call_id, status));

const changes: Record<string, Change> = {
  'the start of a call in a job that has started': {
    file: 'start-call.ts',
    to: 'running',
    from: ['queued'],
    execute: (call) => startCall(database, call, { workerAttempt: 1, startsJob: false, jobStartedAt: new Date() }),
  },
  'the start of a later attempt': {
    file: 'start-call.ts',
    to: 'running',
    execute: (call) => startCall(database, call, { workerAttempt: 2, startsJob: false, jobStartedAt: new Date() }),
  },
  'the first token': {
    file: 'mark-first-token.ts',
    to: 'running',
    execute: (call) => markFirstToken(database, call, 1),
  },
  'a result': { file: 'finish-call.ts', to: 'succeeded', execute: (call) => finish(call, 'succeeded') },
  'a failure': { file: 'finish-call.ts', to: 'failed', execute: (call) => finish(call, 'failed') },
  'the end of a call without an attempt': {
    file: 'close-call.ts',
    to: 'failed',
    execute: (call) => closeCall(database, call, 'failed', 'cancelled'),
  },
  'the refusal of a call': {
    file: 'close-call.ts',
    to: 'refused',
    execute: (call) => closeCall(database, call, 'refused', 'cancelled'),
  },
};

/** What a call of this status has besides. All are of attempt 1, so that nothing but the status is in the way of a change. */
const columnsOf = (status: CallStatus): string => {
  const error = status === 'failed' || status === 'refused' ? `'why'` : 'null';
  const ended = ['queued', 'running'].includes(status) ? 'null' : 'now()';
  return `status = '${status}', error = ${error}, finished_at = ${ended}, recorded_at = ${ended}, worker_attempt = 1`;
};

async function givenCall(status: CallStatus): Promise<string> {
  const id = randomUUID();
  await database.pool.query(`
    insert into jobs (job_id, team_id, organization_id, job_type, status) values ('${id}', '${team}', '${team}', 'report', 'in_progress');
    insert into calls (call_id, job_id, team_id, requested_model, candidates, resolved_model, streamed)
    values ('${id}', '${id}', '${team}', 'smart', '[]', 'gpt-4o', false);
    update calls set ${columnsOf(status)} where call_id = '${id}'`);
  return id;
}

async function read(callId: string): Promise<{ status: CallStatus }> {
  const { rows } = await database.pool.query('select * from calls where call_id = $1', [callId]);
  return rows[0];
}

const permitted = ({ to, from = callStatusesBefore(to) }: Change): readonly CallStatus[] => from;
const pairs = Object.keys(changes).flatMap((by) => callStatuses.map((from) => ({ by, from, change: changes[by]! })));

test.each(pairs.filter(({ from, change }) => permitted(change).includes(from)))(
  '$by makes a call that is $from $change.to',
  async ({ from, change }) => {
    const call = await givenCall(from);

    await change.execute(call);

    expect((await read(call)).status).toBe(change.to);
  },
);

test.each(pairs.filter(({ from, change }) => !permitted(change).includes(from)))(
  '$by changes nothing of a call that is $from',
  async ({ from, change }) => {
    const call = await givenCall(from);
    const before = await read(call);

    await change.execute(call);

    expect(await read(call)).toEqual(before);
  },
);

test.each(Object.keys(changes))(
  '%s changes nothing of a call that another transaction ends while it waits',
  async (by) => {
    const change = changes[by]!;
    const call = await givenCall(permitted(change)[0]!);
    const end = { sql: `update calls set ${columnsOf('failed')} where call_id = $1`, values: [call], waiting: 1 };

    await besideUncommitted({ deps: { database } }, end, () => change.execute(call));

    expect(await read(call)).toMatchObject({ status: 'failed', error: 'why', worker_attempt: 1 });
    const { rows: attempts } = await database.pool.query('select from call_attempts where call_id = $1', [call]);
    expect(attempts).toEqual([]);
  },
);

test('no statement permits a transition that the life cycle does not have', () => {
  const more = Object.values(changes).filter(({ to, from = [] }) =>
    from.some((status) => !callStatusesBefore(to).includes(status)),
  );

  expect(more).toEqual([]);
});

/** The texts in which the status of a call is set: the file, the status, and the conditions. */
const settings = ['src', 'activities', 'workflows']
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`))
  .filter((path) => path.endsWith('.ts'))
  .flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/\bupdate calls\b(.*?)\bwhere\b(.*?)(?:\breturning\b|`)/gs)]
      .filter(([, assignments]) => /\bstatus = /.test(assignments!))
      .map(([, , conditions]) => ({ path, conditions: conditions! })),
  );

test('every statement that sets the status of a call is tested in this file, and is guarded by the life cycle', () => {
  const guard = /\$\{(callMayBecome\(\[|writableByAttempt\})|\bstatus = 'queued'/;

  expect([...new Set(settings.map(({ path }) => path))].sort()).toEqual(
    [...new Set(Object.values(changes).map(({ file }) => `src/db/calls/${file}`))].sort(),
  );
  expect(settings.filter(({ conditions }) => !guard.test(conditions))).toEqual([]);
});
