import { audit } from '../audit.ts';
import { type Database, statement } from '../database.ts';
import { upstreamChange } from '../upstream-changes.ts';
import { type OrganizationRow, organizationColumns } from './find-organization.ts';

/** Null stays as it is. */
export interface OrganizationChange {
  name: string | null;
  status: OrganizationRow['status'] | null;
  metadata: Record<string, unknown> | null;
}

const sql = statement(
  'update_organization',
  `with before as (
     select organization_id, status from organizations where organization_id = $1 for no key update
   ), changed as (
     update organizations o
        set name = coalesce($2, o.name), status = coalesce($3, o.status), metadata = coalesce($4, o.metadata),
            updated_at = clock_timestamp()
       from before where o.organization_id = before.organization_id
     returning o.*, before.status as status_before
   ), teams_of as (
     select t.team_id from changed join teams t on t.organization_id = changed.organization_id
      where (changed.status = 'active') <> (changed.status_before = 'active')
   ), audited as (${audit('changed', '$5')}), told as (${upstreamChange('teams_of')})
   select ${organizationColumns}, array(select team_id from teams_of) as changed_teams from changed`,
);

export interface UpdatedOrganization extends OrganizationRow {
  /** Teams that the upstream has to block or unblock. */
  changed_teams: string[];
}

/** Undefined without such an organization. Its teams are suspended with it: their rows say nothing of that. */
export async function updateOrganization(
  database: Database,
  organizationId: string,
  { name, status, metadata }: OrganizationChange,
  auditEntry: string,
): Promise<UpdatedOrganization | undefined> {
  const values = [organizationId, name, status, metadata, auditEntry];
  const [row] = await database.query<UpdatedOrganization>(sql, values);
  return row;
}
