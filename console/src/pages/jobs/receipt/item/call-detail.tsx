import { useSeesCost } from '../../../../api/session.ts';
import type { Call } from '../../../../api/types.ts';
import { Count } from '../../../../components/ui/count.tsx';
import { Facts } from '../../../../components/ui/facts.tsx';
import { Id } from '../../../../components/ui/id.tsx';
import { Money } from '../../../../components/ui/money.tsx';
import { Status } from '../../../../components/ui/status.tsx';
import { DataTable } from '../../../../components/ui/table/data-table.tsx';
import { Tabs } from '../../../../components/ui/tabs.tsx';
import { Duration, Time } from '../../../../components/ui/time.tsx';
import { callAttemptColumns } from './call-attempt-columns.tsx';
import type { CallTab } from './call-tabs.ts';
import { CallTexts } from './call-texts.tsx';
import { CopyCurl } from './copy-curl.tsx';
import { finishText } from './finish-reasons.ts';
import styles from './item.module.css';
import { StopCall } from './stop-call.tsx';

interface CallDetailProps {
  jobId: string;
  call: Call;
  tab: CallTab;
  onTab: (tab: CallTab) => void;
}

/** One call. Its texts are requested when a tab that shows them is opened. */
export function CallDetail({ jobId, call, tab, onTab }: CallDetailProps) {
  const texts = (part: 'conversation' | 'request' | 'response' | 'raw') => (
    <CallTexts jobId={jobId} call={call} part={part} />
  );
  return (
    <>
      <h2 className={styles.title}>
        <Status of={call.status} /> Call #{call.position} <Id id={call.call_id} />
        <CopyCurl path={`/api/jobs/${jobId}/calls/${call.call_id}?include=request,response`} does="reads this call" />
        <StopCall jobId={jobId} call={call} />
      </h2>
      <Tabs
        label="Parts of the call"
        value={tab}
        onChange={onTab}
        tabs={[
          { value: 'summary', label: 'Summary', content: <Summary call={call} /> },
          { value: 'conversation', label: 'Conversation', content: texts('conversation') },
          { value: 'request', label: 'Request', content: texts('request') },
          { value: 'response', label: 'Response', content: texts('response') },
          { value: 'raw', label: 'Raw', content: texts('raw') },
        ]}
      />
    </>
  );
}

function Summary({ call }: { call: Call }) {
  const seesCost = useSeesCost() || null;
  const queuedMs = call.started_at ? Date.parse(call.started_at) - Date.parse(call.created_at) : null;
  const firstTokenMs =
    call.started_at && call.first_token_at ? Date.parse(call.first_token_at) - Date.parse(call.started_at) : null;
  return (
    <>
      <div className={styles.summary}>
        <Facts
          facts={[
            ['Purpose', call.purpose],
            ['Requested', call.requested_model],
            ['Model', call.model_used ?? call.resolved_model],
            ['Streamed', call.streamed ? 'yes' : 'no'],
            ['Finish reason', finishText(call.finish_reason)],
            ['Error', call.error],
            ['Request id', call.request_id && <Id key="request" id={call.request_id} />],
          ]}
        />
        <Facts
          facts={[
            ['Prompt tokens', <Count key="prompt" of={call.prompt_tokens} />],
            ['Completion tokens', <Count key="completion" of={call.completion_tokens} />],
            ['Cost', seesCost && <Money key="cost" usd={call.cost_usd} />],
            ['Created', <Time key="created" at={call.created_at} />],
            ['Queued for', <Duration key="queued" ms={queuedMs} />],
            ['First token after', firstTokenMs === null ? null : <Duration key="first" ms={firstTokenMs} />],
            ['Duration', call.finished_at ? <Duration key="latency" ms={call.latency_ms} /> : null],
          ]}
        />
      </div>
      {call.attempts && call.attempts.length > 0 && (
        <DataTable
          id="attempts"
          label="Attempts"
          isFlat
          columns={callAttemptColumns}
          rows={call.attempts}
          rowId={({ attempt_number }) => String(attempt_number)}
          empty={null}
        />
      )}
    </>
  );
}
