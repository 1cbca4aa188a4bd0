/** The set-up and this file share nothing but the process they run in. */
export async function teardown(): Promise<void> {
  const { stopTestServices } = globalThis as { stopTestServices?: () => Promise<void> };
  await stopTestServices?.();
}

export { teardown as default };
