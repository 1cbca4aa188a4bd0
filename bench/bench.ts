import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { measureCluster } from './cluster/measure-cluster.ts';
import type { ConsolePlan } from './console/console-plan.ts';
import { measureConsole } from './console/measure-console.ts';
import type { Books } from './measure/check-books.ts';
import { measureAll } from './measure/measure-all.ts';
import { readPlan } from './plan.ts';
import { writeConsoleFigures } from './report/console-figures.ts';
import { toFigures } from './report/figures.ts';
import { writeTable } from './report/table.ts';
import { setStage } from './stage/stage.ts';

/** `npm run bench` measures all subjects on one machine in one run. The ratios within a run are the result. */
const plan = readPlan(process.argv.slice(2));
const print = (line: string) => process.stdout.write(`${line}\n`);
const at = new Date().toISOString();
const machine = { cpu: cpus()[0]?.model ?? '', cores: cpus().length, loadBefore: loadavg()[0]! };

function store<Part extends object>(folder: string, part: Part) {
  const result = { at, machine: { ...machine, loadAfter: loadavg()[0]! }, ...part };
  const file = `${folder}/${at.slice(0, 10)}${plan.name === 'full' ? '' : `-${plan.name}`}.json`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `${JSON.stringify(result)}\n`);
  return { result, file };
}

if (plan.console) await benchConsole(plan.console);
else if (plan.clusterWorkers) print(await measureCluster(plan.clusterWorkers, plan.seconds, print));
else await benchCalls();

async function benchConsole(consolePlan: ConsolePlan): Promise<void> {
  const measured = await measureConsole(consolePlan, print);
  const { result, file } = store('bench/results/console', {
    plan: { ...consolePlan, databaseUrl: undefined },
    ...measured,
  });
  print(`\n${writeConsoleFigures(result)}\n\nAll of it is in ${file}.`);
}

async function benchCalls(): Promise<void> {
  const stage = await setStage(plan);
  try {
    const measured = await measureAll(stage, plan, print);
    const { result, file } = store('bench/results', { plan, ...measured });
    print(`\n${writeTable(toFigures(result))}\n\nAll of it is in ${file}.`);
    if (!isRight(result.books)) throw new Error(`the books are wrong: ${JSON.stringify(result.books)}`);
  } finally {
    await stage.end();
  }
}

function isRight({ successes, deductions, offences }: Books): boolean {
  return successes === deductions && offences.length === 0;
}
