import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { callsCompleteUntil, isError, sumOfLatencies } from './call-hours.ts';
import type { Range } from './job-days.ts';

interface CallSums {
  calls: number;
  errors_by_kind: Record<string, number> | null;
  fallbacks: number;
}

interface Sums {
  errors: number;
  tokens: number;
  cost_usd: number;
  /** The latencies of the calls that succeeded. */
  latency: (number | null)[];
}

export type ModelGroupSums = CallSums & Sums & { model_group: string | null };

/** `calls`, `errors_by_kind` and `fallbacks` are of the calls that the model ended, the others of all requests to it. */
export type ModelSums = CallSums &
  Sums & { model: string; model_groups: string[]; attempts: number; cancelled: number };

export interface ModelHealthFigures {
  groups: ModelGroupSums[];
  models: ModelSums[];
  calls_complete_until: Date;
}

const inHours = 'hour >= :from and hour < :until';
const succeeded = `outcome = 'succeeded'`;

const errorsByKind = (ofRow: string): string => `
  (select json_object_agg(outcome, calls) from (
     select outcome, sum(calls) as calls from hours where ${ofRow} and ${isError} group by outcome) kinds)`;

/** The hours are summed first: what follows reads a row for each group, model and outcome, however long the range is. */
const sql = statement(
  'model_health',
  `with hours as materialized (
     select model_group, model, outcome, sum(calls) as calls, sum(fallbacks) as fallbacks, sum(tokens) as tokens,
            sum(cost_usd) as cost_usd, ${sumOfLatencies()} as latency
       from hourly_calls where ${inHours} group by 1, 2, 3
   ), tried as materialized (
     select model_group, model, outcome, sum(attempts) as attempts, sum(tokens) as tokens, sum(cost_usd) as cost_usd,
            ${sumOfLatencies()} as latency
       from hourly_attempts where ${inHours} group by 1, 2, 3
   ), of_groups as (
     select model_group, sum(calls) as calls, coalesce(sum(calls) filter (where ${isError}), 0) as errors,
            ${errorsByKind('hours.model_group is not distinct from h.model_group')} as errors_by_kind,
            sum(fallbacks) as fallbacks, sum(tokens) as tokens, sum(cost_usd) as cost_usd, ${sumOfLatencies(succeeded)} as latency
       from hours h group by model_group
   ), of_models as (
     select model, sum(attempts) as attempts, coalesce(sum(attempts) filter (where ${isError}), 0) as errors,
            coalesce(sum(attempts) filter (where outcome = 'cancelled'), 0) as cancelled,
            coalesce((select sum(calls) from hours where hours.model = a.model), 0) as calls,
            coalesce((select sum(fallbacks) from hours where hours.model = a.model), 0) as fallbacks,
            ${errorsByKind('hours.model = a.model')} as errors_by_kind,
            array_remove(array_agg(distinct model_group), null) as model_groups,
            sum(tokens) as tokens, sum(cost_usd) as cost_usd, ${sumOfLatencies(succeeded)} as latency
       from tried a group by model
   )
   select (select coalesce(json_agg(of_groups order by calls desc, model_group collate "C"), '[]') from of_groups) as groups,
          (select coalesce(json_agg(of_models order by errors::numeric / nullif(attempts, 0) desc, attempts desc, model collate "C"), '[]')
             from of_models) as models,
          ${callsCompleteUntil} as calls_complete_until`,
);

/** Reads the figures of the calls that ended in the hours of the range. */
export async function readModelHealth(database: Database, { from, until }: Range): Promise<ModelHealthFigures> {
  const [row] = await database.reports.query<ModelHealthFigures>(sql, { from, until });
  return row!;
}
