import { createHash } from 'node:crypto';
import { closeCall } from '../../../src/db/calls/close-call.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn, unique } from '../../support/given.ts';
import { maintain } from '../../support/maintain.ts';
import { untilRequested } from '../../support/until-requested.ts';
import { chatWith } from './chat.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

const storedOf = async (callId: string | null) => {
  const { rows } = await gateway.current.deps.database.pool.query(
    'select request, options, has_data_urls from call_payloads where call_id = $1',
    [callId],
  );
  return rows[0] as { request: string; options: string; has_data_urls: boolean };
};

const bytes = Buffer.alloc(3_000, 7);
const sha256 = createHash('sha256').update(bytes).digest('hex');
const url = `data:image/png;base64,${bytes.toString('base64')}`;
const short = `data:text/plain,${'a'.repeat(500)}`;
const described = `data:image/png;bytes=3000;sha256=${sha256}`;
const content = [
  { type: 'text', text: `![a](${url}) and "${short}"` },
  { type: 'image_url', image_url: { url } },
  { type: 'file', file: { file_data: url } },
];

test('after the call the stored request has type, length and hash of each large data URL, and the upstream had all of it (spec 17.16)', async () => {
  const model = `sim-ok-as-${unique('data')}`;
  const team = await given.team({ models: [model] });

  const answers = [
    await chatWith(gateway, team)({ messages: [{ role: 'user', content }], picture: url }),
    await chatWith(gateway, team)({ messages: [{ role: 'user', content }], stream: true }),
  ];

  for (const { headers } of answers) {
    const stored = await storedOf(headers.get('x-call-id'));
    expect(JSON.parse(stored.request).messages[0].content).toEqual([
      { type: 'text', text: `![a](${described}) and "${short}"` },
      { type: 'image_url', image_url: { url: described } },
      { type: 'file', file: { file_data: described } },
    ]);
    expect(stored.options).not.toContain('base64');
    expect(stored.has_data_urls).toBe(false);
  }
  for (const { body } of gateway.current.simulator.requestsFor({ model }))
    expect((body as { messages: unknown }).messages).toEqual([{ role: 'user', content }]);
});

test('the stored request of a failed call has no large data URL', async () => {
  const team = await given.team({ models: ['sim-fail-400'] });

  const { headers } = await chatWith(gateway, team)({ messages: [{ role: 'user', content }] });

  expect((await storedOf(headers.get('x-call-id'))).request).toContain(described);
});

test('maintenance replaces the data URLs of a call that ended without a worker', async () => {
  const model = `sim-slow-30000-as-${unique('data')}`;
  const team = await given.team({ models: [model] });
  const job = await given.job(team);
  const calling = chatWith(gateway, team)({ messages: [{ role: 'user', content }] }, { 'x-job-id': job });
  await untilRequested(gateway, model);
  const { database } = gateway.current.deps;
  const { rows } = await database.pool.query('select call_id from calls where job_id = $1', [job]);
  await closeCall(database, rows[0].call_id, 'failed', 'the worker was lost');

  await maintain(gateway.current);

  expect((await storedOf(rows[0].call_id)).request).toContain(described);
  expectOk(await as(gateway, team).post(`/api/jobs/${job}/cancel`, {}));
  await calling;
});
