/** Waits for a condition, for five seconds at most. */
export async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 5_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error('The condition did not come true');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
