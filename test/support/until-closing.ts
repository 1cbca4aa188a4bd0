import { type Addressed, as, type GivenTeam } from './given.ts';
import { until } from './until.ts';

/** Waits until the job has received its completion and waits for its calls: from then on it refuses commands. */
export const untilClosing = (gateway: Addressed, team: GivenTeam, job: string) =>
  until(async () => (await as(gateway, team).patch(`/api/jobs/${job}/metadata`, { metadata: {} })).status === 409);
