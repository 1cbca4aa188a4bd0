import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from '@temporalio/worker';
import '../support/quiet-temporal.ts';
import { services } from '../support/services.ts';

/**
 * Histories of running and ended workflows, in one folder for each released version. A change that cannot replay one of them would
 * stop the jobs that run when it is deployed. Recorded by `npm run record-histories`: `docs/decisions/0007`.
 */
const folder = fileURLToPath(new URL('./histories', import.meta.url));
const files = globSync('*/*.json', { cwd: folder }).sort();

test('recorded.txt names exactly the recorded histories', () => {
  const recorded = readFileSync(new URL('./recorded.txt', import.meta.url), 'utf8');

  expect(files).toEqual(recorded.trim().split('\n').sort());
});

test.each(files)('%s replays', async (file) => {
  const history = JSON.parse(readFileSync(`${folder}/${file}`, 'utf8'));
  const replays = Worker.runReplayHistories({ workflowBundle: { codePath: services.workflowBundlePath } }, [
    { workflowId: file, history },
  ]);
  const replayed: { workflowId: string; error: unknown }[] = [];

  for await (const { workflowId, error } of replays) replayed.push({ workflowId, error });

  expect(replayed).toEqual([{ workflowId: file, error: undefined }]);
});
