import type { SqlEntityManager } from '@mikro-orm/postgresql';
import type { OrganizationStatus } from '../../domain/team.ts';
import { audit } from '../audit/write-audit-entry.ts';
import { executeIn } from '../connection/execute-in.ts';
import { unnamed } from '../sql/statement.ts';
import { deleteTeamSessions } from '../team-sessions/delete-team-sessions.ts';
import { insertUpstreamChange } from '../upstream-teams/record-change.ts';

/** Null leaves a field as it is. */
export interface OrganizationChange {
  name: string | null;
  status: OrganizationStatus | null;
  metadata: Record<string, unknown> | null;
}

const lockSql = unnamed(
  'select organization_id from organizations where organization_id = :organization_id for no key update',
);
const changeSql = unnamed(`
  with before as (
    select organization_id, status from organizations where organization_id = :organization_id
  ), changed as (
    update organizations o
       set name = coalesce(:name, o.name), status = coalesce(:status, o.status), metadata = coalesce(:metadata::jsonb, o.metadata),
           updated_at = clock_timestamp()
      from before where o.organization_id = before.organization_id
    returning o.organization_id, o.status, before.status as status_before
  ), teams_of as (
    select t.team_id from changed join teams t on t.organization_id = changed.organization_id
     where (changed.status = 'active') <> (changed.status_before = 'active')
  ), signed_out as (${deleteTeamSessions('teams_of', "(select status from changed) <> 'active'")}
  ), audited as (${audit('changed')}), upstream_change as (${insertUpstreamChange('teams_of')})
  select team_id from teams_of`);

/** False: there is no such organization. */
export async function lockOrganization(entities: SqlEntityManager, organizationId: string): Promise<boolean> {
  return (await executeIn(entities, lockSql, { organization_id: organizationId })).length > 0;
}

/**
 * Returns the teams that the upstream has to block or unblock: they are suspended with their organization, which their own rows do not
 * show.
 */
export async function changeOrganization(
  entities: SqlEntityManager,
  organizationId: string,
  { name, status, metadata }: OrganizationChange,
  auditEntry: string,
): Promise<string[]> {
  const teams = await executeIn<{ team_id: string }>(entities, changeSql, {
    organization_id: organizationId,
    name,
    status,
    metadata: metadata && JSON.stringify(metadata),
    audit_entry: auditEntry,
  });
  return teams.map(({ team_id }) => team_id);
}
