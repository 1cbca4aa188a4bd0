import { CancellationScope, continueAsNew, setDefaultSignalHandler, setHandler } from '@temporalio/workflow';
import {
  cancel,
  changeDeadline,
  commandDecision,
  complete,
  jobState,
  llmCall,
  updateMetadata,
} from '../contract/messages.ts';
import type { JobInput, JobWorkflow, JobWorkflowResult } from '../contract/workflows.ts';
import { JobRun } from './job-run.ts';
import { operatorCancellation } from './job-workflow-state.ts';
import { form, parseSignal } from './parse-signal.ts';

/**
 * One job, from its creation to its end. Signals are handled at once and never fail: the state decides on them, activities
 * execute the decisions. At the end the job accepts no more calls, the calls in flight finish, and the job is settled.
 */
export async function job(input: JobInput): Promise<JobWorkflowResult> {
  const run = new JobRun(input);
  setHandlers(run);
  CancellationScope.current().cancelRequested.catch(() => run.cancel(operatorCancellation));
  run.runDeferred();
  run.closeTerminatedCalls();
  run.watchDeadline();
  run.watchTurn();

  return CancellationScope.nonCancellable(async () => {
    await run.untilClosing();
    const next = run.nextRunInput();
    return next ? continueAsNew<JobWorkflow>(next) : run.settle();
  });
}

function setHandlers(run: JobRun): void {
  const handlers = {
    [llmCall.name]: parseSignal(form.call, run.admit.bind(run)),
    [updateMetadata.name]: parseSignal(form.update, run.update.bind(run)),
    [complete.name]: parseSignal(form.completion, run.complete.bind(run)),
    [cancel.name]: parseSignal(form.cancellation, run.cancel.bind(run)),
    [changeDeadline.name]: parseSignal(form.deadline, run.changeDeadline.bind(run)),
  };
  // First, because it receives the signals that came before the first task in their order. Handlers of single signals would
  // receive them kind by kind: a late call before the completion that refuses it.
  setDefaultSignalHandler((name, message) => {
    if (Object.hasOwn(handlers, name)) handlers[name]?.(message);
  });
  setHandler(llmCall, handlers[llmCall.name], { description: 'Run one LLM call, by the id of its record' });
  setHandler(updateMetadata, handlers[updateMetadata.name]);
  setHandler(complete, handlers[complete.name]);
  setHandler(cancel, handlers[cancel.name]);
  setHandler(changeDeadline, handlers[changeDeadline.name]);
  setHandler(jobState, () => run.state.current());
  setHandler(commandDecision, (commandId) => run.state.decisionOn(commandId));
}
