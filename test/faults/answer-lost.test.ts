import OpenAI from 'openai';
import { type GivenTeam, givenIn, hello, unique } from '../support/given.ts';
import { checkLedger } from '../support/ledger.ts';
import { until } from '../support/until.ts';
import { type CrashPoint, killAtPoint } from './support/crash-points.ts';
import { installationForTests } from './support/installation.ts';
import { minutes } from './support/sizes.ts';

const installation = installationForTests({ apis: 2 });
const given = givenIn(installation);

/** The first is before the answer; at the second it has been recorded for the Idempotency-Key, or is being sent. */
const points: Record<string, CrashPoint> = {
  'after the request to the upstream': {
    name: 'begun',
    dies: 'api',
    dependency: 'redis',
    from: 'server',
    text: '"started"',
  },
  'between the success of the call and its answer': {
    name: 'succeeded',
    dies: 'api',
    dependency: 'redis',
    from: 'server',
    text: '"end"',
  },
};

interface Answered {
  content: string | null;
  jobId: string | null;
}

/** A call through a client of OpenAI, whose api is killed at this point. The repetitions of the client reach another api. */
async function callThroughCrash(
  team: GivenTeam,
  point: CrashPoint,
  headers: Record<string, string>,
): Promise<Answered> {
  const { apiLink, apis, url } = installation.current;
  const [victim, other] = apis;
  await installation.current.ready();
  apiLink.setTarget(victim!.listening);
  const { reached } = killAtPoint(victim!, point, 1);
  const client = new OpenAI({ apiKey: team.key, baseURL: `${url}/v1`, maxRetries: 30 });
  const answering = client.chat.completions
    .create({ model: team.modelGroup, messages: hello as [{ role: 'user'; content: string }] }, { headers })
    .withResponse();
  await reached();
  apiLink.setTarget(other!.listening);
  const { data, response } = await answering;
  victim!.onBytes.redis = () => 'pass';
  return { content: data.choices[0]!.message.content, jobId: response.headers.get('x-job-id') };
}

const kinds = Object.entries(points).flatMap(([when, point]) => [
  { when, point, how: 'without an Idempotency-Key', headers: () => ({}) },
  { when, point, how: 'with its Idempotency-Key', headers: () => ({ 'Idempotency-Key': unique('key') }) },
]);

test.each(kinds)(
  'the repetition $how of a call whose api is killed $when receives its answer, and the call is charged once',
  async ({ point, headers }) => {
    const { pool, simulator } = installation.current;
    const model = `sim-echo-slow-500-as-${unique('crash')}`;
    const team = await given.team({ models: [model] });

    const { content, jobId } = await callThroughCrash(team, point, headers());

    expect(content).toBe(hello[0]!.content);
    const { rows } = await pool.query(
      'select job_id, status, credit_applied, total_calls from jobs where team_id = $1',
      [team.teamId],
    );
    expect(rows).toEqual([{ job_id: jobId, status: 'completed', credit_applied: true, total_calls: 1 }]);
    expect(simulator.requestsFor({ model })).toHaveLength(1);
    expect(
      await until(
        () => checkLedger({ pool }),
        (findings) => findings.length === 0,
      ),
    ).toEqual([]);
  },
  minutes(2, 2),
);
