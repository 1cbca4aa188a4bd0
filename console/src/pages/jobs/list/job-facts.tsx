import type { Job } from '../../../api/types.ts';
import { OrganizationLink } from '../../../components/organizations/organization-link.tsx';
import { TeamLink } from '../../../components/teams/team-link.tsx';
import { Count } from '../../../components/ui/count.tsx';
import type { FactList } from '../../../components/ui/facts.tsx';
import { Missing, Money } from '../../../components/ui/money.tsx';
import { Status } from '../../../components/ui/status.tsx';
import { Duration, Time } from '../../../components/ui/time.tsx';
import type { RangeSearch } from '../../../url/time-range.ts';
import { JobsOfExternal, JobsOfKey, JobsOfUser } from '../jobs-of.tsx';

/** A job beside its list, whose range its links keep. */
export const jobFacts = (job: Job, range: RangeSearch, seesCost: boolean): FactList => [
  ['Status', <Status key="status" of={job.status} />],
  ['Team', <TeamLink key="team" id={job.team_id} />],
  ['Organization', <OrganizationLink key="organization" id={job.organization_id} />],
  ['Type', job.job_type],
  ['Calls', <Count key="calls" of={job.total_calls} />],
  ['Failed calls', <Count key="failed" of={job.failed_calls} />],
  ['Credits', job.completed_at === null ? <Missing key="credits" why="still open" /> : job.credits_charged],
  ['Cost', seesCost ? <Money key="cost" usd={job.total_cost_usd} /> : null],
  ['Tokens', <Count key="tokens" of={job.total_tokens} />],
  ['Duration', <Duration key="duration" ms={job.duration_ms} />],
  ['Created', <Time key="created" at={job.created_at} />],
  ['Ended', <Time key="ended" at={job.completed_at} missing="still open" />],
  ['External id', job.external_task_id && <JobsOfExternal key="external" job={job} range={range} />],
  ['User', job.user_id && <JobsOfUser key="user" job={job} range={range} />],
  ['Key', job.key_id && <JobsOfKey key="key" job={job} range={range} />],
  ['Error', job.error_message],
];
