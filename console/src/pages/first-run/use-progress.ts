import { useQuery } from '@tanstack/react-query';
import { modelGroupsQuery } from '../../api/models.ts';
import { organizationChoicesQuery } from '../../api/organizations.ts';
import { activeTeamsQuery } from '../../api/teams.ts';
import type { ModelGroup, OrganizationInList, Team } from '../../api/types.ts';

export interface Progress {
  organization: OrganizationInList | undefined;
  team: Team | undefined;
  /** Active teams that could make the call. */
  teams: readonly Team[];
  /** A model group that the team can call. */
  group: ModelGroup | undefined;
  /** Active model groups with a model. */
  groups: readonly ModelGroup[];
}

const hasModel = ({ status, models }: ModelGroup): boolean =>
  status === 'active' && models.some(({ is_active }) => is_active);

/** What is there already, from the API (decision 135): whoever loads the page again, or comes with the sample of `npm start`, goes on from there. */
export function useProgress(wanted: string | undefined) {
  const organizations = useQuery(organizationChoicesQuery);
  const allTeams = useQuery(activeTeamsQuery);
  const allGroups = useQuery(modelGroupsQuery);
  const reads = [organizations, allTeams, allGroups];
  const error = reads.find((read) => read.error)?.error ?? null;
  const retry = () => {
    for (const read of reads) if (read.error) void read.refetch();
  };
  if (!organizations.data || !allTeams.data || !allGroups.data) return { progress: undefined, error, retry };
  const every = allTeams.data.teams;
  const teams = every.filter(({ is_test }) => !is_test);
  const ofTests = new Set(every.filter(({ is_test }) => is_test).map(({ organization_id }) => organization_id));
  const groups = allGroups.data.filter(hasModel);
  const groupOf = (team: Team) => groups.find(({ group_name }) => team.model_groups.includes(group_name));
  const team = teams.find(({ team_id }) => team_id === wanted) ?? teams.find(groupOf) ?? teams[0];
  const usable = organizations.data.organizations.filter(
    ({ organization_id, status }) => status === 'active' && !ofTests.has(organization_id),
  );
  const organization = team
    ? organizations.data.organizations.find(({ organization_id }) => organization_id === team.organization_id)
    : usable[0];
  const progress: Progress = { organization, team, teams, group: team && groupOf(team), groups };
  return { progress, error, retry };
}
