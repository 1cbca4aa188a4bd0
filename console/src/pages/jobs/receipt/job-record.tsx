import type { JobTimeline } from '../../../api/types.ts';
import { OrganizationLink } from '../../../components/organizations/organization-link.tsx';
import { TeamLink } from '../../../components/teams/team-link.tsx';
import { Columns, None, Section, Stack } from '../../../components/ui/detail-page.tsx';
import { Facts } from '../../../components/ui/facts.tsx';
import { DataTable } from '../../../components/ui/table/data-table.tsx';
import { Time } from '../../../components/ui/time.tsx';
import type { RangeSearch } from '../../../url/time-range.ts';
import { JobsOfExternal, JobsOfKey, JobsOfUser } from '../jobs-of.tsx';
import styles from './receipt.module.css';
import { jobDeliveryColumns, jobLedgerColumns } from './record-columns.tsx';

interface JobRecordProps {
  timeline: JobTimeline;
  /** The range of the list that the receipt was opened from. */
  range: RangeSearch;
  /** The item of the timeline that is open. */
  selected?: string;
  onSelect: (id: string) => void;
}

/** What is stored about the job beside its calls: its facts, its metadata, its ledger rows and deliveries. */
export function JobRecord({ timeline, range, selected, onSelect }: JobRecordProps) {
  const { job, transactions, deliveries } = timeline;
  const metadata = Object.entries(job.metadata);
  return (
    <div className={styles.record}>
      <Stack>
        <Columns>
          <Section title="Job">
            <Facts
              facts={[
                ['Team', <TeamLink key="team" id={job.team_id} />],
                ['Organization', <OrganizationLink key="organization" id={job.organization_id} />],
                ['Type', job.job_type],
                ['External id', job.external_task_id && <JobsOfExternal key="external" job={job} range={range} />],
                ['User', job.user_id && <JobsOfUser key="user" job={job} range={range} />],
                ['Key', job.key_id && <JobsOfKey key="key" job={job} range={range} />],
                ['Model groups', job.model_groups_used.join(', ') || null],
                ['Created', <Time key="created" at={job.created_at} />],
                ['First call', <Time key="started" at={job.started_at} missing="no call yet" />],
                ['Ended', <Time key="ended" at={job.completed_at} missing="still open" />],
                ['Error', job.error_message],
              ]}
            />
          </Section>
          <Section title="Metadata">
            {metadata.length === 0 ? (
              <None>None.</None>
            ) : (
              <Facts
                facts={metadata.map(([name, value]) => [
                  name,
                  typeof value === 'string' ? value : JSON.stringify(value),
                ])}
              />
            )}
          </Section>
        </Columns>
        <Section title="Ledger">
          <DataTable
            id="job-ledger"
            label="Ledger rows of this job"
            isFlat
            columns={jobLedgerColumns}
            rows={transactions}
            rowId={({ transaction_id }) => transaction_id}
            empty={<None>No row: nothing was charged.</None>}
          />
        </Section>
        <Section title="Webhook deliveries">
          <DataTable
            id="job-deliveries"
            label="Webhook deliveries of this job"
            isFlat
            columns={jobDeliveryColumns}
            rows={deliveries}
            rowId={({ delivery_id }) => delivery_id}
            openId={selected}
            onOpen={({ delivery_id }) => onSelect(delivery_id)}
            empty={<None>None: no webhook was subscribed to its events.</None>}
          />
        </Section>
      </Stack>
    </div>
  );
}
