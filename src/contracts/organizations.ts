import { z } from 'zod';
import { organizationStatuses } from '../domain/organization.ts';
import { CallerId, GivenObject, KeptObject, Limit, Offset, optional, Timestamp } from './fields.ts';

/** `spec 8.5` */

const OrganizationStatus = z.enum(organizationStatuses);
const OrganizationName = z.string().min(1).max(255);

export const OrganizationParams = z.object({ organization_id: CallerId });

export const OrganizationCreation = z
  .object({
    organization_id: CallerId,
    name: OrganizationName,
    metadata: optional(GivenObject),
    proxy_organization_id: optional(CallerId),
  })
  .meta({ id: 'OrganizationCreation' });

export const OrganizationUpdate = z
  .object({ name: optional(OrganizationName), status: optional(OrganizationStatus), metadata: optional(GivenObject) })
  .meta({ id: 'OrganizationUpdate' });

export const Organization = z
  .object({
    organization_id: z.string(),
    name: z.string(),
    status: OrganizationStatus,
    metadata: KeptObject,
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Organization' });

export const OrganizationListQuery = z.object({
  organization_id: CallerId.optional(),
  status: OrganizationStatus.optional(),
  limit: Limit,
  offset: Offset,
});

export const OrganizationList = z
  .object({ total: z.int(), organizations: z.array(Organization) })
  .meta({ id: 'OrganizationList' });

export const OrganizationTeams = z
  .object({ organization_id: z.string(), team_count: z.int(), teams: z.array(z.string()) })
  .meta({ id: 'OrganizationTeams' });
