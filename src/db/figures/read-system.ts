import type { Database } from '../connection/database.ts';
import { isoTimestamp } from '../sql/outbox.ts';
import { statement } from '../sql/statement.ts';
import { callsCompleteUntil, sumOfLatencies } from './call-hours.ts';
import { type Depths, depths, waitingDeliveries } from './queue-depths.ts';
import { type WorkerRow, workerRows } from './worker-rows.ts';

export interface SystemFigures extends Depths {
  workers: WorkerRow[];
  steps: { step: string; ran_at: string; handled: number | null }[];
  cursors: { name: string; done_until: string }[];
  unsent_deliveries: number;
  pending_deliveries: number;
  oldest_payload_at: Date | null;
  calls_complete_until: Date;
  /** Requests to models in the hour of now and the one before. */
  upstream: { attempts: number; succeeded: number; latency: (number | null)[] };
}

const sql = statement(
  'system_figures',
  `select ${depths}, ${workerRows} as workers,
          (select coalesce(json_agg(steps order by position), '[]')
             from (select step, position, ${isoTimestamp('ran_at')} as ran_at, handled from maintenance_steps) steps) as steps,
          (select coalesce(json_agg(cursors order by name), '[]')
             from (select name, ${isoTimestamp('done_until')} as done_until from sweep_cursors) cursors) as cursors,
          ${waitingDeliveries} as unsent_deliveries,
          (select count(*) from webhook_deliveries where status = 'pending' and started_at is not null) as pending_deliveries,
          (select min(created_at) from call_payloads) as oldest_payload_at,
          ${callsCompleteUntil} as calls_complete_until,
          (select row_to_json(tried)
             from (select coalesce(sum(attempts), 0) as attempts,
                          coalesce(sum(attempts) filter (where outcome = 'succeeded'), 0) as succeeded,
                          ${sumOfLatencies(`outcome = 'succeeded'`)} as latency
                     from hourly_attempts where hour >= date_trunc('hour', now(), 'utc') - interval '1 hour'
                      and outcome <> 'cancelled') tried) as upstream`,
);

export async function readSystem(database: Database): Promise<SystemFigures> {
  const [row] = await database.reports.query<SystemFigures>(sql);
  return row!;
}
