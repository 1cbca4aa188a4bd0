import { workflowId } from '../../src/domain/ids.ts';
import { isFinished } from '../../src/domain/job-state.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../support/given.ts';
import { checkLedger } from '../support/ledger.ts';
import type { Answer } from '../support/send-request.ts';
import '../support/quiet-temporal.ts';
import { expectToReplay } from '../support/replays.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

type Asked = 'complete' | 'fail' | 'cancel' | 'call' | 'stream' | 'update';

const sendCommand = (team: GivenTeam, job: string, asked: Asked, place: number): Promise<Answer> => {
  const own = as(gateway, team);
  if (asked === 'complete') return own.complete(job);
  if (asked === 'fail') return own.complete(job, 'failed');
  if (asked === 'cancel') return own.post(`/api/jobs/${job}/cancel`);
  if (asked === 'update') return own.patch(`/api/jobs/${job}/metadata`, { metadata: { [`at ${place}`]: true } });
  return asked === 'stream' ? own.stream(job) : own.call(job);
};

/** What was answered agrees with what the job came to. */
async function expectOneStory(
  team: GivenTeam,
  jobId: string,
  asked: readonly Asked[],
  answers: Answer[],
): Promise<void> {
  const job = expectOk(await as(gateway, team).get(`/api/jobs/${jobId}`));
  const { costs } = expectOk(await as(gateway, team).get(`/api/jobs/${jobId}/costs`));
  const endOf: Partial<Record<Asked, string>> = { complete: 'completed', fail: 'failed', cancel: 'cancelled' };
  let made = 0;
  for (const [place, { status, body }] of answers.entries()) {
    const what = asked[place]!;
    if (status === 409) expect(mayBeTold(job.status)).toContain(body.detail);
    else if (what === 'call' || what === 'stream') made += 1;
    else if (what === 'update') expect(job.metadata).toMatchObject({ [`at ${place}`]: true });
    else expect([status, body.status, job.status]).toEqual([200, endOf[what], endOf[what]]);
  }
  expect(isFinished(job.status)).toBe(true);
  expect(costs.total_calls).toBe(made);
  expect(job.credit_applied).toBe(job.status === 'completed' && costs.failed_calls === 0);
  expect(job.started_at !== null).toBe(made > 0);
  await expectToReplay(gateway.current.deps.temporal.client.workflow.getHandle(workflowId.job(jobId)));
}

/** What a completion that waited for its calls was going to make of the job, before it was cancelled, was told too. */
const mayBeTold = (status: string): string[] =>
  (status === 'cancelled' ? ['cancelled', 'completed', 'failed'] : [status]).map((end) => `Job is already ${end}`);

const rounds = 12;

test.each<[string, Asked[]]>([
  ['good', ['complete', 'call', 'call']],
  ['failing', ['complete', 'call', 'complete']],
  ['good', ['complete', 'update', 'update']],
  ['failing', ['complete', 'cancel', 'call', 'complete']],
  ['good', ['complete', 'stream', 'cancel', 'stream', 'call']],
  ['good', ['complete', 'fail', 'call', 'update', 'cancel', 'call', 'complete', 'update']],
])('at a job that has just begun, with a %s model: %j', async (model, asked) => {
  const team = await given.team({ credits: rounds, models: [model === 'good' ? 'sim-ok' : 'sim-fail-400'] });
  for (let round = 0; round < rounds; round += 1) {
    const job = await given.job(team);
    const answers = await Promise.all(asked.map((what, place) => sendCommand(team, job, what, place)));
    await expectOneStory(team, job, asked, answers);
  }
  expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
});

test.each<Asked[]>([
  ['complete'],
  ['cancel'],
  ['cancel', 'complete', 'call'],
  ['update', 'complete', 'cancel'],
  ['stream', 'update', 'cancel', 'complete'],
])('at a job whose call was just answered: %s', async (...asked) => {
  const team = await given.team({ credits: rounds });
  for (let round = 0; round < rounds; round += 1) {
    const job = await given.job(team);
    const first = await sendCommand(team, job, 'call', 0);
    const answers = await Promise.all(asked.map((what, place) => sendCommand(team, job, what, place + 1)));
    await expectOneStory(team, job, ['call', ...asked], [first, ...answers]);
  }
  expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
});
