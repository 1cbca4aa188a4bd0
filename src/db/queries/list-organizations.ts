import type { OrganizationStatus } from '../../domain/organization.ts';
import { type Database, statement } from '../database.ts';
import { type OrganizationRow, organizationColumns } from './find-organization.ts';

export interface OrganizationSelection {
  organization_id?: string | undefined;
  status?: OrganizationStatus | undefined;
  limit: number;
  offset: number;
}

const where = '($1::text is null or organization_id = $1) and ($2::text is null or status = $2)';
const listSql = statement(
  'list_organizations',
  `select ${organizationColumns} from organizations where ${where} order by created_at, organization_id limit $3 offset $4`,
);
const countSql = statement('count_organizations', `select count(*) as total from organizations where ${where}`);

/** The page that was asked for, and how many there are in all. */
export async function listOrganizations(
  database: Database,
  { organization_id, status, limit, offset }: OrganizationSelection,
): Promise<{ total: number; rows: OrganizationRow[] }> {
  const filter = [organization_id ?? null, status ?? null];
  const [[counted], rows] = await Promise.all([
    database.query<{ total: number }>(countSql, filter),
    database.query<OrganizationRow>(listSql, [...filter, limit, offset]),
  ]);
  return { total: counted!.total, rows };
}
