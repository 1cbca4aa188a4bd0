import { workflowId } from '../../src/domain/ids.ts';
import { isFinished } from '../../src/domain/job-state.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../support/given.ts';
import { checkLedger } from '../support/ledger.ts';
import type { Answer } from '../support/send-request.ts';
import '../support/quiet-temporal.ts';
import { expectToReplay } from '../support/replays.ts';
import { sized } from '../support/sizes.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

type Command = 'complete' | 'fail' | 'cancel' | 'call' | 'stream' | 'update';

const sendCommand = (team: GivenTeam, job: string, command: Command, position: number): Promise<Answer> => {
  const own = as(gateway, team);
  if (command === 'complete') return own.complete(job);
  if (command === 'fail') return own.complete(job, 'failed');
  if (command === 'cancel') return own.post(`/api/jobs/${job}/cancel`);
  if (command === 'update') return own.patch(`/api/jobs/${job}/metadata`, { metadata: { [`at ${position}`]: true } });
  return command === 'stream' ? own.stream(job) : own.call(job);
};

/** Expects the answers to agree with the end of the job, and its history to replay. */
async function expectConsistentEnd(
  team: GivenTeam,
  jobId: string,
  commands: readonly Command[],
  answers: Answer[],
): Promise<void> {
  const job = expectOk(await as(gateway, team).get(`/api/jobs/${jobId}`));
  const { costs } = expectOk(await as(gateway, team).get(`/api/jobs/${jobId}/costs`));
  const endOf: Partial<Record<Command, string>> = { complete: 'completed', fail: 'failed', cancel: 'cancelled' };
  let made = 0;
  for (const [position, answer] of answers.entries()) {
    const command = commands[position]!;
    const { status, body } = answer;
    const refusal = status === 409 ? body.detail : refusalInStream(answer);
    if (refusal !== undefined) expect(possibleConflicts(job.status)).toContain(refusal);
    else if (command === 'call' || command === 'stream') made += 1;
    else if (command === 'update') expect(job.metadata).toMatchObject({ [`at ${position}`]: true });
    else expect([status, body.status, job.status]).toEqual([200, endOf[command], endOf[command]]);
  }
  expect(isFinished(job.status)).toBe(true);
  expect(costs.total_calls).toBe(made);
  expect(job.credit_applied).toBe(job.status === 'completed' && costs.failed_calls === 0);
  expect(job.started_at !== null).toBe(made > 0);
  await expectToReplay(gateway.current.deps.temporal.client.workflow.getHandle(workflowId.job(jobId)));
}

/** On a busy machine the 200 of a stream may be sent before its job refuses the call: then an event tells it. */
function refusalInStream({ text }: Answer): string | undefined {
  const events = text.split('\n').filter((line) => line.startsWith('data: {'));
  const error = events.map((line) => JSON.parse(line.slice('data: '.length)).error).find(Boolean);
  return error?.code === 'job_finished' ? error.message : undefined;
}

/** A completion that waited for its calls before the job was cancelled has also refused commands, with its own end. */
const possibleConflicts = (status: string): string[] =>
  (status === 'cancelled' ? ['cancelled', 'completed', 'failed'] : [status]).map((end) => `Job is already ${end}`);

const rounds = sized({ short: 4, full: 24 });

test.each<[string, Command[]]>([
  ['good', ['complete', 'call', 'call']],
  ['failing', ['complete', 'call', 'complete']],
  ['good', ['complete', 'update', 'update']],
  ['failing', ['complete', 'cancel', 'call', 'complete']],
  ['good', ['complete', 'stream', 'cancel', 'stream', 'call']],
  ['good', ['complete', 'fail', 'call', 'update', 'cancel', 'call', 'complete', 'update']],
])(
  'a new job with a %s model that receives %j at once has one end that agrees with every answer (spec 3.12, spec 3.15)',
  async (model, commands) => {
    const team = await given.team({ credits: rounds, models: [model === 'good' ? 'sim-ok' : 'sim-fail-400'] });
    for (let round = 0; round < rounds; round += 1) {
      const job = await given.job(team);
      const answers = await Promise.all(commands.map((command, position) => sendCommand(team, job, command, position)));
      await expectConsistentEnd(team, job, commands, answers);
    }
    expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
  },
);

test.each<Command[]>([
  ['complete'],
  ['cancel'],
  ['cancel', 'complete', 'call'],
  ['update', 'complete', 'cancel'],
  ['stream', 'update', 'cancel', 'complete'],
])(
  'a job whose call was just answered and that receives %s at once has one end that agrees with every answer (spec 3.15)',
  async (...commands) => {
    const team = await given.team({ credits: rounds });
    for (let round = 0; round < rounds; round += 1) {
      const job = await given.job(team);
      const first = await sendCommand(team, job, 'call', 0);
      const answers = await Promise.all(
        commands.map((command, position) => sendCommand(team, job, command, position + 1)),
      );
      await expectConsistentEnd(team, job, ['call', ...commands], [first, ...answers]);
    }
    expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
  },
);
