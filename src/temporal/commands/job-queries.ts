import { QueryRejectedError } from '@temporalio/client';
import type { QueryDefinition } from '@temporalio/common';
import { commandOutcome } from '../../../workflows/contract/messages.ts';
import type { job } from '../../../workflows/job/job.ts';
import type { Verdict } from '../../../workflows/job/job-state.ts';
import { workflowId } from '../../domain/ids.ts';
import type { JobResult } from '../../domain/job-state.ts';
import { Unavailable } from '../../errors.ts';
import type { Temporal } from '../connection/client.ts';

/** `WorkflowExecutionStatus` of Temporal's API. */
const continuedAsNew = 6;

/** What can be asked of a job's workflow. */
export function createJobQueries(temporal: Temporal) {
  const handleOf = (jobId: string) => temporal.client.workflow.getHandle<typeof job>(workflowId.job(jobId));

  /** Asks the current run: one that has just handed over to the next rejects the query. */
  async function query<Result, Args extends unknown[]>(
    jobId: string,
    question: QueryDefinition<Result, Args>,
    ...args: Args
  ): Promise<Result> {
    for (;;) {
      try {
        return await handleOf(jobId).query(question, ...args);
      } catch (error) {
        if (!(error instanceof QueryRejectedError) || error.status !== continuedAsNew) throw error;
      }
    }
  }

  /**
   * A query is answered after the signals that came before it, so this is the verdict and never "not yet". Null: the job has
   * ended. Throws `Unavailable` if the verdict was forgotten after 1,000 later commands; the command itself took effect or was
   * refused.
   */
  async function verdictOn(jobId: string, commandId: string): Promise<Verdict | null> {
    try {
      const verdict = await temporal.request(() => query(jobId, commandOutcome, commandId));
      if (!verdict) throw new Unavailable('job');
      return verdict;
    } catch (error) {
      if (error instanceof QueryRejectedError) return null;
      throw error;
    }
  }

  const resultOf = (jobId: string, givenUp: AbortSignal): Promise<JobResult> =>
    temporal.client
      .withAbortSignal(givenUp, () => handleOf(jobId).result())
      .catch((error: unknown) => {
        // Also for a terminated workflow: the sweep will end its job.
        throw new Unavailable('temporal', { cause: error });
      });

  return { handleOf, query, verdictOn, resultOf };
}
