import { randomUUID } from 'node:crypto';
import type { Random } from '../../support/random.ts';
import type { RetryingClient } from './retrying-client.ts';

/** Ten random words, no two prompts alike, so that a duplicated or missing token is visible. */
export const somePrompt = (): string => randomUUID().replaceAll('-', '').match(/.{3}/g)!.join(' ');

/** One job from its creation to its end, half of its calls streamed. Undefined: not all of its calls succeeded. */
export async function runJob(client: RetryingClient, random: Random, calls: number): Promise<string | undefined> {
  const jobId = await client.createJob();
  const answers: (string | null)[] = [];
  const first = random.between(0, 1);
  for (let call = first; call < first + calls; call += 1) {
    answers.push(await (call % 2 === 0 ? client.call(jobId, somePrompt()) : client.stream(jobId, somePrompt())));
  }
  await client.complete(jobId);
  return answers.includes(null) ? undefined : jobId;
}

/** `count` times, `atOnce` at a time. */
export async function repeat<T>(count: number, atOnce: number, work: (turn: number) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  let turn = 0;
  const runInSequence = async () => {
    while (turn < count) done.push(await work(turn++));
  };
  await Promise.all(Array.from({ length: atOnce }, runInSequence));
  return done;
}
