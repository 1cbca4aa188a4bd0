import { setTimeout as pause } from 'node:timers/promises';

/**
 * `perSecond` times a second, whatever becomes of those before: each is given the moment at which it was meant to be sent,
 * so that a subject that falls behind is charged for it. Failures count, and end nothing.
 */
export async function openLoop<Result>(
  perSecond: number,
  seconds: number,
  send: (index: number, intendedAt: number) => Promise<Result>,
): Promise<{ results: Result[]; failures: Error[] }> {
  const startedAt = performance.now();
  const failures: Error[] = [];
  const underWay: Promise<Result | undefined>[] = [];
  for (let index = 0; index < perSecond * seconds; index += 1) {
    const intendedAt = startedAt + (index * 1_000) / perSecond;
    if (intendedAt > performance.now()) await pause(intendedAt - performance.now());
    underWay.push(
      send(index, intendedAt).catch((error: Error) => {
        failures.push(error);
        return undefined;
      }),
    );
  }
  const results = (await Promise.all(underWay)).filter((result) => result !== undefined);
  return { results, failures };
}
