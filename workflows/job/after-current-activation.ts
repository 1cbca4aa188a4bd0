import { condition } from '@temporalio/workflow';

/**
 * Resolves when everything delivered with the current workflow task has taken effect. Signals are handled before activities
 * that ended at the same time: code that depends on both waits for this.
 */
export async function afterCurrentActivation(): Promise<void> {
  await Promise.resolve();
  let isFirstCheck = true;
  // The SDK checks a condition when it is created, and again when the activation has no other work.
  await condition(() => {
    const isLaterCheck = !isFirstCheck;
    isFirstCheck = false;
    return isLaterCheck;
  });
}
