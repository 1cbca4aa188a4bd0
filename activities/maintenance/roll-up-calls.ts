import { heartbeat } from '@temporalio/activity';
import { rollUpCalls } from '../../src/db/maintenance/roll-up-calls.ts';
import type { ActivityDeps } from '../ports.ts';

export const createRollUpSteps = ({ database }: Pick<ActivityDeps, 'database'>) => ({
  /** Adds the calls that were recorded since the last round to the sums by the hour. Returns how many. */
  rollUpCalls: () => rollUpCalls(database, heartbeat),
});
