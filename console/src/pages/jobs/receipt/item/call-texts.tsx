import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { isUnderWay } from '../../../../api/calls.ts';
import { callQuery, timelineQuery } from '../../../../api/jobs.ts';
import type { Call, CallWithPayload } from '../../../../api/types.ts';
import { Button } from '../../../../components/ui/button.tsx';
import { ProblemNote } from '../../../../components/ui/problem-note.tsx';
import { formatBytes } from '../../../../format/number.ts';
import { Conversation } from './conversation.tsx';
import { CopyRepetition } from './copy-curl.tsx';
import styles from './item.module.css';
import { JsonBlock } from './json-block.tsx';
import { LiveAnswer } from './live/live-answer.tsx';
import { LiveResponse } from './live/live-response.tsx';
import { notKeptNote } from './messages.ts';
import { OpenInPlayground } from './open-in-playground.tsx';

type Part = 'conversation' | 'request' | 'response' | 'raw';

interface CallTextsProps {
  jobId: string;
  call: Call;
  part: Part;
}

/** The texts of a call, cut at 256 KB until a person requests all of them. Of a call under way the answer is shown as it comes. */
export function CallTexts(props: CallTextsProps) {
  const { status, finish_reason } = props.call;
  const [wasOpen] = useState(() => isUnderWay(props.call));
  const end = finish_reason === 'stopped' ? 'stopped' : status;
  return (
    <>
      <p role="status" className="visually-hidden">
        {wasOpen && !isUnderWay(props.call) && `The call has ended: ${end}`}
      </p>
      <LoadedTexts {...props} />
    </>
  );
}

function LoadedTexts({ jobId, call, part }: CallTextsProps) {
  const [isWhole, setWhole] = useState(false);
  const stored = { enabled: call.payload_stored, placeholderData: keepPreviousData };
  const cut = useQuery({ ...callQuery(jobId, call), ...stored });
  const size = Math.max(cut.data?.request_bytes ?? 0, cut.data?.response_bytes ?? 0);
  const whole = useQuery({ ...callQuery(jobId, call, size), enabled: isWhole });
  const cache = useQueryClient();
  const refresh = () => void cache.invalidateQueries({ queryKey: timelineQuery(jobId).queryKey });
  if (!call.payload_stored)
    return (
      <p className="muted">
        The texts of this call are not stored: they were deleted, or the time for which they are kept is over.
      </p>
    );
  if (cut.error) return <ProblemNote error={cut.error} onRetry={() => void cut.refetch()} />;
  const shown = whole.data ?? cut.data;
  if (!shown) return <p className="muted">Loading the texts …</p>;
  const isCut = shown.truncated === true;
  // After its end, what has come stays until the record is read.
  const isLive = isUnderWay(call) || cut.isPlaceholderData;
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
      <Text part={part} call={shown} answer={isLive && <LiveAnswer jobId={jobId} call={call} onEnd={refresh} />} />
    </>
  );
}

function Text({ part, call, answer }: { part: Part; call: CallWithPayload; answer: ReactNode }) {
  if (part === 'conversation') return <Conversation call={call} answer={answer} />;
  if (part === 'raw') return <JsonBlock value={call} />;
  if (part === 'response' && answer) return <LiveResponse>{answer}</LiveResponse>;
  const value = call[part];
  if (value === null || value === undefined) return <p className="muted">There is none.</p>;
  const note = notKeptNote(value);
  if (note) return <p className="muted">{note}</p>;
  const isWhole = typeof value === 'object';
  return (
    <>
      {part === 'request' && isWhole && (
        <p className={styles.above}>
          <CopyRepetition call={call} /> <OpenInPlayground jobId={call.job_id} callId={call.call_id} />
        </p>
      )}
      <JsonBlock value={value} />
    </>
  );
}
