import { ApplicationFailure } from '@temporalio/activity';
import { retryUntilAvailable } from '../../src/concurrency/retry-until-available.ts';
import { readCallResult } from '../../src/db/calls/read-call-result.ts';
import { wasShown } from '../../src/db/calls/request-stop.ts';
import type { Database } from '../../src/db/connection/database.ts';
import { callError } from '../../src/domain/call-state.ts';
import { stopped } from '../../src/domain/finish-reason.ts';
import type { CallUpstreamResult } from '../../workflows/contract/activities.ts';

/** A call that is not recorded: it was retracted. Its client received that it will not be made, so it counts for nothing. */
export const retractedCall = { error: callError.retracted, retracted: true } as const;

/** A later attempt of the activity has the call, and Temporal ignores the result of this one. */
export const superseded = () => ApplicationFailure.retryable('another attempt has this call', 'Superseded');

/** The result of a call that has ended without this attempt. */
export async function recordedResult(database: Database, callId: string): Promise<CallUpstreamResult> {
  const result = await retryUntilAvailable(() => readCallResult(database, callId));
  // The call still runs.
  if (!result) throw superseded();
  if (result.status === 'retracted') return retractedCall;
  if (result.status !== 'succeeded') return { error: result.error };
  const isUnshown = result.finishReason === stopped && !(await retryUntilAvailable(() => wasShown(database, callId)));
  return {
    error: null,
    ...(result.hasToolCalls && { has_tool_calls: true }),
    ...(isUnshown && { is_unshown: true }),
  };
}
