import type { OrganizationStatus } from '../../domain/team.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

export interface OrganizationRow {
  organization_id: string;
  name: string;
  status: OrganizationStatus;
  metadata: Record<string, unknown>;
  proxy_organization_id: string | null;
  created_at: Date;
  updated_at: Date;
}

export const organizationColumns =
  'organization_id, name, status, metadata, proxy_organization_id, created_at, updated_at';

const sql = statement(
  'find_organization',
  `select ${organizationColumns} from organizations where organization_id = :organization_id`,
);

export async function findOrganization(
  database: Database,
  organizationId: string,
): Promise<OrganizationRow | undefined> {
  const [row] = await database.query<OrganizationRow>(sql, { organization_id: organizationId });
  return row;
}
