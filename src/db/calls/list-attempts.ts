import type { AttemptFailure } from '../../domain/call-failure.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import type { Estimate, ModelAttempt } from './insert-attempts.ts';

type Nullable<T> = { [K in keyof T]: T[K] | null };

export interface AttemptRow extends Omit<ModelAttempt, keyof Estimate | keyof AttemptFailure>, Nullable<Estimate> {
  call_id: string;
  attempt_number: number;
  created_at: Date;
}

/** The attempts of a call are numbered from 1, whatever their numbers in the record. */
const attemptColumns = `a.call_id, row_number() over (partition by a.call_id order by a.attempt_number)::int as attempt_number, a.model, a.outcome, a.error, a.latency_ms, a.prompt_tokens, a.completion_tokens,
   a.cost_usd, a.estimated_prompt_tokens, a.estimated_completion_tokens, a.estimated_cost_usd, a.created_at`;

const ofJobSql = statement(
  'list_attempts',
  `select ${attemptColumns}
     from call_attempts a join calls c on c.call_id = a.call_id
    where c.job_id = :job_id order by c.position, a.attempt_number`,
);

/** The attempts of a job's calls, in the order in which they were made. */
export const listAttempts = (database: Database, jobId: string): Promise<AttemptRow[]> =>
  database.reports.query<AttemptRow>(ofJobSql, { job_id: jobId });

const ofCallsSql = statement(
  'list_attempts_of_calls',
  `select ${attemptColumns} from call_attempts a where a.call_id = any (:call_ids::uuid[]) order by a.call_id, a.attempt_number`,
);

/** The attempts of calls, in their order. */
export const listAttemptsOfCalls = (database: Database, calls: readonly { call_id: string }[]): Promise<AttemptRow[]> =>
  database.reports.query<AttemptRow>(ofCallsSql, { call_ids: calls.map(({ call_id }) => call_id) });
