import { createCallActivities } from '../../activities/call-upstream/call-upstream.ts';
import { noSpeculativeStarts } from '../../activities/call-upstream/speculative-start.ts';
import type { ActivityDeps } from '../../activities/ports.ts';
import { findJob } from '../../src/db/jobs/find-job.ts';
import { statement } from '../../src/db/sql/statement.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn } from '../support/given.ts';
import { insertUnsentCall } from '../support/unsent-work.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);
const closing = () =>
  createCallActivities({ ...gateway.current.deps, speculativeStarts: noSpeculativeStarts } as unknown as ActivityDeps)
    .closeCall;

const events = statement(
  'test_events_of',
  'select event from webhook_deliveries where job_id = :job_id order by created_at',
);

test('a call that is closed before a worker started it is recorded as started, and its job as started', async () => {
  const { database } = gateway.current.deps;
  const team = await given.team();
  const webhook = { team_id: team.teamId, webhook_url: 'https://example.com/hook', events: ['job.started'] };
  expectOk(await as(gateway, team).post('/api/webhooks/register', webhook));
  const job = await given.job(team);
  const call_id = await insertUnsentCall(gateway.current, team, job);
  const ending = { call_id, status: 'failed', error: 'cancelled', job_started_at: Date.now() } as const;

  const { calls } = gateway.current.deps.metrics;
  const counted = async () => (await calls.get()).values.filter(({ labels }) => labels.outcome === 'failed');

  await closing()(ending);
  await closing()(ending);

  const started_at = new Date(ending.job_started_at);
  expect(await findJob(database, job)).toMatchObject({ status: 'in_progress', started_at });
  expect(await database.query(events, { job_id: job })).toEqual([{ event: 'job.started' }]);
  expect(await counted()).toMatchObject([{ labels: { streamed: 'true' }, value: 1 }]);
});
