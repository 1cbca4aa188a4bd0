import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

const sql = statement(
  'record_maintenance_round',
  `insert into maintenance_steps (step, position, ran_at, handled)
   select step, position, now(), handled
     from rows from (unnest(:steps::text[]), unnest(:handled::int[])) with ordinality as ran (step, handled, position)
   on conflict (step) do update set position = excluded.position, ran_at = excluded.ran_at, handled = excluded.handled`,
);

/** What each step of a round of maintenance has handled, in their order; those that the round did not reach keep their last result. */
export async function recordRound(database: Database, round: Record<string, number | 'failed'>): Promise<void> {
  const steps = Object.keys(round);
  const handled = Object.values(round).map((one) => (one === 'failed' ? null : one));
  await database.query(sql, { steps, handled });
}

export interface MaintenanceState {
  /** Null: there was no round yet. */
  age_seconds: number | null;
  /** Steps that failed in their last round. */
  failed_steps: number;
}

const stateSql = statement(
  'maintenance_state',
  `select extract(epoch from now() - max(ran_at))::float as age_seconds,
          count(*) filter (where handled is null)::int as failed_steps from maintenance_steps`,
);

/** For metrics, on a connection that calls never take. */
export async function maintenanceState(database: Pick<Database, 'reserved'>): Promise<MaintenanceState> {
  const [row] = await database.reserved<MaintenanceState>(stateSql);
  return row!;
}
