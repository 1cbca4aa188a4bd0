import { useRef } from 'react';
import { Problem } from '../../../../../api/problem.ts';
import type { Call } from '../../../../../api/types.ts';
import { ProblemNote } from '../../../../../components/ui/problem-note.tsx';
import styles from './live.module.css';
import { useAnswer } from './use-answer.ts';

interface LiveAnswerProps {
  jobId: string;
  call: Call;
  /** The record of the call has its answer now, or has its end. */
  onEnd: () => void;
}

/** The answer of a call that is under way, as it comes. A screen reader reads it when a person does, and not each piece of it. */
export function LiveAnswer({ jobId, call, onEnd }: LiveAnswerProps) {
  const text = useRef<HTMLDivElement>(null);
  const { state, failure, problem, isCut, readAgain } = useAnswer({ jobId, callId: call.call_id, onEnd }, text);
  const isDeleted = problem instanceof Problem && problem.status === 410;
  return (
    <div>
      <div ref={text} className={styles.text} />
      {isCut && <p className="muted">Cut at 256 KB: the rest is shown when the call has ended.</p>}
      {problem && !isDeleted ? (
        <ProblemNote error={problem} onRetry={readAgain} />
      ) : (
        <p className="muted">
          {isDeleted ? 'The texts of this call are not stored any more.' : (failure ?? notes[state](call))}
        </p>
      )}
    </div>
  );
}

const notes = {
  waiting: ({ status, streamed }: Call) => {
    if (status === 'queued') return 'Waiting for a worker …';
    return streamed ? 'Waiting for the first token …' : 'Not streamed: the answer comes as a whole, at its end.';
  },
  writing: () => 'Being written …',
  away: () => 'The connection is lost. The answer is read on …',
  ended: () => 'The answer is complete.',
};
