import { heartbeat } from '@temporalio/activity';
import { limitBacklogs } from '../../src/db/webhooks/limit-backlogs.ts';
import type { ActivityDeps } from '../ports.ts';

export const createOutboxSteps = ({ database, deliveries, log }: ActivityDeps) => ({
  /**
   * Starts those that were committed and not started, because a process died, Temporal was away, or their team has more than its pace
   * permits. Idempotent by workflow id. Also marks the webhooks of which too many events wait.
   */
  async startOverdueDeliveries(): Promise<number> {
    for (const { webhook_id, team_id, skips_events } of await limitBacklogs(database)) {
      const event = skips_events ? 'too many events wait, no more are recorded' : 'events are recorded again';
      log.warn({ webhook_id, team_id }, `webhooks: ${event}`);
    }
    return deliveries.startOverdue(heartbeat);
  },
});
