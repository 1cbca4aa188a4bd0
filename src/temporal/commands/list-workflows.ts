import type { WorkflowService } from '@temporalio/client';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import type { SettleJobInput } from '../../../workflows/contract/activities.ts';
import type { JobWorkflowResult } from '../../../workflows/contract/workflows.ts';
import { idOfWorkflow } from '../../domain/ids.ts';
import type { Temporal } from '../connection/open-temporal.ts';
import { searchAttributes } from '../connection/search-attributes.ts';

/** A run of a workflow, as Temporal's visibility lists it. */
export interface ListedWorkflow {
  kind: 'job' | 'delivery';
  /** Of the job or the delivery. */
  id: string;
  workflowId: string;
  runId: string;
  state: 'running' | 'completed' | 'terminated';
  team: string | undefined;
}

/** Times by Temporal's clock. */
export interface ListedTimes {
  /** Those that began, or ended, before. */
  until: Date;
  /** Those that ended after. Absent: as far back as Temporal keeps them. */
  endedSince?: Date | undefined;
}

const pageSize = 1_000;
/** `WorkflowExecutionStatus` of Temporal's API. */
const [running, completed] = [1, 2];
const types = "WorkflowType in ('job', 'webhookDelivery')";
const ended = "ExecutionStatus in ('Completed', 'Failed', 'Canceled', 'Terminated', 'TimedOut')";

type Execution = Awaited<ReturnType<WorkflowService['listWorkflowExecutions']>>['executions'][number];

const decode = (payload: Payload | null | undefined): unknown =>
  payload ? defaultPayloadConverter.fromPayload(payload) : undefined;

/** An attribute of type Keyword has one value, or a list of one. */
const keywordOf = (payload: Payload | null | undefined): string | undefined => {
  const value = decode(payload);
  return (Array.isArray(value) ? value[0] : value) as string | undefined;
};

/** Undefined: it is neither a job nor a delivery. */
function toListed({ execution, status, searchAttributes: found }: Execution): ListedWorkflow | undefined {
  const { workflowId = '', runId } = execution ?? {};
  const job = idOfWorkflow.job(workflowId ?? '');
  const id = job ?? idOfWorkflow.delivery(workflowId ?? '');
  if (!id || !workflowId || !runId) return undefined;
  const team = keywordOf(found?.indexedFields?.[searchAttributes.team.name]);
  const state = status === running ? 'running' : status === completed ? 'completed' : 'terminated';
  return { kind: job ? 'job' : 'delivery', id, workflowId, runId, state, team };
}

/** The jobs and deliveries of this task queue, in pages: what runs, or what has ended. Throws `Unavailable`. */
export async function* listWorkflows(
  temporal: Temporal,
  which: 'running' | 'ended',
  { until, endedSince }: ListedTimes,
): AsyncGenerator<ListedWorkflow[]> {
  const before = `< '${until.toISOString()}'`;
  const chosen =
    which === 'running' ? `ExecutionStatus = 'Running' and StartTime ${before}` : `${ended} and CloseTime ${before}`;
  const since = which === 'ended' && endedSince ? ` and CloseTime > '${endedSince.toISOString()}'` : '';
  const query = `TaskQueue = '${temporal.taskQueue}' and ${types} and ${chosen}${since}`;
  let nextPageToken: Uint8Array | undefined;
  do {
    const page = await temporal.request(({ workflowService, options: { namespace } }) =>
      workflowService.listWorkflowExecutions({ namespace, query, pageSize, nextPageToken }),
    );
    yield page.executions.flatMap((execution) => toListed(execution) ?? []);
    nextPageToken = page.nextPageToken?.length ? page.nextPageToken : undefined;
  } while (nextPageToken);
}

/** What the history of a completed job has of its end. */
export interface HistoryOfEnd {
  result: JobWorkflowResult | undefined;
  /** What it was settled with. Undefined: with its call. */
  settlement: SettleJobInput | undefined;
}

/** Reads it from the history of the run. */
export async function readHistoryOfEnd(
  temporal: Temporal,
  { workflowId, runId }: ListedWorkflow,
): Promise<HistoryOfEnd> {
  const { events } = await temporal.request(({ workflow }) => workflow.getHandle(workflowId, runId).fetchHistory());
  const last = events?.at(-1)?.workflowExecutionCompletedEventAttributes;
  const settled = events?.findLast(
    ({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityType?.name === 'settleJob',
  )?.activityTaskScheduledEventAttributes;
  return {
    result: decode(last?.result?.payloads?.[0]) as JobWorkflowResult | undefined,
    settlement: decode(settled?.input?.payloads?.[0]) as SettleJobInput | undefined,
  };
}
