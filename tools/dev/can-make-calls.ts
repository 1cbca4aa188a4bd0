type Health = { dependencies: Record<'database' | 'temporal' | 'worker', 'up' | 'down'> };

/** Whether the api at this address and a worker are up, with what calls need. `/health/ready` does not suffice: it is 200 without a worker. */
export async function canMakeCalls(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(5_000) });
  const { database, temporal, worker } = ((await answer.json()) as Health).dependencies;
  return [database, temporal, worker].every((state) => state === 'up');
}
