import { queryOptions } from '@tanstack/react-query';
import { get, request } from './request.ts';
import type { Organization, OrganizationList, OrganizationUsage } from './types.ts';

const organizationPath = (id: string, rest = ''): string => `/api/organizations/${encodeURIComponent(id)}${rest}`;

export const organizationQuery = (id: string) =>
  queryOptions({
    queryKey: ['organization', id],
    queryFn: ({ signal }) => get<Organization>(organizationPath(id), {}, signal),
  });

export const organizationUsageQuery = (id: string, period: string) =>
  queryOptions({
    queryKey: ['organization', id, 'usage', period],
    queryFn: ({ signal }) => get<OrganizationUsage>(organizationPath(id, '/usage'), { period }, signal),
  });

/** The organizations that a form offers: the first 1,000. */
export const organizationChoicesQuery = queryOptions({
  queryKey: ['organizations', 'choices'],
  queryFn: ({ signal }) => get<OrganizationList>('/api/organizations', { limit: 1_000 }, signal),
});

export const createOrganization = (body: unknown, idempotencyKey: string): Promise<Organization> =>
  request('POST', '/api/organizations/create', { body, idempotencyKey });

export const updateOrganization = (id: string, body: unknown): Promise<unknown> =>
  request('PUT', organizationPath(id), { body });
