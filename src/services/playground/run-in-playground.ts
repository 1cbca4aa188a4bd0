import type { ModelRequest } from '../../calls/call-context.ts';
import type { StreamedCall } from '../../calls/stream-call.ts';
import { writeAuditEntry } from '../../db/audit/write-audit-entry.ts';
import { playgroundJobType, testAccount } from '../../domain/playground.ts';
import { Refusal } from '../../errors.ts';
import { requireUser } from '../caller.ts';
import { type CallObserver, makeStreamedCall } from '../calls/make-call.ts';
import type { ServiceContext } from '../context.ts';
import { newJob } from '../jobs/new-job.ts';
import { grantModel } from './grant-model.ts';
import { requireTestAccount, testCaller } from './test-account.ts';

/**
 * Makes a call of the test account, as a job of its own: the admission, the limits and the record are those of any call (decision 134). The entry in
 * the audit log is written first, so that no call is without one. `spec 32.2`
 */
export async function runInPlayground(
  context: ServiceContext,
  toRun: { request: ModelRequest; observer: CallObserver },
): Promise<StreamedCall> {
  const { userId } = requireUser(context.caller);
  const { model } = toRun.request;
  await requireTestAccount(context);
  await grantModel(context, model);
  const ofTeam = { ...context, caller: await testCaller(context) };
  const job = newJob(ofTeam, { job_type: playgroundJobType, user_id: userId });
  await context.deps.database.transaction((entities) =>
    writeAuditEntry(entities, context, {
      action: 'ran_playground',
      resource_type: 'team',
      resource_id: testAccount.teamId,
      details: { model, job_id: job.job_id },
    }),
  );
  const make = (budget?: { max_cost_usd: null }) =>
    makeStreamedCall(ofTeam, { ...toRun, target: { kind: 'single_call', newJob: budget ? { ...job, budget } : job } });
  return make().catch((error: unknown) => {
    // The cap of tokens bounds what nobody can price.
    if (error instanceof Refusal && error.code === 'price_unknown') return make({ max_cost_usd: null });
    throw error;
  });
}
