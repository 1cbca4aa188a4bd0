import { Play } from 'lucide-react';
import { useRef } from 'react';
import { JobSummary } from '../../components/jobs/job-summary.tsx';
import { useRun } from '../../components/playground/use-run.ts';
import { Button } from '../../components/ui/button.tsx';
import { ProblemNote } from '../../components/ui/problem-note.tsx';
import styles from './first-run.module.css';

const prompt = 'Answer with one short sentence: does this connection work?';

interface ModelTestProps {
  group: string;
  /** The step was done a moment ago: the button is what Enter presses. */
  isNext: boolean;
  onAnswered: () => void;
}

/** A small real call of the test account: whether the model answers, how fast, and what it costs. */
export function ModelTest({ group, isNext, onAnswered }: ModelTestProps) {
  const text = useRef<HTMLDivElement>(null);
  const { run, start, isRunning } = useRun(text, (ended) => {
    if (!ended.problem && !ended.failure) onAnswered();
  });
  const test = () => void start({ model: group, messages: [{ role: 'user', content: prompt }], max_tokens: 60 }, null);
  return (
    <div className={styles.test}>
      <Button icon={Play} autoFocus={isNext} onClick={test} unavailable={isRunning && 'The model is being called'}>
        {isRunning ? 'Calling the model …' : `Test ${group}`}
      </Button>
      <p className="muted">A real request of a few words. The test account of the playground pays for it.</p>
      <div ref={text} className={styles.answer} />
      <div role="status">
        {run?.failure && <p className={styles.failure}>{run.failure}</p>}
        {run?.state === 'ended' && run.jobId && <JobSummary jobId={run.jobId} />}
      </div>
      {run?.problem && <ProblemNote error={run.problem} onRetry={test} />}
    </div>
  );
}
