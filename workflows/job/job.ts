import { CancellationScope, continueAsNew, setDefaultSignalHandler, setHandler } from '@temporalio/workflow';
import type { JobResult } from '../../src/domain/job-state.ts';
import {
  type CancelSignal,
  cancel,
  commandOutcome,
  complete,
  jobState,
  llmCall,
  updateMetadata,
} from '../contract/messages.ts';
import { form, parseSignal } from '../contract/parse-signal.ts';
import { type JobInput, JobRun } from './job-run.ts';

/** From the Temporal UI. */
const byOperator: CancelSignal = { command_id: 'operator', reason: 'cancelled by an operator' };

/**
 * One job, from its creation to its end. Signals are handled at once and never fail: the state decides on them, activities
 * carry them out. At the end the job takes no more calls, the calls in flight finish, the credit is settled.
 */
export async function job(input: JobInput): Promise<JobResult> {
  const run = new JobRun(input);
  hear(run);
  // Cancelled by an operator in the Temporal UI: the same end as over HTTP.
  CancellationScope.current().cancelRequested.catch(() => run.cancel(byOperator));
  run.runParked();

  return CancellationScope.nonCancellable(async () => {
    await run.closed();
    const next = run.handOver();
    return next ? continueAsNew<typeof job>(next) : run.settle();
  });
}

function hear(run: JobRun): void {
  const heard = {
    [llmCall.name]: parseSignal(form.call, run.admit.bind(run)),
    [updateMetadata.name]: parseSignal(form.update, run.update.bind(run)),
    [complete.name]: parseSignal(form.completion, run.complete.bind(run)),
    [cancel.name]: parseSignal(form.cancellation, run.cancel.bind(run)),
  };
  // Otherwise signals from before the first task would be handled kind by kind: a late call before the completion that refuses it.
  if (run.decidesFirst)
    setDefaultSignalHandler((name, message) => {
      if (Object.hasOwn(heard, name)) heard[name]?.(message);
    });
  setHandler(llmCall, heard[llmCall.name], { description: 'Run one LLM call, by the id of its record' });
  setHandler(updateMetadata, heard[updateMetadata.name]);
  setHandler(complete, heard[complete.name]);
  setHandler(cancel, heard[cancel.name]);
  setHandler(jobState, () => run.state.current());
  setHandler(commandOutcome, (commandId) => run.state.verdictOn(commandId));
}
