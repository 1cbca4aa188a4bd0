import { randomUUID } from 'node:crypto';
import { DetailError, SimulatorError } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import { checkBudget, managementError, pythonDict, refuseTags } from './check-budget.ts';
import { BlockTeam, DeleteTeams, NewTeam, UpdateTeam } from './management-requests.ts';
import { readBody } from './read-body.ts';
import type { Team } from './registry.ts';

/** POST /team/new. 400 for a team id that exists, and for any organization: the simulator has none. */
export function newTeam(exchange: Exchange): Team {
  const { teams } = exchange.simulation.registry;
  const body = readBody(exchange, NewTeam);
  checkBudget(body);
  const teamId = body.team_id?.trim() ? body.team_id : randomUUID();
  if (teams.has(teamId)) {
    throw managementError(400, `Team id = ${teamId} already exists. Please use a different team id.`);
  }
  refuseOrganization(body.organization_id);
  refuseTags(body.tags);
  const now = new Date().toISOString();
  const team: Team = {
    team_id: teamId,
    team_alias: body.team_alias ?? null,
    organization_id: null,
    admins: [],
    members: [],
    members_with_roles: [],
    metadata: body.metadata ?? {},
    max_budget: body.max_budget ?? null,
    soft_budget: body.soft_budget ?? null,
    spend: 0,
    models: body.models ?? [],
    max_parallel_requests: null,
    tpm_limit: body.tpm_limit ?? null,
    rpm_limit: body.rpm_limit ?? null,
    tpd_limit: body.tpd_limit ?? null,
    budget_duration: body.budget_duration ?? null,
    budget_reset_at: null,
    blocked: body.blocked ?? false,
    created_at: now,
    updated_at: now,
    model_id: null,
  };
  teams.set(teamId, team);
  return team;
}

/** POST /team/update. Absent fields do not change; null clears; metadata is replaced, not merged. */
export function updateTeam(exchange: Exchange) {
  const { team_id: teamId, model_aliases: _, tags, organization_id, ...changes } = readBody(exchange, UpdateTeam);
  checkBudget(changes);
  const { registry } = exchange.simulation;
  const team = registry.teams.get(teamId);
  if (!team) throw managementError(404, `Team not found, passed team_id=${teamId}`);
  refuseOrganization(organization_id);
  refuseTags(tags);
  const { metadata, models, blocked, ...rest } = changes;
  Object.assign(team, rest, {
    ...(metadata === undefined ? {} : { metadata: metadata ?? {} }),
    ...(models == null ? {} : { models }),
    ...(blocked == null ? {} : { blocked }),
    updated_at: new Date().toISOString(),
  });
  registry.refreshTeam(teamId);
  return { team_id: teamId, data: team };
}

/** POST /team/delete. Deletes all teams or none, with their keys. */
export function deleteTeams(exchange: Exchange) {
  const { registry } = exchange.simulation;
  const teamIds = [...new Set(readBody(exchange, DeleteTeams).team_ids)];
  for (const teamId of teamIds) if (!registry.teams.has(teamId)) throw teamNotFound(teamId);
  for (const teamId of teamIds) {
    for (const { token } of registry.keysOfTeam(teamId)) registry.keys.delete(token);
    registry.teams.delete(teamId);
    registry.refreshTeam(teamId);
  }
  return { deleted_teams: teamIds };
}

/** POST /team/block and /team/unblock. As at LiteLLM, what is in memory of the team stays: `Registry.teamOfRequests`. */
export const setTeamBlocked = (blocked: boolean) => (exchange: Exchange) => {
  const { team_id: teamId } = readBody(exchange, BlockTeam);
  const team = exchange.simulation.registry.teams.get(teamId);
  if (!team) throw teamNotFound(teamId);
  return Object.assign(team, { blocked, updated_at: new Date().toISOString() });
};

/** GET /team/info?team_id= */
export function teamInfo({ simulation, request }: Exchange) {
  const teamId = request.query.team_id;
  const team = typeof teamId === 'string' ? simulation.registry.teams.get(teamId) : undefined;
  if (!team) {
    const [status, message] =
      teamId === undefined
        ? [422, 'Malformed request. No team id passed in.']
        : [404, `Team not found, passed team id: ${teamId}.`];
    throw new SimulatorError(Number(status), pythonDict('message', String(message)), {
      type: 'auth_error',
      param: 'None',
    });
  }
  const keys = simulation.registry.keysOfTeam(team.team_id).map(({ token: _, ...shown }) => shown);
  return { team_id: team.team_id, team_info: team, keys, team_memberships: [] };
}

/** The error is in FastAPI's form: deleting and blocking raise outside LiteLLM's error handling. */
const teamNotFound = (teamId: string) => new DetailError(404, { error: `Team not found, passed team_id=${teamId}` });

function refuseOrganization(organizationId: string | null | undefined): void {
  if (!organizationId) return;
  throw new SimulatorError(400, `Organization not found for organization_id=${organizationId}`, {
    type: 'internal_server_error',
  });
}
