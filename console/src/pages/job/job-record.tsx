import { useMutation } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { redeliver } from '../../api/jobs.ts';
import { useMay } from '../../api/session.ts';
import type { Delivery, JobTimeline } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { Facts } from '../../components/facts.tsx';
import { Id } from '../../components/id.tsx';
import { DataTable } from '../../components/table/data-table.tsx';
import { Time } from '../../components/time.tsx';
import { addToast } from '../../components/toast-queue.ts';
import styles from './job.module.css';
import { deliveryColumns, ledgerColumns } from './record-columns.tsx';

interface JobRecordProps {
  timeline: JobTimeline;
  onChanged: () => void;
}

/** What is stored about the job beside its calls: its facts, its metadata, its ledger rows and deliveries. */
export function JobRecord({ timeline: { job, transactions, deliveries }, onChanged }: JobRecordProps) {
  const metadata = Object.entries(job.metadata);
  return (
    <div className={styles.record}>
      <section>
        <h2>Job</h2>
        <Facts
          facts={[
            ['Team', job.team_id],
            ['Organization', job.organization_id],
            ['Type', job.job_type],
            ['External id', job.external_task_id && <Id key="external" id={job.external_task_id} whole />],
            ['User', job.user_id],
            ['Model groups', job.model_groups_used.join(', ') || null],
            ['Created', <Time key="created" at={job.created_at} />],
            ['First call', <Time key="started" at={job.started_at} missing="no call yet" />],
            ['Ended', <Time key="ended" at={job.completed_at} missing="still open" />],
            ['Error', job.error_message],
          ]}
        />
      </section>
      <section>
        <h2>Metadata</h2>
        {metadata.length === 0 ? (
          <p className={styles.none}>The client stored none.</p>
        ) : (
          <Facts
            facts={metadata.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)])}
          />
        )}
      </section>
      <section className={styles.wide}>
        <h2>Ledger</h2>
        <DataTable
          id="job-ledger"
          label="Ledger rows of this job"
          isFlat
          columns={ledgerColumns}
          rows={transactions}
          rowId={({ transaction_id }) => transaction_id}
          empty={<p className={styles.none}>No row: nothing was charged.</p>}
        />
      </section>
      <section className={styles.wide}>
        <h2>Webhook deliveries</h2>
        <Deliveries deliveries={deliveries} onChanged={onChanged} />
      </section>
    </div>
  );
}

function Deliveries({ deliveries, onChanged }: { deliveries: readonly Delivery[]; onChanged: () => void }) {
  const mayWrite = useMay('webhooks:write');
  const again = useMutation({
    mutationFn: (id: string) => redeliver(id),
    onSuccess: () => {
      addToast('The event is sent again');
      onChanged();
    },
    onError: (error) => addToast(error.message),
  });
  const columns = [
    ...deliveryColumns,
    {
      id: 'again',
      header: '',
      width: 120,
      align: 'end' as const,
      isAlways: true,
      cell: ({ delivery_id, status }: Delivery) =>
        mayWrite &&
        status !== 'pending' && (
          <Button look="quiet" icon={RotateCw} onClick={() => again.mutate(delivery_id)} disabled={again.isPending}>
            Send again
          </Button>
        ),
    },
  ];
  return (
    <DataTable
      id="job-deliveries"
      label="Webhook deliveries of this job"
      isFlat
      columns={columns}
      rows={deliveries}
      rowId={({ delivery_id }) => delivery_id}
      empty={<p className={styles.none}>None: no webhook was subscribed to its events.</p>}
    />
  );
}
