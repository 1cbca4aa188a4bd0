import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { figures, percentile } from '../../faults/support/figures.ts';
import { givenIn, type TeamOptions } from '../../support/given.ts';
import { type Attacker, openAttacker } from './attacker.ts';
import { openInstallation, type Settings } from './installation.ts';
import { measureOthers, type Others } from './others.ts';
import { watchHighest } from './probe.ts';

/** A figure that has to be below a bound. */
export interface Bound {
  what: string;
  is: number;
  below: number;
}

/** What one holder does to slow, fill or stop what all use. */
export interface Attack {
  /** A noun phrase, which completes "the other teams work as usual beside …". */
  title: string;
  /** What the attack needs of the installation. Never a limit: these are as an operator gets them. */
  settings?: Settings;
  /** What the operator gave to the team that attacks. */
  team?: TeamOptions;
  /** Makes what is there before: records, sessions, webhooks. Returns what begins the attack. */
  prepare(attacker: Attacker): Promise<() => Promise<unknown>>;
  /** Until the attack has its effect. */
  underWayMs?: number;
  /** What else has to be bounded, when the measurement has ended and before the attack does. */
  bounds?(attacker: Attacker): Promise<Bound[]>;
}

/** Of the issue: how many times longer the other teams may wait, and what a process may take. */
const mostTimes = 2.5;
const mostHealthMs = 200;
const mostMemory = 600;

/** The settings of `settingsOnServices` that are not those of an operator. An empty one counts as absent. */
const asAnOperatorGetsThem: Settings = {
  RATE_LIMIT_READS_PER_MINUTE: '',
  RATE_LIMIT_WRITES_PER_MINUTE: '',
  RATE_LIMIT_CALLS_PER_MINUTE: '',
  RATE_LIMIT_TOKENS_PER_MINUTE: '',
  DATABASE_POOL_SIZE: '',
  BCRYPT_COST: '',
};

/** The operator gave it enough for a measurement. */
const measuringTeam = { credits: 1_000_000, rpm_limit: 100_000, tpm_limit: 100_000_000 };

/**
 * Measures a quiet installation and then the same one during an attack. Returns what is above its bound: nothing, if the attack has no effect
 * on others.
 */
export async function effectsOf(attack: Attack): Promise<string[]> {
  await using closing = new AsyncDisposableStack();
  const upstream = await startUpstream();
  closing.defer(upstream.close);
  const settings = { ...asAnOperatorGetsThem, ...upstream.settings, ...attack.settings };
  const installation = await openInstallation({ settings });
  closing.defer(() => installation.close());
  const { url, api, worker, pool } = installation;
  const other = await givenIn({ current: installation }).team(measuringTeam);
  const attacker = await openAttacker(installation, attack.team);
  let statuses: Record<string, number> | undefined;
  const end = async () => {
    statuses ??= await attacker.end();
    return statuses;
  };
  closing.defer(async () => void (await end()));
  const begin = await attack.prepare(attacker);
  const measure = (turns: number, seconds: number) => measureOthers({ url, ...other, turns, seconds, maxSeconds: 45 });
  await measure(8, 1);
  const quiet = await measure(30, 4);

  const programs = [['api', api] as const, ...(worker ? [['worker', worker] as const] : [])];
  const before = programs.map(([, program]) => program.memory());
  const highest = programs.map(([, program]) => watchHighest(() => (program.isRunning() ? program.memory() : 0)));
  const bytesBefore = await databaseBytes(pool);
  const begunAt = performance.now();
  const beginning = begin();
  // A process that is stopped is part of what is measured.
  await Promise.race([beginning, pause(10_000)]);
  await pause(attack.underWayMs ?? 1_000);
  const beside = await measure(30, 8);
  await beginning;
  const seconds = (performance.now() - begunAt) / 1_000;
  const memory = highest.map((one, n) => one.end() - before[n]!);
  const stored = ((await databaseBytes(pool)) - bytesBefore) / 1_048_576;
  const own = (await attack.bounds?.(attacker)) ?? [];
  const answers = await end();

  const times = (['calls', 'completes', 'lists'] as const).map((kind) => compare(kind, quiet, beside));
  const health = Math.max(...beside.health);
  figures('one holder', {
    [`${attack.title}: p50 quiet → beside (times)`]: times
      .map(
        ({ kind, before, during, ratio }) =>
          `${kind} ${Math.round(before)} → ${Math.round(during)} (${ratio.toFixed(1)})`,
      )
      .join(', '),
    [`${attack.title}: others`]: [
      `/health at most ${Math.round(health)} ms (quiet ${Math.round(Math.max(...quiet.health))})`,
      ...programs.map(([name], n) => `${name} +${Math.round(memory[n]!)} MB`),
      `database +${stored.toFixed(1)} MB in ${Math.round(seconds)} s`,
      `attacker ${JSON.stringify(answers)}`,
      `failures ${JSON.stringify(beside.failures)}`,
      ...own.map(({ what, is }) => `${what} ${Math.round(is)}`),
    ].join('; '),
  });
  const bounds: Bound[] = [
    ...times.map(({ kind, ratio }) => ({
      what: `p50 of ${kind}, in times of the quiet one`,
      is: ratio,
      below: mostTimes,
    })),
    { what: 'longest /health in ms', is: health, below: mostHealthMs },
    ...programs.map(([name], n) => ({ what: `memory of the ${name} in MB`, is: memory[n]!, below: mostMemory })),
    ...own,
  ];
  return [
    ...bounds
      .filter(({ is, below }) => !(is < below))
      .map(({ what, is, below }) => `${what}: ${is.toFixed(1)}, not below ${below}`),
    ...Object.entries(beside.failures).map(([failure, count]) => `${count} times ${failure}`),
    ...programs.filter(([, program]) => !program.isRunning()).map(([name]) => `the ${name} has ended`),
  ];
}

function compare(kind: 'calls' | 'completes' | 'lists', quiet: Others, beside: Others) {
  const [before, during] = [percentile(quiet[kind], 0.5), percentile(beside[kind], 0.5)];
  return { kind, before, during, ratio: during / before };
}

async function databaseBytes(pool: { query(text: string): Promise<{ rows: { bytes: string }[] }> }): Promise<number> {
  const { rows } = await pool.query('select pg_database_size(current_database()) as bytes');
  return Number(rows[0]!.bytes);
}

/** The simulated upstream as a process of its own, because requests of 30 MB would stop the process of the test. */
async function startUpstream() {
  const key = `sk-upstream-${randomBytes(8).toString('hex')}`;
  const program = fileURLToPath(new URL('../../../tools/simulator/main.ts', import.meta.url));
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
    env: { PATH: process.env.PATH, SIMULATOR_MASTER_KEY: key },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed] = (await once(child.stdout, 'data')) as [Buffer];
  const { listening } = JSON.parse(String(printed)) as { listening: string };
  return {
    settings: { UPSTREAM_BASE_URL: listening, UPSTREAM_MASTER_KEY: key },
    close: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}
