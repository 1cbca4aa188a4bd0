import { heartbeat } from '@temporalio/activity';
import { deleteAbandonedCalls } from '../../src/db/calls/abandoned-calls.ts';
import { deleteExpiredKeys } from '../../src/db/idempotency/idempotency-keys.ts';
import {
  deleteDeliveries,
  deleteEndedKeys,
  deleteEndedSessions,
  deleteEndedTeamSessions,
  deletePayloads,
} from '../../src/db/maintenance/delete-expired.ts';
import { deleteOldJobs } from '../../src/db/maintenance/delete-jobs.ts';
import { deleteVectors } from '../../src/db/maintenance/delete-vectors.ts';
import { shortenOldAnswers } from '../../src/db/maintenance/long-answers.ts';
import { replaceStoredDataUrls } from '../../src/db/maintenance/replace-data-urls.ts';
import { applyChangedRetention, deletePayloadsOfTeams } from '../../src/db/maintenance/team-retention.ts';
import { deleteInBatches } from '../../src/db/sql/delete-in-batches.ts';
import { keptRequest } from '../call-upstream/kept-request.ts';
import type { ActivityDeps } from '../ports.ts';

/** Answers with vectors, of up to megabytes each. */
const vectorsAtOnce = 100;
/** Requests of up to 32 MiB, read at once. */
const replacedAtOnce = 4;

const olderThanRetention = [
  deletePayloads,
  deleteDeliveries,
  deleteEndedSessions,
  deleteEndedTeamSessions,
  deleteEndedKeys,
];

export const createExpirySteps = (deps: ActivityDeps) => ({
  /**
   * Deletes the responses stored for repeated requests after 24 h, and abandoned calls after 15 minutes; prompts and answers, and
   * deliveries, sessions and keys that have ended, after `PAYLOAD_RETENTION_DAYS` (prompts and answers after the time of their team); jobs that have ended after `JOB_RETENTION_DAYS`.
   * Shortens requests of calls that have ended, answers after 24 h, and vectors after 15 minutes. Returns how many rows.
   */
  async deleteExpired(): Promise<number> {
    const days = deps.config.PAYLOAD_RETENTION_DAYS;
    let rows = await deleteInBatches((atMost) => deleteExpiredKeys(deps.database, atMost), heartbeat);
    rows += await deleteInBatches((atMost) => deleteAbandonedCalls(deps.database, atMost), heartbeat);
    rows += await applyChangedRetention(deps.database, heartbeat);
    rows += await deletePayloadsOfTeams(deps.database, heartbeat);
    for (const deleteOld of olderThanRetention)
      rows += await deleteInBatches((atMost) => deleteOld(deps.database, days, atMost), heartbeat);
    for (let replaced = replacedAtOnce; replaced === replacedAtOnce; heartbeat()) {
      replaced = await replaceStoredDataUrls(deps.database, replacedAtOnce, (stored) =>
        keptRequest(stored, deps.config.PAYLOAD_KEEP_BYTES),
      );
      rows += replaced;
    }
    rows += await deleteInBatches((atMost) => deleteVectors(deps.database, atMost), heartbeat, vectorsAtOnce);
    rows += await shortenOldAnswers(deps.database, deps.config.PAYLOAD_KEEP_BYTES, heartbeat);
    if (deps.config.JOB_RETENTION_DAYS !== undefined)
      rows += await deleteOldJobs(deps.database, deps.config.JOB_RETENTION_DAYS, heartbeat);
    return rows;
  },
});
