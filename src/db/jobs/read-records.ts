import type { DeliveryStatus } from '../../domain/delivery-state.ts';
import { userName } from '../audit/user-name.ts';
import type { Database } from '../connection/database.ts';
import { type TransactionRow, transactionColumns } from '../credits/write-transaction.ts';
import { statement } from '../sql/statement.ts';

// What else is recorded about a job. Each read uses an index and has a bound.

const ledgerSql = statement(
  'transactions_of_job',
  `select ${transactionColumns} from credit_transactions where job_id = :job_id and transaction_type = 'deduction'
   union all
   select ${transactionColumns} from credit_transactions where job_id = :job_id and transaction_type = 'refund'`,
);

/** The deduction, then the refund. */
export const listTransactionsOfJob = (database: Database, jobId: string): Promise<TransactionRow[]> =>
  database.reports.query<TransactionRow>(ledgerSql, { job_id: jobId });

export interface JobDeliveryRow {
  delivery_id: string;
  webhook_id: string;
  event: string;
  job_id: string;
  status: DeliveryStatus;
  attempts: number;
  last_status_code: number | null;
  last_error: string | null;
  created_at: Date;
  finished_at: Date | null;
}

const maxRecords = 200;

const deliveriesSql = statement(
  'deliveries_of_job',
  `select delivery_id, webhook_id, event, job_id, status, attempts, last_status_code, last_error, created_at, finished_at
     from webhook_deliveries where job_id = :job_id order by created_at desc, delivery_id limit ${maxRecords}`,
);

/** The newest, oldest first. */
export async function listDeliveriesOfJob(database: Database, jobId: string): Promise<JobDeliveryRow[]> {
  const rows = await database.reports.query<JobDeliveryRow>(deliveriesSql, { job_id: jobId });
  return rows.reverse();
}

export interface AuditRow {
  audit_id: string;
  user_id: string | null;
  user_name: string | null;
  action: string;
  resource_type: string;
  resource_id: string | null;
  details: Record<string, unknown>;
  ip_address: string | null;
  created_at: Date;
  /** How many entries it stands for. */
  times: number;
}

/** Readings that are counted, at most. */
const maxReadings = 1_000;

const auditColumns = 'audit_id, position, user_id, action, resource_type, resource_id, details, ip_address, created_at';

/**
 * Each look at a call is an entry: those of one user are one row, the newest of them, so that they hide no other entry. A refund is a
 * change of the team, which names the job in its details.
 */
const auditSql = statement(
  'audit_of_job',
  `select entries.*, ${userName('entries')} from (
     (select ${auditColumns}, 1 as times from audit_log
       where resource_type = 'job' and resource_id = :job_id::text and action <> 'read_call_payload'
       order by position desc limit ${maxRecords})
     union all
     (select distinct on (user_id) ${auditColumns}, (count(*) over (partition by user_id))::int as times
        from (select * from audit_log
               where resource_type = 'job' and resource_id = :job_id::text and action = 'read_call_payload'
               order by position desc limit ${maxReadings}) readings
       order by user_id, position desc)
     union all
     (select ${auditColumns}, 1 as times from audit_log
       where resource_type = 'team' and resource_id = :team_id and action = 'refunded_credits' and details ->> 'job_id' = :job_id::text
         and exists (select from credit_transactions where job_id = :job_id::uuid and transaction_type = 'refund')
       order by position desc limit 1)
   ) entries order by position`,
);

/** The newest, oldest first. */
export const listAuditOfJob = (database: Database, job: { job_id: string; team_id: string }): Promise<AuditRow[]> =>
  database.reports.query<AuditRow>(auditSql, { job_id: job.job_id, team_id: job.team_id });
