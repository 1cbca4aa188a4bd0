import { sleep } from '@temporalio/workflow';

/** `job`, as a release after this one could execute it: other commands, and a version that this one does not know. */
export async function job(): Promise<string> {
  await sleep(1);
  return 'executed by a newer worker';
}
