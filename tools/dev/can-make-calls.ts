type Health = { dependencies: Record<'database' | 'temporal' | 'worker', 'up' | 'down'> };

/** Whether the api at this address and a worker are up, with what calls need. `/health/ready` says less: an api without a worker is ready. */
export async function canMakeCalls(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(5_000) });
  const { database, temporal, worker } = ((await answer.json()) as Health).dependencies;
  return [database, temporal, worker].every((state) => state === 'up');
}
