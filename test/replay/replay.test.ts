import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from '@temporalio/worker';
import { services } from '../support/services.ts';

/**
 * Histories of running and finished workflows of every version that was released. A change that cannot replay one
 * would stop the jobs that run when it is deployed. Recorded by `npm run record-histories`; only ever added to.
 */
const folder = fileURLToPath(new URL('./histories', import.meta.url));
const files = readdirSync(folder).sort();

test('no history was lost, and each new one is in recorded.txt', () => {
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
