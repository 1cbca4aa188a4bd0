import type { Database } from '../../db/connection/database.ts';
import { failDelivery } from '../../db/webhooks/record-delivery-attempt.ts';
import { deliveryErrors } from '../../domain/delivery-error.ts';
import type { Deliveries } from '../../temporal/commands/deliveries.ts';
import type { WorkflowState } from '../../temporal/commands/workflow-state.ts';

/**
 * Ends a pending delivery whose workflow was terminated, and starts one again whose workflow is lost in another way. Returns the webhook of
 * a delivery that it has ended. `spec 11.12`
 */
export async function recoverDelivery(
  { database, deliveries }: { database: Database; deliveries: Pick<Deliveries, 'redeliver'> },
  deliveryId: string,
  state: WorkflowState,
): Promise<{ webhook_id: string; team_id: string | null } | undefined> {
  if (state === 'running') return undefined;
  if (state === 'terminated') return failDelivery(database, deliveryId, deliveryErrors.workflow_terminated);
  await deliveries.redeliver(deliveryId);
  return undefined;
}
