import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RotateCw, X } from 'lucide-react';
import { redeliver } from '../../api/jobs.ts';
import { useMay } from '../../api/session.ts';
import type { DeliveryDetail as Detail } from '../../api/types.ts';
import { deliveryQuery } from '../../api/webhooks.ts';
import { Button } from '../../components/button.tsx';
import { CopyBlock } from '../../components/copy-block.tsx';
import { Columns, None, Section } from '../../components/detail-page.tsx';
import { Facts } from '../../components/facts.tsx';
import { useRefreshAll } from '../../components/form-dialog.tsx';
import { Id } from '../../components/id.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { Status } from '../../components/status.tsx';
import { DataTable } from '../../components/table/data-table.tsx';
import { Time } from '../../components/time.tsx';
import { addToast } from '../../components/toast-queue.ts';
import { attemptColumns } from './attempt-columns.tsx';
import styles from './webhook.module.css';

interface DeliveryDetailProps {
  deliveryId: string;
  onClose: () => void;
}

/** What was sent, how it was signed, and what each attempt was answered. */
export function DeliveryDetail({ deliveryId, onClose }: DeliveryDetailProps) {
  const { data, error, refetch } = useQuery(deliveryQuery(deliveryId));
  return (
    <section className={styles.detail} aria-label="Delivery">
      <header className={styles.head}>
        <Id id={deliveryId} whole />
        <span>
          {data && <SendAgain delivery={data} />}
          <Button look="quiet" icon={X} aria-label="Close" onClick={onClose} />
        </span>
      </header>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data && <Content delivery={data} />}
    </section>
  );
}

function SendAgain({ delivery: { delivery_id, status } }: { delivery: Detail }) {
  const mayWrite = useMay('webhooks:write');
  const refresh = useRefreshAll();
  const mutation = useMutation({
    mutationFn: () => redeliver(delivery_id),
    onSuccess: () => {
      addToast('The event is sent again');
      refresh();
    },
    onError: (error) => addToast(error.message),
  });
  if (!mayWrite) return null;
  return (
    <Button
      icon={RotateCw}
      disabled={mutation.isPending}
      unavailable={status === 'pending' && 'Attempts are still to come'}
      onClick={() => mutation.mutate()}
    >
      Send again
    </Button>
  );
}

const Content = ({ delivery }: { delivery: Detail }) => (
  <>
    <Columns>
      <Facts
        facts={[
          ['Status', <Status key="status" of={delivery.status} />],
          ['Event', delivery.event],
          [
            'Job',
            delivery.job_id && (
              <Link key="job" to="/jobs/$jobId" params={{ jobId: delivery.job_id }} className="mono">
                {delivery.job_id}
              </Link>
            ),
          ],
          ['Happened', <Time key="created" at={delivery.created_at} />],
          ['Ended', delivery.finished_at && <Time key="finished" at={delivery.finished_at} />],
          ['Next attempt', delivery.next_attempt_at && <Time key="next" at={delivery.next_attempt_at} />],
          ['Error', delivery.last_error],
        ]}
      />
      <Section title="Headers of the last attempt">
        {delivery.signature_headers ? (
          <CopyBlock text={headersOf(delivery.signature_headers)} label="Copy the headers" />
        ) : (
          <None>None before the first attempt.</None>
        )}
      </Section>
    </Columns>
    <Section title="Attempts">
      <DataTable
        id="attempts"
        label="Attempts"
        isFlat
        columns={attemptColumns}
        rows={delivery.attempts_log}
        rowId={({ attempt_number }) => String(attempt_number)}
        empty={<None>None yet.</None>}
      />
    </Section>
    <Section title="Body">
      <CopyBlock text={JSON.stringify(delivery.payload, null, 2)} label="Copy the body" />
    </Section>
  </>
);

const headersOf = (headers: Record<string, string>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
