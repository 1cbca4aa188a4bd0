import { WorkflowNotFoundError } from '@temporalio/client';
import type { Deliveries } from '../../temporal/commands/deliveries.ts';
import type { Jobs } from '../../temporal/commands/jobs.ts';
import { recoverDelivery } from '../webhooks/recover-delivery.ts';
import type { Comparison, Found } from './find-disagreements.ts';

/**
 * What is done about it. `terminate`: the workflow. `resume`: the job, or the delivery, goes on from its record. `end`: the same, and the
 * command is repeated that had ended the job. `none`: nothing can be done here.
 */
export type Resolution = 'terminate' | 'resume' | 'end' | 'none';

export function resolutionOf({ disagreement, settlement }: Found): Resolution {
  if (disagreement === 'lost') return 'none';
  if (disagreement !== 'recorded_as_open') return 'terminate';
  return settlement?.sealed_end ? 'end' : 'resume';
}

export interface Resolving extends Comparison {
  jobs: Pick<Jobs, 'resume' | 'repeatEnd'>;
  deliveries: Pick<Deliveries, 'redeliver'>;
}

/**
 * Idempotent. A job ends, and is charged, as any other: by its workflow, which has the command or the
 * record confirm it: decision 129.
 */
export async function resolveDisagreement(deps: Resolving, found: Found): Promise<void> {
  const { kind, id, workflowId, state, settlement } = found;
  switch (resolutionOf(found)) {
    case 'terminate':
      return terminate(
        deps,
        workflowId,
        `the record ${found.disagreement === 'unrecorded' ? 'has nothing of it' : 'has its end'}`,
      );
    case 'end':
      await deps.jobs.repeatEnd(settlement!);
      return;
    case 'resume':
      if (kind === 'job') await deps.jobs.resume(id);
      else await recoverDelivery(deps, id, state);
      return;
    case 'none':
  }
}

async function terminate({ temporal }: Resolving, workflowId: string, reason: string): Promise<void> {
  try {
    await temporal.request(({ workflow }) => workflow.getHandle(workflowId).terminate(`reconcile: ${reason}`));
  } catch (error) {
    // It has ended meanwhile.
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
