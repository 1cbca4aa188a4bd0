import { condition } from '@temporalio/workflow';

/**
 * Resolves when all that came with the present workflow task has had its effects. Signals are heard first, and before what
 * ended at the same time: whoever has to know both waits for this.
 */
export async function everythingHeard(): Promise<void> {
  await Promise.resolve();
  let isFirstLook = true;
  // A condition is looked at when it is made, and the next time when nothing else is left to do.
  await condition(() => {
    const isLater = !isFirstLook;
    isFirstLook = false;
    return isLater;
  });
}
