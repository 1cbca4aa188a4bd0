import type { OrganizationStatus } from '../../domain/team.ts';
import type { Database } from '../connection/database.ts';
import { type Page, readPage } from '../sql/read-page.ts';
import { type OrganizationRow, organizationColumns } from './find-organization.ts';

export interface OrganizationSelection extends Page {
  organization_id?: string | undefined;
  status?: OrganizationStatus | undefined;
}

const from = `organizations where (:organization_id::text is null or organization_id = :organization_id)
     and (:status::text is null or status = :status)`;
const listing = {
  name: 'list_organizations',
  columns: organizationColumns,
  from,
  order: 'created_at, organization_id',
  count: `select count(*) as total from ${from}`,
};

/** The oldest first. */
export const listOrganizations = (database: Database, { organization_id, status, ...page }: OrganizationSelection) =>
  readPage<OrganizationRow>(
    database,
    listing,
    { organization_id: organization_id ?? null, status: status ?? null },
    page,
  );
