import { randomUUID } from 'node:crypto';
import { admitCall } from '../../src/db/calls/admit-call.ts';
import type { NewJob } from '../../src/db/jobs/insert-job.ts';
import type { CallSettings } from '../../src/db/keys/find-team-by-key.ts';
import type { EndJob } from '../../src/domain/end-job.ts';
import type { Gateway } from './gateway.ts';
import { type GivenTeam, hello } from './given.ts';

/** What a team of `given.team()` decides on its calls by. */
export const defaultCallSettings: CallSettings = {
  rpm_limit: null,
  tpm_limit: null,
  job_key_from: [],
  jobless_calls: 'single',
};

/** A job to insert. Its start is not sent to Temporal. */
export const newJob = (team: GivenTeam): NewJob => ({
  job_id: randomUUID(),
  team_id: team.teamId,
  organization_id: team.organizationId,
  user_id: null,
  job_type: 'report',
  external_task_id: null,
  metadata: {},
});

/** Inserts a call whose signal is not sent to its workflow. */
export async function insertUnsentCall(
  { deps }: Gateway,
  team: GivenTeam,
  jobId: string,
  { streamed = true, end_job = null }: { streamed?: boolean; end_job?: EndJob | null } = {},
): Promise<string> {
  const { database, secrets } = deps;
  const call_id = randomUUID();
  await admitCall(database, {
    call_id,
    job_id: jobId,
    team_id: team.teamId,
    requested_model: team.modelGroup,
    purpose: null,
    streamed,
    end_job,
    call_metadata: null,
    options: null,
    request: JSON.stringify({ messages: hello }),
    key: { hashes: [secrets.lookupHash(team.key)], ...defaultCallSettings },
  });
  return call_id;
}
