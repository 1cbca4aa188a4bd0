import { servicePath } from '../../api/base.ts';
import { useSession } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { CopyBlock } from '../../components/copy-block.tsx';
import { NothingMatches, NothingYet } from '../../components/empty.tsx';
import type { ActiveFilter } from './filters.ts';
import type { JobSearch } from './job-search.ts';

interface NoJobsProps {
  active: readonly ActiveFilter[];
  onDrop: (search: JobSearch) => void;
}

/** Without filters there is no job in this range: how to make one. With filters: which of them to drop. */
export function NoJobs({ active, onDrop }: NoJobsProps) {
  const { team } = useSession();
  if (active.length > 0)
    return (
      <NothingMatches what="jobs">
        <p className="muted">In this time range. Drop a filter:</p>
        <div>
          {active.map(({ name, value, without }) => (
            <Button key={`${name} ${value}`} onClick={() => onDrop(without)}>
              {name} {value}
            </Button>
          ))}
        </div>
      </NothingMatches>
    );
  return (
    <NothingYet what="jobs in this time range">
      <p className="muted">A longer range may have some. A job with one call is made like this:</p>
      <CopyBlock text={sampleCall(team?.team_id ?? 'YOUR_TEAM')} />
    </NothingYet>
  );
}

const sampleCall = (teamId: string): string =>
  `curl ${window.location.origin}${servicePath}api/jobs/create-and-call \\
  -H "Authorization: Bearer $VIRTUAL_KEY" -H "Content-Type: application/json" \\
  -d '{"team_id": "${teamId}", "job_type": "test", "model": "gpt-4o-mini", "messages": [{"role": "user", "content": "Hello"}]}'`;
