import { CircleStop, Play } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useSession } from '../../api/session.ts';
import { JobSummary } from '../../components/jobs/job-summary.tsx';
import { useRun } from '../../components/playground/use-run.ts';
import { Button } from '../../components/ui/button.tsx';
import { Columns, Section } from '../../components/ui/detail-page.tsx';
import { TextField } from '../../components/ui/field.tsx';
import { ProblemNote } from '../../components/ui/problem-note.tsx';
import { useRefreshAll } from '../../components/ui/use-refresh-all.ts';
import { mod } from '../../shortcuts/known-shortcuts.ts';
import { type Draft, isComplete, type Opened, toBody } from './draft.ts';
import { MessageFields } from './message-fields.tsx';
import { ModelFields } from './model-fields.tsx';
import styles from './playground.module.css';
import { TestAccount } from './test-account.tsx';

/** A draft and the answer to its last run. */
export function Playground({ begin }: { begin: Opened }) {
  const { team } = useSession();
  const [draft, setDraft] = useState<Draft>(begin.draft);
  // In the memory of this page and nowhere else.
  const [key, setKey] = useState('');
  const text = useRef<HTMLDivElement>(null);
  const refresh = useRefreshAll();
  const { run, start, stop, isRunning } = useRun(text, refresh);
  const isReady = isComplete(draft) && (!team || key.trim() !== '');
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }));
  const begins = (): void => {
    if (isReady && !isRunning) void start(toBody(draft), team ? { teamId: team.team_id, key: key.trim() } : null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) begins();
  };
  return (
    <Columns>
      <Section title="Request">
        <form
          onKeyDown={onKeyDown}
          onSubmit={(event) => {
            event.preventDefault();
            begins();
          }}
        >
          {team ? (
            <TextField
              label="Virtual key of the team"
              type="password"
              autoComplete="off"
              spellCheck={false}
              value={key}
              onChange={setKey}
              hint="It pays for the call. This page forgets it when you leave it"
            />
          ) : (
            <TestAccount />
          )}
          <ModelFields draft={draft} onChange={set} />
          <MessageFields messages={draft.messages} onChange={(messages) => set({ messages })} />
          <Button
            type="submit"
            look="primary"
            icon={Play}
            unavailable={!isReady && 'It needs a model, a message and for a team its key'}
            disabled={isRunning}
            title={`${mod} Enter`}
          >
            {isRunning ? 'Running …' : 'Run'}
          </Button>
        </form>
      </Section>
      <Section title="Answer" aside={isRunning && <StopButton isAccepted={run?.callId !== undefined} onStop={stop} />}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys */}
        <section className={styles.answer} tabIndex={0} aria-label="The answer" data-scrolls>
          <div ref={text} className={styles.text} />
          {!run && <p className="muted">The answer appears here as it is written.</p>}
          {isRunning && (
            <p className="muted">{run?.state === 'starting' ? 'Calling the model …' : 'Being written …'}</p>
          )}
        </section>
        {run?.isCut && <p className="muted">Cut at 256 KB: the receipt has the rest.</p>}
        <div role="status">
          {run?.state === 'ended' && <p className="visually-hidden">The run has ended.</p>}
          {run?.failure && <p className={styles.failure}>{run.failure}</p>}
          {run?.state === 'ended' && run.jobId && <JobSummary key={run.jobId} jobId={run.jobId} />}
        </div>
        {run?.problem && <ProblemNote error={run.problem} />}
      </Section>
    </Columns>
  );
}

/** Ends the call with what it has written. */
function StopButton({ isAccepted, onStop }: { isAccepted: boolean; onStop: () => Promise<void> }) {
  const [problem, setProblem] = useState<Error>();
  return (
    <>
      {problem && <span className={styles.failure}>{problem.message}</span>}
      <Button
        look="danger"
        icon={CircleStop}
        unavailable={!isAccepted && 'The call is not accepted yet'}
        onClick={() => void onStop().catch(setProblem)}
      >
        Stop
      </Button>
    </>
  );
}
