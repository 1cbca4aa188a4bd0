import { readCallStream } from '../../../../../api/calls.ts';
import { isPassing, Problem } from '../../../../../api/problem.ts';
import type { CallChunk } from '../../../../../api/types.ts';

/** Which call is followed, and how far: the last event that has come. */
export interface Followed {
  readonly jobId: string;
  readonly callId: string;
  lastId: string | undefined;
}

export interface Follower {
  onChunk: (chunk: CallChunk) => void;
  /** Why the call has failed. */
  onFailure: (message: string) => void;
  /** `away`: the connection is lost, and the stream is read on soon. */
  onState: (state: 'writing' | 'away' | 'ended') => void;
}

const maxPauseMs = 10_000;

/**
 * Follows the answer of a call from where it was left until its end or the abort of the signal, however often the connection is cut.
 * Throws the `Problem` of a refusal that is not for the moment.
 */
export async function followAnswer(followed: Followed, follower: Follower, signal: AbortSignal): Promise<void> {
  let pauseMs = 1_000;
  let failures = 0;
  let hasEnded = false;
  while (!signal.aborted) {
    try {
      await readCallStream(
        { ...followed, signal },
        {
          onRetry: (ms) => {
            pauseMs = ms;
          },
          onEvent: ({ id, content }) => {
            failures = 0;
            followed.lastId = id;
            if (content === 'end') hasEnded = true;
            else if ('error' in content) follower.onFailure(content.error.message);
            else {
              follower.onChunk(content);
              follower.onState('writing');
            }
          },
        },
      );
    } catch (error) {
      // What is no `Problem` is a connection that broke while its answer was read.
      if (!signal.aborted && error instanceof Problem && !isPassing(error)) throw error;
    }
    if (hasEnded) return follower.onState('ended');
    if (signal.aborted) return;
    follower.onState('away');
    await pause(Math.min(maxPauseMs, pauseMs * 2 ** failures), signal);
    failures += 1;
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
