import { randomUUID } from 'node:crypto';
import { admitCallToJob, type NewCall } from '../../src/db/calls/admit-call-to-job.ts';
import type { CallSettings } from '../../src/db/entities/team.ts';
import type { NewJob } from '../../src/db/jobs/insert-job.ts';
import type { Gateway } from './gateway.ts';
import { type GivenTeam, hello } from './given.ts';

/** What a team of `given.team()` decides on its calls by. */
export const defaultCallSettings: CallSettings = {
  rpm_limit: null,
  tpm_limit: null,
  max_concurrent_calls: null,
  job_key_from: [],
  jobless_calls: 'single',
  agent_turns: 'on',
  job_end: null,
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
  key_id: null,
});

/** A call of the team, to be recorded. */
export const newCall = ({ deps }: Gateway, team: GivenTeam): NewCall => ({
  call_id: randomUUID(),
  job_id: randomUUID(),
  request_id: randomUUID(),
  team_id: team.teamId,
  requested_model: team.modelGroup,
  purpose: null,
  streamed: false,
  asynchronous: false,
  end_job: null,
  turn_seconds: null,
  agent: null,
  call_metadata: null,
  options: null,
  fingerprint: null,
  prompt_tokens: 20,
  output_tokens: null,
  may_read_list: false,
  vectors_kept_minutes: null,
  request: JSON.stringify({ messages: hello }),
  key: { hashes: [deps.secrets.lookupHash(team.key)], ...defaultCallSettings },
});

type UnsentCall = Pick<NewCall, 'streamed' | 'end_job' | 'turn_seconds'>;

/** Inserts a call whose signal is not sent to its workflow. */
export async function insertUnsentCall(
  gateway: Gateway,
  team: GivenTeam,
  jobId: string,
  { streamed = true, end_job = null, turn_seconds = null }: Partial<UnsentCall> = {},
): Promise<string> {
  const call = { ...newCall(gateway, team), job_id: jobId, streamed, end_job, turn_seconds };
  await admitCallToJob(gateway.deps.database, call);
  return call.call_id;
}
