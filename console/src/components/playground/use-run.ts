import { type RefObject, useEffect, useRef, useState } from 'react';
import { readEvents, stopCall } from '../../api/calls.ts';
import { type Payer, startRun } from '../../api/playground.ts';
import type { PlaygroundRun } from '../../api/types.ts';
import { AnswerWriter } from '../calls/answer-writer.ts';

interface Run {
  state: 'starting' | 'writing' | 'ended';
  /** Known once the call is accepted. */
  jobId?: string | undefined;
  callId?: string | undefined;
  /** Why the call was refused. */
  problem?: Error;
  /** Why the call has failed, or why nobody knows how it ended. */
  failure?: string;
  isCut?: boolean;
}

const lost = 'The connection was lost. The call goes on: its receipt has the answer.';

/** One call at a time, whose answer is written into the element as it comes. */
export function useRun(element: RefObject<HTMLElement | null>, onEnd: (run: Run) => void) {
  const [run, setRun] = useState<Run>();
  const leave = useRef<AbortController>(undefined);
  useEffect(() => () => leave.current?.abort(), []);

  const start = async (body: PlaygroundRun, payer: Payer): Promise<void> => {
    leave.current?.abort();
    const own = new AbortController();
    leave.current = own;
    let latest: Run = { state: 'starting' };
    const change = (part: Partial<Run>) => {
      latest = { ...latest, ...part };
      if (!own.signal.aborted) setRun(latest);
    };
    change({});
    element.current?.replaceChildren();
    try {
      const response = await startRun(body, payer, own.signal);
      const idOf = (name: string) => response.headers.get(name) ?? undefined;
      change({ state: 'writing', jobId: idOf('X-Job-Id'), callId: idOf('X-Call-Id') });
      const writer = element.current && new AnswerWriter(element.current, () => change({ isCut: true }));
      let hasEnded = false;
      await readEvents(response, {
        onEvent: ({ content }) => {
          if (content === 'end') hasEnded = true;
          else if ('error' in content) change({ failure: content.error.message });
          else writer?.add(content);
        },
      }).catch((error: Error) => {
        if (error.name === 'AbortError') throw error;
      });
      change({ state: 'ended', ...(!hasEnded && { failure: lost }) });
    } catch (error) {
      if (own.signal.aborted) return;
      change({ state: 'ended', problem: error as Error });
    }
    if (!own.signal.aborted) onEnd(latest);
  };

  /** Ends the call with what it has written: its stream ends then. One that is not accepted yet is left. */
  const stop = async (): Promise<void> => {
    if (run?.jobId && run.callId) await stopCall(run.jobId, run.callId, crypto.randomUUID());
  };

  return { run, start, stop, isRunning: run !== undefined && run.state !== 'ended' };
}
