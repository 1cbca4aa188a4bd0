import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn } from '../support/given.ts';
import { passedByAll } from './support/passed-by-all.ts';

const gateway = gatewayForTests({
  settings: { SPECULATIVE_START: 'off' },
});
const given = givenIn(gateway);

const page = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8');
const filesIn = (text: string): string[] =>
  [...text.matchAll(/`((?:src|workflows|activities)\/[\w/-]+\.ts)`/g)].map(([, path]) => path!);
const between = (begin: string, end: string): string => page.slice(page.indexOf(begin), page.indexOf(end));

/** The files in the order in which a call passes them; some twice. */
const path = filesIn(between('<!-- the path of a call -->', '<!-- the end of the path -->'));
/** The files that every request, statement, command or message passes. */
const shared = [
  ...filesIn(between('<!-- the steps of a request -->', '<!-- the end of the steps -->')),
  ...passedByAll,
];

/** Pure functions are not steps. */
const isPure = (file: string) => /^src\/(domain|contracts|concurrency)\//.test(file);

const folderOf = (file: string): string => /^(?:src\/)?[^/]+/.exec(file)![0];

test('the path of a call in docs/architecture.md, and its number of files, are those that the coverage of V8 reports', async () => {
  const team = await given.team({ credits: 5 });
  const job = await given.job(team);
  const call = async () => expectOk(await as(gateway, team).call(job));
  await call();

  const coverage = await startCoverage();
  const idle = await coverage.filesOf(() => pause(3_000));
  // What only some of the calls execute is periodic work that happens beside them.
  const [executed, ...others] = [
    await coverage.filesOf(call),
    await coverage.filesOf(call),
    await coverage.filesOf(call),
  ];
  const run = [...executed.keys()].filter((file) =>
    [executed, ...others].every((each) => each.get(file)! > (idle.get(file) ?? 0)),
  );
  const steps = run.filter((file) => !isPure(file));
  await coverage.stop();

  // Workflow code runs in a sandbox, which the coverage of this process does not include.
  const isVisible = (file: string) => !file.startsWith('workflows/');
  const visible = [...path, ...shared].filter(isVisible);
  const all = run.length + path.filter((file) => !isVisible(file)).length;
  expect(steps.filter((file) => !visible.includes(file)).sort()).toEqual([]);
  expect(visible.filter((file) => !executed.has(file)).sort()).toEqual([]);
  // Two or three files run in some calls only.
  const stated = Number(/A call passes (\d+) files/.exec(page)?.[1]);
  expect(stated).toBeGreaterThanOrEqual(all - 3);
  expect(stated).toBeLessThanOrEqual(all + 3);
});

test('the path of a call is at most 30 files in 9 folders, and control passes at most 12 borders between folders', () => {
  const files = new Set(path);
  const folders = new Set(path.map(folderOf));
  // A statement and a command of Redis return to the step that executes them.
  const inControl = path.map(folderOf).filter((folder) => !['src/db', 'src/redis'].includes(folder));
  const borders = inControl.filter((folder, n) => n > 0 && folder !== inControl[n - 1]);

  expect(page).toContain(`${files.size} of them hold a step`);
  expect(files.size).toBeGreaterThan(10);
  expect(files.size).toBeLessThanOrEqual(30);
  expect(folders.size).toBeLessThanOrEqual(9);
  expect(borders.length).toBeLessThanOrEqual(12);
});

async function startCoverage() {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const take = async () => (await session.post('Profiler.takePreciseCoverage')).result;
  return {
    /** The number of calls of functions of each file during `work`, without the code that runs when its module is loaded. */
    async filesOf(work: () => Promise<unknown>): Promise<Map<string, number>> {
      await take();
      await work();
      const files = new Map<string, number>();
      for (const { url, functions } of await take()) {
        const file = /\/((?:src|activities)\/[\w/-]+\.ts)$/.exec(url)?.[1];
        const calls = functions.reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0);
        if (file && calls > 0) files.set(file, calls);
      }
      return files;
    },
    async stop() {
      await session.post('Profiler.stopPreciseCoverage');
      session.disconnect();
    },
  };
}
