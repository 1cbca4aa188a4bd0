import { Organization, OrganizationCreation } from '../../../contracts/organizations.ts';
import { createOrganization as create } from '../../../services/organizations/create-organization.ts';
import { route } from '../../route.ts';
import { serializeOrganization } from './serialize-organization.ts';

export const createOrganization = route(
  {
    operationId: 'createOrganization',
    method: 'post',
    path: '/api/organizations/create',
    summary: 'Create an organization',
    tag: 'Organizations',
    access: { audience: ['admin'] },
    limits: { rate: 'management' },
    body: { schema: OrganizationCreation.meta({ example: { metadata: { cost_center: 'FIN-204' } } }) },
    response: Organization,
    errors: ['organization_exists'],
  },
  async (context) => serializeOrganization(await create(context, context.body)),
);
