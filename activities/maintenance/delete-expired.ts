import { heartbeat } from '@temporalio/activity';
import { deleteExpiredKeys } from '../../src/db/idempotency/idempotency-keys.ts';
import {
  deleteDeliveries,
  deleteEndedKeys,
  deleteEndedSessions,
  deletePayloads,
} from '../../src/db/maintenance/delete-expired.ts';
import { deleteInBatches } from '../../src/db/sql/delete-in-batches.ts';
import type { ActivityDeps } from '../ports.ts';

export const createExpirySteps = (deps: ActivityDeps) => ({
  /**
   * Deletes the responses stored for repeated requests after 24 h; prompts and answers, and deliveries, sessions and keys that
   * have ended, after `PAYLOAD_RETENTION_DAYS`. Returns how many rows.
   */
  async deleteExpired(): Promise<number> {
    const days = deps.config.PAYLOAD_RETENTION_DAYS;
    let deleted = await deleteInBatches((atMost) => deleteExpiredKeys(deps.database, atMost), heartbeat);
    for (const deleteOld of [deletePayloads, deleteDeliveries, deleteEndedSessions, deleteEndedKeys])
      deleted += await deleteInBatches((atMost) => deleteOld(deps.database, days, atMost), heartbeat);
    return deleted;
  },
});
