/** `lanes` requests at once: each lane sends its next request after the answer to the last. Requests that end within the time count. */
export async function closedLoop(
  lanes: number,
  seconds: number,
  send: (lane: number) => Promise<unknown>,
): Promise<{ perSecond: number; calls: number; failures: Error[] }> {
  const endsAt = performance.now() + seconds * 1_000;
  const failures: Error[] = [];
  let completedInTime = 0;
  let calls = 0;
  const run = async (lane: number) => {
    while (performance.now() < endsAt) {
      try {
        await send(lane);
        calls += 1;
        if (performance.now() <= endsAt) completedInTime += 1;
      } catch (error) {
        failures.push(error as Error);
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, lane) => run(lane)));
  return { perSecond: completedInTime / seconds, calls, failures };
}
