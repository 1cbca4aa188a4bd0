import { rereadOnce } from '../../concurrency/reread-once.ts';
import { audit } from '../audit/write-audit-entry.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { type OrganizationRow, organizationColumns } from './find-organization.ts';

export interface NewOrganization {
  organization_id: string;
  name: string;
  metadata: Record<string, unknown>;
  proxy_organization_id: string | null;
}

const sql = statement(
  'insert_organization',
  `with inserted as (
     insert into organizations (organization_id, name, metadata, proxy_organization_id)
     values (:organization_id, :name, :metadata, :proxy_organization_id)
     on conflict (organization_id) do nothing
     returning *
   ), audited as (${audit('inserted')})
   select ${organizationColumns} from inserted
   union all
   select ${organizationColumns} from organizations
    where organization_id = :organization_id
      and exists (select from audit_log where audit_id = (:audit_entry::json ->> 'audit_id')::uuid
                     and resource_id = :organization_id)`,
);

/** Undefined when the id is taken. A request that is executed again finds the organization that it inserted, by its audit entry. */
export async function insertOrganization(
  database: Database,
  organization: NewOrganization,
  auditEntry: string,
): Promise<OrganizationRow | undefined> {
  const { organization_id, name, metadata, proxy_organization_id } = organization;
  const values = { organization_id, name, metadata, proxy_organization_id, audit_entry: auditEntry };
  const [row] = await rereadOnce(
    () => database.query<OrganizationRow>(sql, values),
    (rows) => rows.length > 0,
  );
  return row;
}
