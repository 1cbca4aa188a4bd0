import { setTimeout as pause } from 'node:timers/promises';

/**
 * Sends `perSecond` requests a second, independently of earlier answers. `send` gets the intended time, from which latency counts, so that
 * a slow subject does not hide its delay. A failure is counted and does not end the loop.
 */
export async function openLoop<Result>(
  perSecond: number,
  seconds: number,
  send: (index: number, intendedAt: number) => Promise<Result>,
): Promise<{ results: Result[]; failures: Error[] }> {
  const startedAt = performance.now();
  const failures: Error[] = [];
  const inFlight: Promise<Result | undefined>[] = [];
  for (let index = 0; index < perSecond * seconds; index += 1) {
    const intendedAt = startedAt + (index * 1_000) / perSecond;
    if (intendedAt > performance.now()) await pause(intendedAt - performance.now());
    inFlight.push(
      send(index, intendedAt).catch((error: Error) => {
        failures.push(error);
        return undefined;
      }),
    );
  }
  const results = (await Promise.all(inFlight)).filter((result) => result !== undefined);
  return { results, failures };
}
