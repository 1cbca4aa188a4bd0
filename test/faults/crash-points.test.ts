import { as, expectOk, type GivenTeam, givenIn } from '../support/given.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { isFull, minutes, sized } from '../support/sizes.ts';
import { until } from '../support/until.ts';
import { type Receiver, startReceiver } from '../webhook-delivery/receiver.ts';
import { type CrashPoint, crashPoints, killAtPoint } from './support/crash-points.ts';
import { figures } from './support/figures.ts';
import { type Installation, openInstallation } from './support/installation.ts';
import { RetryingClient } from './support/retrying-client.ts';
import { repeat, somePrompt } from './support/workload.ts';

const timesEach = sized({ short: 1, full: 25 });
/** The short form tests a choice of points that depends on the seed. */
const points = isFull ? crashPoints : seededRandom(jest.getSeed(), 'points').some(crashPoints, 4);
const storiesAtOnce = 3;
/** The number of gateways side by side: most of a round is spent waiting for a missed heartbeat. */
const lanes = sized({ short: 1, full: 4 });

const events = ['job.created', 'job.started', 'job.completed', 'job.failed', 'job.cancelled', 'credits.threshold'];
/** Early balances, so that they are fallen to whatever the number of crashes is. */
const thresholds = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((charged) => 100_000 - charged);
const credits = { credits: 100_000, credit_thresholds: thresholds, low_balance_policy: 'reserve' };

test(
  `a process that is killed at any of ${points.length} points leaves consistent records and delivers every event`,
  async () => {
    const rounds = Array.from({ length: timesEach }, () => points).flat();
    const crashes = rounds.length;

    const found = await Promise.all(Array.from({ length: lanes }, (_, lane) => crashInTurn(lane, () => rounds.pop())));

    expect(found.flatMap(({ findings }) => findings)).toEqual([]);
    expect(found.reduce((sum, { kills }) => sum + kills, 0)).toBe(crashes);
    figures('crash points', {
      'points, times each, crashes': `${points.length}, ${timesEach}, ${crashes}`,
      'jobs, deliveries': `${total(found, 'jobs')}, ${total(found, 'deliveries')}`,
      'deliveries sent more than once (same webhook-id)': total(found, 'sentAgain'),
      findings: 0,
    });
  },
  minutes(4, 90),
);

type Found = Record<'kills' | 'jobs' | 'deliveries' | 'sentAgain', number> & { findings: string[] };

const total = (all: Found[], what: 'jobs' | 'deliveries' | 'sentAgain') => all.reduce((sum, one) => sum + one[what], 0);

/** One gateway, whose processes are killed at one point after another until no point remains. */
async function crashInTurn(lane: number, nextPoint: () => CrashPoint | undefined): Promise<Found> {
  const installation = await openInstallation({ settings: { WEBHOOK_RETRY_DELAYS: Array(8).fill('100ms').join() } });
  const receiver = await startReceiver();
  try {
    const given = givenIn({ current: installation });
    const team = await given.team({ ...credits, models: ['sim-echo-every-5'] });
    const webhook = { team_id: team.teamId, webhook_url: receiver.url, events };
    expectOk(await as({ current: installation }, team).post('/api/webhooks/register', webhook));
    const random = seededRandom(jest.getSeed(), `crash points, lane ${lane}`);
    installation.checker.watch();
    for (let point = nextPoint(); point; point = nextPoint()) await crashAt(point, installation, team, random);
    return await conclude(installation, receiver);
  } finally {
    await receiver.close();
    await installation.close();
  }
}

async function crashAt(point: CrashPoint, installation: Installation, team: GivenTeam, random: Random): Promise<void> {
  const [victim] = installation[point.dies === 'api' ? 'apis' : 'workers'];
  const kill = killAtPoint(victim!, point, random.between(1, storiesAtOnce));
  const client = new RetryingClient(installation, team);
  await repeat(storiesAtOnce, storiesAtOnce, () => runStory(client));
  await kill.reached().catch(() => installation.checker.report(`no process reached the point ${point.name}`));
  await installation.ready();
}

/** Each request of a team once, repeated until it is answered. */
async function runStory(client: RetryingClient): Promise<void> {
  const jobId = await client.createJob();
  await Promise.all([client.call(jobId, somePrompt()), client.stream(jobId, somePrompt())]);
  await client.complete(jobId);
  await Promise.all([client.createAndCall(somePrompt()), client.createAndStream(somePrompt())]);
}

/** Waits until all jobs and deliveries have ended. Reports an event that did not arrive, or arrived under more than one id. */
async function conclude({ pool, checker, apis, workers }: Installation, receiver: Receiver): Promise<Found> {
  const open = async () => (await pool.query(`select from webhook_deliveries where status <> 'delivered'`)).rowCount;
  await until(open, (count) => count === 0, 90_000).catch(() => checker.report('a delivery was not made'));
  const findings = await checker.conclude();
  const { rows } = await pool.query<{ delivery_id: string }>('select delivery_id from webhook_deliveries');
  const sent = receiver.requests.map(({ headers }) => headers['webhook-id']);
  const ids = new Set(sent);
  for (const { delivery_id } of rows) if (!ids.has(delivery_id)) findings.push(`${delivery_id} never arrived`);
  if (ids.size > rows.length) findings.push('an event arrived that is not recorded');
  const { rowCount: jobs } = await pool.query('select from jobs');
  const kills = [...apis, ...workers].reduce((sum, one) => sum + one.kills, 0);
  return { findings, kills, jobs: jobs ?? 0, deliveries: rows.length, sentAgain: sent.length - ids.size };
}
