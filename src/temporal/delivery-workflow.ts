import type { WorkflowOptions } from '@temporalio/client';
import { TypedSearchAttributes, WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/common';
import type { DeliveryInput } from '../../workflows/webhook-delivery.ts';
import type { DeliveryToStart } from '../db/queries/start-deliveries.ts';
import { workflowId } from '../domain/ids.ts';
import { fairnessKey, searchAttributes, summary } from './workflow-labels.ts';

/** How a delivery becomes a workflow. The delays before its attempts go with it, so that deliveries under way keep theirs. */
export const deliveryWorkflow = (delivery: DeliveryToStart, taskQueue: string, delaysMs: number[]) =>
  ({
    taskQueue,
    workflowId: workflowId.delivery(delivery.delivery_id),
    // A repeated start finds the workflow under way; an ended one runs again when its event is redelivered.
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    args: [{ delivery_id: delivery.delivery_id, delays_ms: delaysMs }] satisfies [DeliveryInput],
    priority: { fairnessKey: fairnessKey(delivery.team_id) },
    typedSearchAttributes: new TypedSearchAttributes([
      { key: searchAttributes.team, value: delivery.team_id },
      { key: searchAttributes.organization, value: delivery.organization_id },
    ]),
    staticSummary: summary(`${delivery.team_id} · ${delivery.event}`),
  }) satisfies WorkflowOptions & { args: [DeliveryInput] };
