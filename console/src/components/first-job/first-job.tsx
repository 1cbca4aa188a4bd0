import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { wholeUrl } from '../../api/base.ts';
import { callableModelsQuery, modelGroupsQuery } from '../../api/models.ts';
import { useSession } from '../../api/session.ts';
import { activeTeamsQuery } from '../../api/teams.ts';
import { firstJobCurl } from '../../format/first-job-curl.ts';
import { CopyBlock } from '../ui/copy-block.tsx';
import { Permission } from '../ui/permission.tsx';

interface Example {
  teamId: string;
  modelGroup: string;
}

interface FirstJobProps {
  /** The team of the example; without one the team of the session, or for an admin one that can make calls. */
  of?: { team_id: string; model_groups: readonly string[] };
  /** A key that is shown beside it. */
  virtualKey?: string;
}

/** A line for a shell that makes a job with one call. It names a team and a model that this team can call, so that it works as it is. */
export function FirstJob({ of, virtualKey }: FirstJobProps) {
  const { example, isPending } = useExample(of);
  if (isPending) return null;
  if (!example)
    return (
      <p className="muted">
        {of
          ? 'The team has no active model group, so that it can make no calls yet.'
          : 'No team with a model group can make calls yet.'}{' '}
        {!of && (
          <Permission needs="teams:write">
            <Link to="/first-call">Make the first call</Link>
          </Permission>
        )}
      </p>
    );
  const { teamId, modelGroup } = example;
  return (
    <>
      <p className="muted">
        {virtualKey ? (
          'A first job:'
        ) : (
          <>
            A job with one call, where <code>VIRTUAL_KEY</code> is the key of {teamId}:
          </>
        )}
      </p>
      <CopyBlock
        text={firstJobCurl({ url: wholeUrl('/api/jobs/create-and-call'), teamId, key: virtualKey, modelGroup })}
        label="Copy the curl line"
      />
    </>
  );
}

function useExample(of: FirstJobProps['of']): { example: Example | undefined; isPending: boolean } {
  const { team } = useSession();
  const isTeam = team !== null && team !== undefined;
  const callable = useQuery({ ...callableModelsQuery, enabled: isTeam });
  const groups = useQuery({ ...modelGroupsQuery, enabled: !isTeam });
  const teams = useQuery({ ...activeTeamsQuery, enabled: !isTeam && of === undefined });
  if (isTeam) {
    const model = callable.data?.data[0]?.id;
    return { example: model ? { teamId: team.team_id, modelGroup: model } : undefined, isPending: callable.isPending };
  }
  const active = new Set(groups.data?.filter(({ status }) => status === 'active').map(({ group_name }) => group_name));
  const examples = (of ? [of] : (teams.data?.teams ?? [])).flatMap(({ team_id, model_groups }) => {
    const modelGroup = model_groups.find((name) => active.has(name));
    return modelGroup ? [{ teamId: team_id, modelGroup }] : [];
  });
  return { example: examples[0], isPending: groups.isPending || (of === undefined && teams.isPending) };
}
