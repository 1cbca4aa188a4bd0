import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from '@temporalio/worker';
import { services } from '../support/services.ts';

/**
 * Histories of running and finished workflows of every version that was released. A change that cannot replay one
 * would stop the jobs that run when it is deployed. Recorded by `npm run record-histories`; only ever added to.
 */
const folder = fileURLToPath(new URL('./histories', import.meta.url));
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));

test('there are histories to replay', () => {
  expect(files.length).toBeGreaterThanOrEqual(8);
});

test.each(files)('%s replays', async (file) => {
  const history = JSON.parse(readFileSync(`${folder}/${file}`, 'utf8'));
  const replays = Worker.runReplayHistories({ workflowBundle: { codePath: services.workflowBundlePath } }, [
    { workflowId: file, history },
  ]);
  for await (const { error } of replays) expect(error).toBeUndefined();
});
