import { condition } from '@temporalio/workflow';

/**
 * Resolves when everything delivered with the current workflow task has taken effect. Signals are handled before activities
 * that ended at the same time: code that has to know both waits for this.
 */
export async function afterCurrentActivation(): Promise<void> {
  await Promise.resolve();
  let isFirstLook = true;
  // A condition is checked when it is created, and again when nothing else is left to do.
  await condition(() => {
    const isLater = !isFirstLook;
    isFirstLook = false;
    return isLater;
  });
}
