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
import type { Program } from './program.ts';

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

interface Measured {
  quiet: Others;
  beside: Others;
  /** `memory`: how many mebibytes more the process had at most. */
  programs: { name: string; memory: number; isRunning: boolean }[];
  seconds: number;
  storedBytes: number;
  /** What the attacker got, by status; 0: no answer. */
  answers: Record<string, number>;
  own: Bound[];
}

/** What others notice of an attack, and what it takes: everything that is above its bound, as text. */
export async function measureEffects(attack: Attack): Promise<string[]> {
  const measured = await measure(attack);
  report(attack.title, measured);
  const { beside, programs } = measured;
  return [
    ...boundsOf(measured)
      .filter(({ is, below }) => !(is < below))
      .map(({ what, is, below }) => `${what}: ${is.toFixed(1)}, not below ${below}`),
    ...Object.entries(beside.failures).map(([failure, count]) => `${count} times ${failure}`),
    ...programs.filter(({ isRunning }) => !isRunning).map(({ name }) => `the ${name} has ended`),
  ];
}

/** Measures a new installation while it is quiet, and then during the attack. */
async function measure(attack: Attack): Promise<Measured> {
  await using closing = new AsyncDisposableStack();
  const upstream = await startUpstream();
  closing.defer(upstream.close);
  const settings = { ...asAnOperatorGetsThem, ...upstream.settings, ...attack.settings };
  const installation = await openInstallation({ settings });
  closing.defer(() => installation.close());
  const { url, api, worker, pool } = installation;
  const other = await givenIn({ current: installation }).team(measuringTeam);
  const attacker = await openAttacker(installation, attack.team);
  closing.defer(async () => void (await attacker.end()));
  const begin = await attack.prepare(attacker);
  const times = (turns: number, seconds: number) => measureOthers({ url, ...other, turns, seconds, maxSeconds: 45 });
  await times(8, 1);
  const quiet = await times(30, 4);

  const memory = Object.entries({ api, worker }).flatMap(([name, program]) =>
    program ? [watchMemory(name, program)] : [],
  );
  const bytesBefore = await databaseBytes(pool);
  const begunAt = performance.now();
  const beginning = begin();
  // An api that does not answer at once is part of what is measured.
  await Promise.race([beginning, pause(10_000)]);
  await pause(attack.underWayMs ?? 1_000);
  const beside = await times(30, 8);
  await beginning;
  return {
    quiet,
    beside,
    programs: memory.map(({ end }) => end()),
    seconds: (performance.now() - begunAt) / 1_000,
    storedBytes: (await databaseBytes(pool)) - bytesBefore,
    own: (await attack.bounds?.(attacker)) ?? [],
    answers: await attacker.end(),
  };
}

function watchMemory(name: string, program: Program) {
  const before = program.memory();
  const highest = watchHighest(() => (program.isRunning() ? program.memory() : 0));
  return { end: () => ({ name, memory: highest.end() - before, isRunning: program.isRunning() }) };
}

const kinds = ['calls', 'completes', 'lists'] as const;

const medians = ({ quiet, beside }: Measured) =>
  kinds.map((kind) => {
    const [before, during] = [percentile(quiet[kind], 0.5), percentile(beside[kind], 0.5)];
    // Without one answer the other teams got nothing at all.
    return { kind, before, during, ratio: beside[kind].length > 0 ? during / before : Number.POSITIVE_INFINITY };
  });

const boundsOf = (measured: Measured): Bound[] => [
  ...medians(measured).map(({ kind, ratio }) => ({
    what: `p50 of ${kind}, in times of the quiet one`,
    is: ratio,
    below: mostTimes,
  })),
  { what: 'longest /health in ms', is: Math.max(...measured.beside.health), below: mostHealthMs },
  ...measured.programs.map(({ name, memory }) => ({
    what: `memory of the ${name} in MB`,
    is: memory,
    below: mostMemory,
  })),
  ...measured.own,
];

function report(title: string, measured: Measured): void {
  const { quiet, beside, programs, seconds, storedBytes, answers, own } = measured;
  const [before, during] = [quiet, beside].map(({ health }) => Math.round(Math.max(...health)));
  figures('one holder', {
    [`beside ${title}`]: [
      ...medians(measured).map(
        (one) => `${one.kind} ${Math.round(one.before)} → ${Math.round(one.during)} ms, ${one.ratio.toFixed(1)} times`,
      ),
      `/health at most ${before} → ${during} ms`,
      ...programs.map(({ name, memory }) => `${name} +${Math.round(memory)} MB`),
      `database +${(storedBytes / 1_048_576).toFixed(1)} MB in ${Math.round(seconds)} s`,
      ...own.map(({ what, is }) => `${what} ${Math.round(is)}`),
      `attacker ${JSON.stringify(answers)}`,
      `failures ${JSON.stringify(beside.failures)}`,
    ].join('; '),
  });
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
