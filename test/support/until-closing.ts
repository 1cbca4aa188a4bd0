import { type Addressed, as, type GivenTeam } from './given.ts';
import { until } from './until.ts';

/** Until the job has heard that it is completed, and waits for its calls: it refuses what is asked of it from then on. */
export const untilClosing = (gateway: Addressed, team: GivenTeam, job: string) =>
  until(async () => (await as(gateway, team).patch(`/api/jobs/${job}/metadata`, { metadata: {} })).status === 409);
