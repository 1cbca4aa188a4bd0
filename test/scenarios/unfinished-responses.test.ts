import { randomUUID } from 'node:crypto';
import { admitCallToJob } from '../../src/db/calls/admit-call-to-job.ts';
import { respondWith } from '../http/responses/respond.ts';
import { startApiProcess } from '../support/api-process.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { givenIn, unique } from '../support/given.ts';
import { newCall } from '../support/unsent-work.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

test('of 30 background responses at once over two apis, as many are admitted as make 200 unfinished (spec 29.18)', async () => {
  const { deps } = gateway.current;
  const team = await given.team({ models: [`sim-slow-60000-as-${unique('unfinished')}`], credits: 1_000 });
  const job_id = await given.job(team);
  const client_request = { request: JSON.stringify({ api: 'responses' }), input: '[]' };
  for (let unfinished = 0; unfinished < 190; unfinished += 1) {
    const call = { ...newCall(gateway.current, team), call_id: randomUUID(), job_id, asynchronous: true };
    await admitCallToJob(deps.database, { ...call, client_request });
  }
  const api = await startApiProcess(gateway.current);

  const [here, there] = [gateway, { current: { ...gateway.current, url: api.url } }];
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) => {
      const headers: Record<string, string>[] = [{}, { 'x-job-id': job_id }, { 'x-external-task-id': unique('task') }];
      return respondWith(index % 2 ? here : there, team)({ background: true }, headers[index % 3]);
    }),
  );

  await api.end();
  expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(200), ...Array(20).fill(429)]);
  const refused = answers.find(({ status }) => status === 429)!;
  expect(refused.body.error.message).toContain('unfinished background responses (200)');
}, 60_000);
