import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canMakeCalls } from '../../tools/dev/can-make-calls.ts';
import { startSimulator } from '../../tools/simulator/simulator.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../support/given.ts';
import { checkLedger } from '../support/ledger.ts';
import { settingsOnServices } from '../support/process-settings.ts';
import { runProgram } from '../support/run-program.ts';
import type { Json } from '../support/send-request.ts';
import { until } from '../support/until.ts';
import {
  archiveWal,
  backUpBase,
  restoreServers,
  type Servers,
  snapshotTemporal,
  startArchivingServers,
} from './support/recoverable.ts';
import { SupervisedProcess } from './support/supervised-process.ts';

/**
 * PostgreSQL is restored from a base back-up and WAL to a moment, Temporal from a snapshot of its disk, each to the same moment as the
 * other, to an earlier one or not at all. The real programs run before and after.
 */
const folder = mkdtempSync(join(tmpdir(), 'job-gateway-orders-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Environment = Record<string, string>;

async function startGateway(environment: Environment, servers: Servers) {
  const settings = { ...environment, DATABASE_URL: servers.databaseUrl, TEMPORAL_ADDRESS: servers.temporalAddress };
  const open = (kind: 'api' | 'worker') =>
    SupervisedProcess.open(kind, join(folder, `${kind}-${randomBytes(4).toString('hex')}.log`), settings);
  const [api, worker] = [await open('api'), await open('worker')];
  await Promise.all([api.start(), worker.start()]);
  await until(() => canMakeCalls(api.listening).catch(() => false), Boolean, 60_000);
  return {
    current: { url: api.listening, masterKey: environment.MASTER_KEY! },
    close: () => Promise.all([api.close(), worker.close()]),
  };
}

/** `npm run reconcile`, with what it has printed. */
async function reconcile(environment: Environment, servers: Servers, ...args: string[]) {
  const settings = { ...environment, DATABASE_URL: servers.databaseUrl, TEMPORAL_ADDRESS: servers.temporalAddress };
  const { stdout, code } = await runProgram('src/reconcile.ts', settings, ...args).then(
    (output) => ({ stdout: output, code: 0 }),
    (error: { stdout: string; code: number }) => error,
  );
  const lines: Json[] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { code, found: lines.slice(0, -1), counts: lines.at(-1)! };
}

const charged = async ({ pool }: Servers): Promise<string[]> =>
  (await pool.query('select job_id from jobs where credit_applied order by job_id')).rows.map(({ job_id }) => job_id);

interface Story {
  team: GivenTeam;
  /** Between the two moments it is completed. */
  completed: string;
  /** It was created after the first moment, and is open at the second. */
  open: string;
  /** Ended and charged between the moments. */
  unrecorded: string[];
  /** All whose client has received that it was charged. */
  acknowledged: string[];
}

interface Moments {
  early: { at: Date; snapshot: string };
  late: { at: Date; snapshot: string };
}

async function moment(servers: Servers): Promise<{ at: Date; snapshot: string }> {
  const { rows } = await servers.pool.query('select clock_timestamp() as now');
  return { at: rows[0].now, snapshot: snapshotTemporal(servers) };
}

/** What happens before the loss of the servers. */
async function live(environment: Environment, servers: Servers): Promise<{ story: Story; moments: Moments }> {
  const gateway = await startGateway(environment, servers);
  const given = givenIn(gateway);
  const team = await given.team({ credits: 100 });
  const { call, complete, single } = as(gateway, team);
  const completedJob = async () => {
    const job = await given.job(team);
    expectOk(await call(job));
    expectOk(await complete(job));
    return job;
  };
  await backUpBase(servers);
  const before = await completedJob();
  const completed = await given.job(team);
  expectOk(await call(completed));

  const early = await moment(servers);
  expectOk(await complete(completed));
  const open = await given.job(team);
  expectOk(await call(open));
  const unrecorded = [await completedJob(), expectOk(await single()).job_id as string];
  const isCharged = async () => (await charged(servers)).length === 4;
  await until(isCharged);
  const late = await moment(servers);

  await archiveWal(servers);
  await gateway.close();
  const acknowledged = [before, completed, ...unrecorded].sort();
  return { story: { team, completed, open, unrecorded, acknowledged }, moments: { early, late } };
}

type Moment = keyof Moments;
const orders: [order: string, postgres: Moment, temporal: Moment | undefined, expected: (story: Story) => object[]][] =
  [
    ['both to the same moment', 'late', 'late', () => []],
    [
      'PostgreSQL to a later moment than Temporal',
      'late',
      'early',
      ({ completed }) => [{ workflow: `job-${completed}`, disagreement: 'recorded_as_ended', resolution: 'terminate' }],
    ],
    ['PostgreSQL, while Temporal is lost', 'late', undefined, () => []],
    [
      'PostgreSQL to an earlier moment than Temporal',
      'early',
      'late',
      ({ completed, open, unrecorded }) => [
        { workflow: `job-${open}`, disagreement: 'unrecorded', resolution: 'terminate' },
        { workflow: `job-${completed}`, disagreement: 'recorded_as_open', resolution: 'end', credits_charged: 1 },
        ...unrecorded.map((job) => ({
          workflow: `job-${job}`,
          disagreement: 'lost',
          resolution: 'none',
          credits_charged: 1,
        })),
      ],
    ],
  ];

test.each(orders)(
  'after a restore of %s the ledger is right, every job ends, and a charge that was acknowledged is lost only if it is listed (spec 15.14)',
  async (_, postgres, temporal, expected) => {
    const simulator = await startSimulator({ masterKey: 'sk-upstream-of-the-rehearsal' });
    const environment: Environment = {
      ...settingsOnServices('recovery'),
      PORT: '0',
      TEMPORAL_NAMESPACE: 'default',
      UPSTREAM_BASE_URL: simulator.url,
      UPSTREAM_MASTER_KEY: 'sk-upstream-of-the-rehearsal',
    };
    await using closing = new AsyncDisposableStack();
    closing.defer(() => simulator.close());
    const servers = await startArchivingServers();
    closing.defer(() => servers.close());
    await runProgram('src/db/migrate.ts', { DATABASE_URL: servers.databaseUrl });
    const { story, moments } = await live(environment, servers);
    for (const { snapshot } of Object.values(moments)) closing.defer(() => rmSync(snapshot, { recursive: true }));
    for (const name of ['postgres', 'temporal'] as const) process.kill(servers.pidOf(name), 'SIGKILL');

    const restored = await restoreServers(servers, moments[postgres].at, temporal && moments[temporal].snapshot);
    closing.defer(() => restored.close());
    const wanted = expected(story);
    // Younger ones are left out.
    const { code, found } = await until(
      () => reconcile(environment, restored),
      (run) => run.found.length >= wanted.length,
      120_000,
    );
    const applied = await reconcile(environment, restored, '--apply');

    expect(code).toBe(wanted.length > 0 ? 1 : 0);
    expect(found).toHaveLength(wanted.length);
    expect(found).toEqual(expect.arrayContaining(wanted.map((line) => expect.objectContaining(line))));
    expect(applied).toMatchObject({ code: 0, counts: { failed: 0 } });

    const gateway = await startGateway(environment, restored);
    closing.defer(async () => void (await gateway.close()));
    const openJobs = async (): Promise<string[]> =>
      (await restored.pool.query("select job_id from jobs where status in ('pending', 'in_progress')")).rows.map(
        ({ job_id }) => job_id,
      );
    const isOpenAsTold = postgres === 'late';
    // What the command did not end is what the client has open.
    await until(
      async () => (await openJobs()).length,
      (count) => count === (isOpenAsTold ? 1 : 0),
      60_000,
    );
    if (isOpenAsTold) {
      await until(
        async () => (await as(gateway, story.team).call(story.open)).status,
        (status) => status === 200,
        60_000,
      );
      expectOk(await as(gateway, story.team).complete(story.open));
    }

    expect(await openJobs()).toEqual([]);
    expect(await checkLedger(restored)).toEqual([]);
    const recorded = await charged(restored);
    const lost = story.acknowledged.filter((job) => !recorded.includes(job));
    const listed = applied.found.filter(({ disagreement }) => disagreement === 'lost').map(({ workflow }) => workflow);
    expect(lost.map((job) => `job-${job}`).sort()).toEqual(listed.sort());
    const { credits_used } = await as(gateway, story.team).credits();
    expect(credits_used).toBe(recorded.length);
  },
  420_000,
);
