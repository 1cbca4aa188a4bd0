import type { Database } from '../../db/connection/database.ts';
import { readRecordedStates } from '../../db/maintenance/recorded-states.ts';
import { databaseTime } from '../../db/sql/database-clock.ts';
import {
  type Disagreement,
  disagreementOf,
  type EndInTemporal,
  endInTemporal,
  isOfRetractedJob,
} from '../../domain/disagreement.ts';
import {
  type HistoryOfEnd,
  type ListedWorkflow,
  listWorkflows,
  readHistoryOfEnd,
} from '../../temporal/commands/list-workflows.ts';
import { stateOfWorkflow, type WorkflowState } from '../../temporal/commands/workflow-state.ts';
import type { Temporal } from '../../temporal/connection/open-temporal.ts';

/** A workflow on which Temporal and the record disagree, as both are when it is returned. */
export interface Found extends Pick<ListedWorkflow, 'kind' | 'id' | 'workflowId' | 'team'> {
  disagreement: Disagreement;
  /** Of the latest run of the workflow. */
  state: WorkflowState;
  /** The end that Temporal has, of a job that came to its own. */
  end?: EndInTemporal | undefined;
  settlement?: HistoryOfEnd['settlement'];
}

export interface Comparison {
  database: Database;
  temporal: Temporal;
}

export interface ComparisonOptions {
  /** Only workflows that ended since then. Absent: as far back as Temporal keeps them. */
  endedSince?: Date | undefined;
  /**
   * Younger beginnings and ends are left out: a workflow ends some milliseconds after the end of its job is recorded, and Temporal's
   * visibility may be seconds late.
   */
  settledForSeconds: number;
}

/** Requests to Temporal at once. */
const atOnce = 20;

/**
 * Compares the workflows of jobs and deliveries, page by page, with the record. A job is recorded before its workflow is started, so one
 * without a record is never about to get one. What seems to disagree is read once more, from Temporal and then from the record.
 * `compared`: called with the number of workflows of each page. Throws `Unavailable`.
 */
export async function* findDisagreements(
  { database, temporal }: Comparison,
  { endedSince, settledForSeconds }: ComparisonOptions,
  compared: (workflows: number) => void = () => undefined,
): AsyncGenerator<Found> {
  const now = await databaseTime(database);
  const times = { until: new Date(now.getTime() - settledForSeconds * 1_000), endedSince };

  const readStates = async (workflows: readonly ListedWorkflow[]) => {
    const idsOf = (kind: ListedWorkflow['kind']) => workflows.filter((one) => one.kind === kind).map(({ id }) => id);
    const [jobs, deliveries] = await Promise.all([
      readRecordedStates(database, 'job', idsOf('job'), settledForSeconds),
      readRecordedStates(database, 'delivery', idsOf('delivery'), settledForSeconds),
    ]);
    return (one: ListedWorkflow) => (one.kind === 'job' ? jobs : deliveries).get(one.id) ?? 'absent';
  };

  async function confirm(listed: ListedWorkflow): Promise<Found | undefined> {
    const { kind, id, workflowId, team } = listed;
    const state = await stateOfWorkflow(temporal, workflowId);
    const disagreement = disagreementOf(listed, (await readStates([listed]))(listed));
    if (!disagreement) return undefined;
    const found = { kind, id, workflowId, team, disagreement, state };
    // Visibility has it as running still.
    if (listed.state === 'running') return state === 'running' ? found : undefined;
    if (kind === 'job' && listed.state === 'completed') return readEnd(found, listed);
    // It was resumed.
    return state === 'running' ? undefined : found;
  }

  async function readEnd(found: Found, listed: ListedWorkflow): Promise<Found | undefined> {
    const { result, settlement } = await readHistoryOfEnd(temporal, listed);
    const end = result && endInTemporal(result);
    if (found.disagreement === 'lost') return end && !isOfRetractedJob(end) ? { ...found, end } : undefined;
    // It was resumed, and nobody has commanded the end that the record has lost: it ends as the record says.
    if (found.state === 'running' && !settlement?.sealed_end) return undefined;
    return { ...found, end, settlement };
  }

  for (const which of ['running', 'ended'] as const) {
    for await (const page of listWorkflows(temporal, which, times)) {
      const recorded = await readStates(page);
      const candidates = page.filter((one) => disagreementOf(one, recorded(one)));
      while (candidates.length > 0) {
        const confirmed = await Promise.all(candidates.splice(0, atOnce).map(confirm));
        yield* confirmed.filter((found) => found !== undefined);
      }
      compared(page.length);
    }
  }
}
