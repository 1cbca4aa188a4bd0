import { randomUUID } from 'node:crypto';
import { admitCall } from '../../src/db/queries/admit-call.ts';
import type { Gateway } from './gateway.ts';
import { type GivenTeam, hello } from './given.ts';

/** A call of which no worker has heard. */
export async function recordCall({ deps }: Gateway, team: GivenTeam, jobId: string): Promise<string> {
  const { database, secrets } = deps;
  const call_id = randomUUID();
  await admitCall(database, {
    call_id,
    job_id: jobId,
    team_id: team.teamId,
    requested_model: team.modelGroup,
    purpose: null,
    streamed: true,
    call_metadata: null,
    request: JSON.stringify({ messages: hello }),
    key: { hash: secrets.lookupHash(team.key), rpm_limit: null, tpm_limit: null },
  });
  return call_id;
}
