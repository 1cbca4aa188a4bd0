import { type RefObject, useEffect, useRef, useState } from 'react';
import { sessionEnd } from '../../../../../api/session-end.ts';
import { AnswerWriter } from '../../../../../components/calls/answer-writer.ts';
import { useMayRead } from '../../../../../live/use-may-read.ts';
import { type Followed, followAnswer } from './follow-answer.ts';

interface UsedAnswer {
  jobId: string;
  callId: string;
  /** The stream has ended, or is refused: the record of the call has the answer, or its end. */
  onEnd: () => void;
}

/** `away`: the connection is lost, and the answer is read on soon. */
type State = 'waiting' | 'writing' | 'away' | 'ended';

/** Writes the answer of a call into the element as it comes. A page that is hidden or locked reads nothing, and reads on when it is shown. */
export function useAnswer({ jobId, callId, onEnd }: UsedAnswer, element: RefObject<HTMLElement | null>) {
  const mayRead = useMayRead();
  const [state, setState] = useState<State>('waiting');
  const [failure, setFailure] = useState<string>();
  const [problem, setProblem] = useState<Error>();
  const [isCut, setCut] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const begun = useRef<{ writer: AnswerWriter; followed: Followed }>(undefined);
  const end = useRef(onEnd);
  end.current = onEnd;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a further attempt begins anew
  useEffect(() => {
    if (!mayRead || !element.current) return;
    begun.current ??= {
      writer: new AnswerWriter(element.current, () => setCut(true)),
      followed: { jobId, callId, lastId: undefined },
    };
    const { writer, followed } = begun.current;
    const leave = new AbortController();
    setProblem(undefined);
    const follower = {
      onChunk: writer.add,
      onState: setState,
      onFailure: setFailure,
    };
    const hasLeft = () => leave.signal.aborted || sessionEnd() !== undefined;
    followAnswer(followed, follower, leave.signal)
      .catch((error: Error) => {
        if (!hasLeft()) setProblem(error);
      })
      .finally(() => {
        if (!hasLeft()) end.current();
      });
    return () => leave.abort();
  }, [jobId, callId, mayRead, attempt, element]);
  const readAgain = (): void => {
    begun.current?.writer.clear();
    begun.current = undefined;
    setAttempt((before) => before + 1);
  };
  return { state, failure, problem, isCut, readAgain };
}
