import { setTimeout as pause } from 'node:timers/promises';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn, unique } from '../support/given.ts';
import { contentOf, isRunning, isShown, stopping } from '../support/given-stop.ts';
import { checkLedger } from '../support/ledger.ts';

// Before the hook that closes the gateway.
afterAll(async () => expect(await checkLedger(gateway.current.deps.database)).toEqual([]));

const gateway = gatewayForTests();
const given = givenIn(gateway);
const { stop, read, started } = stopping(gateway, () => gateway.current.deps.database.pool);

const slow = () => `sim-slow-60000-as-${unique('stopped')}`;
const streaming = () => `sim-tokens-400-every-25-as-${unique('stopped')}`;

test('twenty stops of a call at once have one effect and the same answer (spec 26.10)', async () => {
  const team = await given.team({ models: [streaming()] });
  const job = await given.job(team);
  const { call, end } = await started(team, 'stream', isShown, { job });

  const answers = await Promise.all(Array.from({ length: 20 }, () => stop(team, job, call)));
  await end;

  const all = answers.map((answer) => expectOk(answer));
  for (const one of all) expect(one).toEqual(all[0]);
  expect(expectOk(await as(gateway, team).complete(job)).costs.total_calls).toBe(1);
});

test.each(['call', 'stream'] as const)(
  'a %s that is stopped while its job is cancelled has one end, and the job is cancelled and free (spec 26.10)',
  async (kind) => {
    for (let round = 0; round < 8; round += 1) {
      const team = await given.team({ models: [kind === 'stream' ? streaming() : slow()], credits: 5 });
      const job = await given.job(team);
      const { call, end } = await started(team, kind, kind === 'stream' ? isShown : isRunning, { job });

      const [stopped, cancelled] = await Promise.all([
        stop(team, job, call),
        as(gateway, team).post(`/api/jobs/${job}/cancel`),
      ]);
      const answer = await end;

      const recorded = await read(team, job, call);
      expect(expectOk(cancelled)).toMatchObject({
        status: 'cancelled',
        costs: { credit_applied: false, total_calls: 1 },
      });
      expect(expectOk(stopped)).toMatchObject({ status: recorded.status, finish_reason: recorded.finish_reason });
      expect([recorded.status, recorded.error]).toEqual(
        recorded.finish_reason === 'stopped' ? ['succeeded', null] : ['failed', 'cancelled'],
      );
      if (kind === 'stream') expect(contentOf(answer).text).toBe(recorded.response?.content ?? '');
      else expect(answer.status).toBe(recorded.status === 'succeeded' ? 200 : 500);
    }
  },
);

test('of stops around the natural end of a stream each leaves one end, one charge and the recorded text (spec 26.10)', async () => {
  const rounds = 60;
  const team = await given.team({
    models: ['sim-tokens-12-every-4'],
    credits: 1_000,
    rpm_limit: 10_000,
    tpm_limit: 10_000_000,
  });
  const reasons = new Set<string>();
  let charged = 0;
  for (let round = 0; round < rounds; round += 1) {
    const { job, call, end } = await started(team, 'singleStream', () => true);
    await pause((round % 20) * 4);
    const stopped = expectOk(await stop(team, job, call));
    const { text, reason } = contentOf(await end);
    const recorded = await read(team, job, call);
    const { status, credit_applied } = expectOk(await as(gateway, team).get(`/api/jobs/${job}`));
    expect([text, reason]).toEqual([recorded.response?.content ?? '', recorded.finish_reason]);
    expect(stopped).toMatchObject({ status: 'succeeded', finish_reason: reason });
    expect([status, credit_applied]).toEqual(recorded.first_token_at ? ['completed', true] : ['cancelled', false]);
    reasons.add(reason!);
    charged += credit_applied ? 1 : 0;
  }

  expect([...reasons].sort()).toEqual(['stop', 'stopped']);
  expect(await as(gateway, team).credits()).toMatchObject({ credits_remaining: 1_000 - charged });
}, 120_000);
