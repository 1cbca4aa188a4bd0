import { Link } from '@tanstack/react-router';
import type { DeliveryDetail } from '../../api/types.ts';
import { CopyBlock } from '../ui/copy-block.tsx';
import { Columns, None, Section } from '../ui/detail-page.tsx';
import { Facts } from '../ui/facts.tsx';
import { Status } from '../ui/status.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import { Time } from '../ui/time.tsx';
import { deliveryAttemptColumns } from './delivery-attempt-columns.tsx';

/** A delivery with its attempts, each with the beginning of what was answered. */
export const DeliveryContent = ({ delivery }: { delivery: DeliveryDetail }) => (
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
          ['Event time', <Time key="created" at={delivery.created_at} />],
          ['Ended', delivery.finished_at && <Time key="finished" at={delivery.finished_at} />],
          ['Next attempt', delivery.next_attempt_at && <Time key="next" at={delivery.next_attempt_at} />],
          ['Error', delivery.last_error],
        ]}
      />
      <Section title="Headers of the last attempt">
        {delivery.signature_headers ? (
          <CopyBlock text={formatHeaders(delivery.signature_headers)} label="Copy the headers" />
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
        columns={deliveryAttemptColumns}
        rows={delivery.attempts_log}
        rowId={({ attempt_number }) => String(attempt_number)}
        empty={<None>None yet.</None>}
      />
      {delivery.attempts_log.map(({ attempt_number, status_code, response_excerpt }) =>
        response_excerpt ? (
          <details key={attempt_number}>
            <summary>
              What attempt {attempt_number} was answered{status_code !== null && `, ${status_code}`}
            </summary>
            <CopyBlock text={response_excerpt} label="Copy the answer" />
          </details>
        ) : null,
      )}
    </Section>
    <Section title="Body">
      <CopyBlock text={JSON.stringify(delivery.payload, null, 2)} label="Copy the body" />
    </Section>
  </>
);

const formatHeaders = (headers: Record<string, string>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
