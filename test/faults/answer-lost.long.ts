import OpenAI from 'openai';
import { givenIn, hello, unique } from '../support/given.ts';
import { checkLedger } from '../support/ledger.ts';
import { minutes } from '../support/sizes.ts';
import { until } from '../support/until.ts';
import { killAtPoint } from './support/crash-points.ts';
import { installationForTests } from './support/installation.ts';
import type { SupervisedProcess } from './support/supervised-process.ts';

const installation = installationForTests({ apis: 2 });
const given = givenIn(installation);

/** Kills an api at a moment of the call of this model, and resolves then. */
type Kill = (victim: SupervisedProcess, model: string) => Promise<unknown>;

const kills: Record<string, Kill> = {
  async 'while the call runs'(victim, model) {
    await until(() => installation.current.simulator.requestsFor({ model }).length === 1);
    victim.kill();
  },
  'between the success of the call and its answer': (victim) =>
    killAtPoint(
      victim,
      { name: 'success', dies: 'api', dependency: 'redis', from: 'server', text: '"end"' },
      1,
    ).reached(),
};

/** A call through a client of OpenAI. The first request reaches the victim, the repetitions of the client another api. */
async function callThroughCrash(
  client: OpenAI,
  model: { group: string; name: string },
  kill: Kill,
  headers: Record<string, string>,
) {
  const { apiLink, apis } = installation.current;
  const [victim, other] = apis as [SupervisedProcess, SupervisedProcess];
  await installation.current.ready();
  apiLink.setTarget(victim.listening);
  apiLink.cut();
  const killed = kill(victim, model.name);
  const answering = client.chat.completions
    .create({ model: model.group, messages: hello as [{ role: 'user'; content: string }] }, { headers })
    .withResponse();
  await killed;
  apiLink.setTarget(other.listening);
  const { data, response } = await answering;
  victim.onBytes.redis = () => 'pass';
  return { content: data.choices[0]!.message.content, jobId: response.headers.get('x-job-id') };
}

const keys: Record<string, () => Record<string, string>> = {
  'without an Idempotency-Key': () => ({}),
  'with its Idempotency-Key': () => ({ 'Idempotency-Key': unique('key') }),
};
const situations = Object.entries(kills).flatMap(([when, kill]) =>
  Object.entries(keys).map(([how, headers]) => ({ when, kill, how, headers })),
);

test.each(situations)(
  'a repetition $how of a call whose api is killed $when receives its answer, and the call is charged once',
  async ({ kill, headers }) => {
    const { pool, simulator, url } = installation.current;
    const name = `sim-echo-slow-500-as-${unique('crash')}`;
    const team = await given.team({ models: [name] });
    const client = new OpenAI({ apiKey: team.key, baseURL: `${url}/v1`, maxRetries: 30 });

    const { content, jobId } = await callThroughCrash(client, { group: team.modelGroup, name }, kill, headers());

    expect(content).toBe(hello[0]!.content);
    const { rows } = await pool.query(
      'select job_id, status, credit_applied, total_calls from jobs where team_id = $1',
      [team.teamId],
    );
    expect(rows).toEqual([{ job_id: jobId, status: 'completed', credit_applied: true, total_calls: 1 }]);
    expect(simulator.requestsFor({ model: name })).toHaveLength(1);
    expect(await checkLedger({ pool })).toEqual([]);
  },
  minutes(2, 2),
);
