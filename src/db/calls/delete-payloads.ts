import { audit } from '../audit/write-audit-entry.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { jobHasEnded } from '../sql/status.ts';

const deleting = (audited: string) => `
  with job as (
    select job_id from jobs where job_id = :job_id and ${jobHasEnded()}
  ), deleted as (
    delete from call_payloads p using calls c, job
     where c.job_id = job.job_id and p.call_id = c.call_id
    returning p.call_id
  )${audited}
  select (select count(*)::int from deleted) as deleted from job`;

const sql = statement('delete_payloads_of_job', deleting(''));
const auditedSql = statement(
  'delete_payloads_of_job_and_audit',
  deleting(
    `, change as (select from deleted limit 1), audited as (${audit('change')} on conflict (audit_id) do nothing)`,
  ),
);

/** Deletes the requests and responses of an ended job, with the entry if there were any. Returns of how many calls; undefined: it is open. */
export async function deletePayloadsOfJob(
  database: Database,
  jobId: string,
  auditEntry: string | undefined,
): Promise<number | undefined> {
  const values = { job_id: jobId, ...(auditEntry && { audit_entry: auditEntry }) };
  const [row] = await database.query<{ deleted: number }>(auditEntry ? auditedSql : sql, values);
  return row?.deleted;
}
