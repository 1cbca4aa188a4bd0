import type { Gateway } from './gateway.ts';
import { until } from './until.ts';

/**
 * Waits until the upstream has received this number of requests for the model and their calls are running in the record: a model may be asked
 * before Temporal has given a worker the call.
 */
export const untilRequested = (gateway: { readonly current: Gateway }, model: string, times = 1) =>
  until(
    async () =>
      gateway.current.simulator.requestsFor({ model }).length === times && !(await isQueued(gateway.current, model)),
  );

async function isQueued({ deps }: Gateway, model: string): Promise<boolean> {
  const { rows } = await deps.database.pool.query(
    `select from calls where status = 'queued' and candidates @> jsonb_build_array(jsonb_build_object('model', $1::text))`,
    [model],
  );
  return rows.length > 0;
}
