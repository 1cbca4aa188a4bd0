import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type ConsolePlan, newConsolePlan } from './console/console-plan.ts';

/** How much is measured. */
export interface Plan {
  name: 'quick' | 'full';
  rounds: number;
  /** For each subject, at each rate or concurrency, in each round. */
  seconds: number;
  relayStreams: number;
  relayTokens: number;
  waterfallCalls: number;
  settlements: number;
  /** Numbers of calls after which memory is measured; undefined: not measured. */
  memoryCalls: [number, number] | undefined;
  /** Numbers of jobs over which lists are read; undefined: not measured. */
  listedJobs: [number, number] | undefined;
  /** The folder for CPU profiles of the gateway and the floor; undefined: no profiles. They make the processes slower. */
  profiles: string | undefined;
  /** Measure the console, and nothing else. */
  console: ConsolePlan | undefined;
  /** Measure calls with so many workers on a Temporal cluster, and nothing else. */
  clusterWorkers: number[] | undefined;
}

const quick: Plan = {
  name: 'quick',
  rounds: 1,
  seconds: 5,
  relayStreams: 200,
  relayTokens: 200,
  waterfallCalls: 40,
  settlements: 1_000,
  memoryCalls: undefined,
  listedJobs: undefined,
  profiles: undefined,
  console: undefined,
  clusterWorkers: undefined,
};

const full: Plan = {
  name: 'full',
  rounds: 4,
  seconds: 10,
  relayStreams: 200,
  relayTokens: 240,
  waterfallCalls: 100,
  settlements: 4_000,
  memoryCalls: [2_000, 20_000],
  listedJobs: [10_000, 1_000_000],
  profiles: undefined,
  console: undefined,
  clusterWorkers: undefined,
};

/**
 * The command's arguments: `--quick`; `--rounds 2`, `--seconds 3` to try things out; `--profiles <folder>`; `--console`, and with it
 * `--database <url>` of a PostgreSQL that is filled once and used again, whose log is the file `--database-log`; `--cluster`.
 */
export function readPlan(args: readonly string[]): Plan {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      profiles: { type: 'string' },
      console: { type: 'boolean' },
      cluster: { type: 'boolean' },
      database: { type: 'string' },
      'database-log': { type: 'string' },
    },
  });
  const plan = values.quick ? quick : full;
  return {
    ...plan,
    rounds: Number(values.rounds ?? plan.rounds),
    seconds: Number(values.seconds ?? plan.seconds),
    profiles: values.profiles && resolve(values.profiles),
    console: values.console
      ? newConsolePlan(values.quick === true, {
          databaseUrl: values.database,
          databaseLog: values['database-log'],
        })
      : undefined,
    clusterWorkers: values.cluster ? [1, 2, 4] : undefined,
  };
}
