import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callQuery } from '../../../../api/jobs.ts';
import type { Call, CallWithPayload } from '../../../../api/types.ts';
import { Button } from '../../../../components/ui/button.tsx';
import { ProblemNote } from '../../../../components/ui/problem-note.tsx';
import { formatBytes } from '../../../../format/number.ts';
import { Conversation } from './conversation.tsx';
import { CopyRepetition } from './copy-curl.tsx';
import styles from './item.module.css';
import { JsonBlock } from './json-block.tsx';
import { notKeptNote } from './messages.ts';

type Part = 'conversation' | 'request' | 'response' | 'raw';

/** The texts of a call, cut at 256 KB until a person requests all of them. */
export function CallTexts({ jobId, call, part }: { jobId: string; call: Call; part: Part }) {
  const [isWhole, setWhole] = useState(false);
  const cut = useQuery({ ...callQuery(jobId, call.call_id), enabled: call.payload_stored });
  const size = Math.max(cut.data?.request_bytes ?? 0, cut.data?.response_bytes ?? 0);
  const whole = useQuery({ ...callQuery(jobId, call.call_id, size), enabled: isWhole });
  if (!call.payload_stored)
    return (
      <p className="muted">The texts of this call are not stored: they are deleted after the time of retention.</p>
    );
  if (cut.error) return <ProblemNote error={cut.error} onRetry={() => void cut.refetch()} />;
  const shown = whole.data ?? cut.data;
  if (!shown) return <p className="muted">Loading the texts …</p>;
  const isCut = shown.truncated === true;
  return (
    <>
      {isCut && (
        <p>
          Cut at 256 KB of {formatBytes(size)}.{' '}
          <Button onClick={() => setWhole(true)} disabled={whole.isFetching}>
            {whole.isFetching ? 'Loading …' : 'Load all'}
          </Button>
        </p>
      )}
      <Text part={part} call={shown} />
    </>
  );
}

function Text({ part, call }: { part: Part; call: CallWithPayload }) {
  if (part === 'conversation') return <Conversation call={call} />;
  if (part === 'raw') return <JsonBlock value={call} />;
  const value = call[part];
  if (value === null || value === undefined) return <p className="muted">There is none.</p>;
  const note = notKeptNote(value);
  if (note) return <p className="muted">{note}</p>;
  const isWhole = typeof value === 'object';
  return (
    <>
      {part === 'request' && isWhole && (
        <p className={styles.above}>
          <CopyRepetition call={call} />
        </p>
      )}
      <JsonBlock value={value} />
    </>
  );
}
