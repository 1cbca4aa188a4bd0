import type { Scope } from '../../db/figures/job-days.ts';
import { type Caller, requireOrganization, requireTeam, visibleTeam } from '../caller.ts';

/** The scope of the figures that the caller requests: a team sees its own. */
export function figureScope(
  caller: Caller,
  { team_id, organization_id }: { team_id?: string | undefined; organization_id?: string | undefined },
): Scope {
  if (team_id !== undefined) requireTeam(caller, team_id);
  if (organization_id !== undefined) requireOrganization(caller, organization_id);
  return {
    team_id: visibleTeam(caller, team_id) ?? null,
    organization_id: organization_id ?? null,
  };
}

/** The key of a cached figure. Dates of a range are whole hours or days, so that requests of consoles at different moments share it. */
export const figureKey = (name: string, question: object): string => `${name} ${JSON.stringify(question)}`;
