import { Organization, OrganizationCreation } from '../../../contracts/organizations.ts';
import { auditEntry } from '../../../db/audit/audit-entry.ts';
import { insertOrganization } from '../../../db/organizations/insert-organization.ts';
import { refuse } from '../../../errors.ts';
import { route } from '../../route.ts';
import { serializeOrganization } from './support/serialize-organization.ts';

export const createOrganization = route(
  {
    method: 'post',
    path: '/api/organizations/create',
    summary: 'Create an organization',
    tag: 'Organizations',
    access: { audience: ['admin'] },
    limits: { rate: 'management' },
    body: { schema: OrganizationCreation },
    response: Organization,
    errors: ['organization_exists'],
    example: { body: { metadata: { cost_center: 'FIN-204' } } },
  },
  async (context) => {
    const { deps, body, newId } = context;
    const { organization_id, name } = body;
    const entry = auditEntry(newId('audit'), context, {
      action: 'created_organization',
      resource_type: 'organization',
      resource_id: organization_id,
      details: { name },
    });
    const organization = {
      organization_id,
      name,
      metadata: body.metadata ?? {},
      proxy_organization_id: body.proxy_organization_id ?? null,
    };
    const made = await insertOrganization(deps.database, organization, entry);
    if (!made) throw refuse('organization_exists', organization_id);
    return serializeOrganization(made);
  },
);
