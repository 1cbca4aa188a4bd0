import { type Config, loadConfig } from './config.ts';
import { openDatabase } from './db/connection/database.ts';
import { CannotStart, Unavailable } from './errors.ts';
import type { Checkable, Checked } from './health/doctor/checked.ts';
import { checks } from './health/doctor/checks.ts';
import { createLog } from './log.ts';
import { openTemporal } from './temporal/connection/open-temporal.ts';

const nameWidth = 16;

const print = (level: 'ok' | 'warning' | 'problem', name: string, text: string): void =>
  console.log(`${level.padEnd('problem'.length)}  ${name.padEnd(nameWidth)}${text}`);

/** One line for each finding, or one that nothing is wrong. Returns whether the check has found no problem. */
function report(name: string, { fact, problems, warnings }: Checked): boolean {
  for (const text of problems) print('problem', name, text);
  for (const text of warnings) print('warning', name, text);
  if (problems.length + warnings.length === 0) print('ok', name, fact);
  return problems.length === 0;
}

const problemOf = async (error: unknown, { temporal }: Checkable): Promise<string> => {
  if (error instanceof CannotStart) return error.message;
  if (error instanceof Unavailable && error.message.startsWith('temporal'))
    return `${temporal.address} does not respond: ${await temporal.explainSilence()}`;
  return (error as Error).message;
};

async function checkAll(config: Config): Promise<boolean> {
  await using closing = new AsyncDisposableStack();
  const temporal = openTemporal(config, createLog('fatal', 'doctor'));
  closing.defer(() => temporal.close());
  const opened = () => openDatabase({ url: config.DATABASE_URL, poolSize: 2, stallTimeoutMs: 10_000 });
  let database: ReturnType<typeof opened> | undefined;
  closing.defer(async () => (await database?.catch(() => undefined))?.close());
  const of: Checkable = {
    config,
    temporal,
    openDatabase() {
      database ??= opened();
      return database;
    },
  };
  const silent = new Set<string>();
  let isSound = true;
  for (const [name, check] of Object.entries(checks)) {
    const checked = await check(of).catch(async (error: unknown) => problemOf(error, of));
    if (typeof checked !== 'string') isSound = report(name, checked) && isSound;
    // What one dependency prevents is said once.
    else if (!silent.has(checked)) {
      silent.add(checked);
      print('problem', name, checked);
      isSound = false;
    }
  }
  return isSound;
}

/**
 * `npm run doctor`, with the environment of an api: checks what an installation needs, and prints a line for each check, with the command or
 * the setting that helps. It changes nothing. `spec 15.15`
 */
async function doctor(): Promise<boolean> {
  let config: Config;
  try {
    config = loadConfig(process.env);
  } catch (error) {
    const [, ...problems] = (error as Error).message.split('\n');
    for (const text of problems) print('problem', 'settings', text.trim());
    return false;
  }
  return checkAll(config);
}

if (!(await doctor())) process.exitCode = 1;
process.exit();
