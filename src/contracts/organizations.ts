import { z } from 'zod';
import { organizationStatuses } from '../domain/team.ts';
import { csvFormat } from './csv.ts';
import { beginsOnce, beginsTwice, Cursor, shownWithCursor } from './cursor.ts';
import {
  CallerId,
  keptObject,
  Limit,
  NewCallerId,
  namedEnum,
  Offset,
  optional,
  Period,
  SearchText,
  StoredObject,
  text,
  texts,
} from './fields.ts';
import { requestFields, responseFields } from './shared-fields.ts';
import { OrganizationUsage } from './usage.ts';

/** `spec 8.5` */

const OrganizationStatus = namedEnum('OrganizationStatus', organizationStatuses).describe(
  'Unless it is `active`, every request with a key of one of its teams is refused with 403',
);
const OrganizationName = z
  .string()
  .min(1)
  .max(255)
  .meta({ description: 'Display name of the organization, 1 to 255 characters', example: 'Acme Inc.' });

export const OrganizationParams = z.object({ organization_id: requestFields.organization_id });

export const OrganizationCreation = z
  .object({
    organization_id: NewCallerId.meta({
      description:
        'Id of the new organization, unique in the installation: at most 255 characters without control characters',
      example: 'acme',
    }),
    name: OrganizationName,
    metadata: optional(StoredObject).describe('Any JSON object, stored with the organization. Default `{}`'),
    proxy_organization_id: optional(CallerId).describe(
      'Id of the organization in the upstream proxy; sent there in the metadata of each of its teams',
    ),
  })
  .meta({ id: 'OrganizationCreation' });

export const OrganizationUpdate = z
  .object({
    name: optional(OrganizationName),
    status: optional(OrganizationStatus),
    metadata: optional(StoredObject).describe('Any JSON object; replaces the metadata of the organization'),
  })
  .meta({ id: 'OrganizationUpdate' });

export const Organization = z
  .object({
    organization_id: responseFields.organization_id,
    name: text('Display name of the organization', 'Acme Inc.'),
    status: OrganizationStatus,
    metadata: keptObject('What an admin stored with the organization; `{}` when nothing was stored'),
    created_at: responseFields.created_at,
    updated_at: responseFields.updated_at,
  })
  .meta({ id: 'Organization' });

export const OrganizationListQuery = z
  .object({
    organization_id: requestFields.organization_id.optional().describe('Only the organization with this id'),
    status: OrganizationStatus.optional().describe('Only organizations in this status; without it, in any'),
    q: SearchText.optional().describe('Only organizations whose id or name contains this text, in any case'),
    usage_period: Period.optional().describe(
      'A calendar month, UTC: `YYYY-MM`. With it, each organization has its number of teams and its usage in that month',
    ),
    limit: Limit,
    offset: Offset,
    cursor: Cursor.optional(),
    ...csvFormat,
  })
  .refine(beginsOnce, beginsTwice);

export const OrganizationInList = Organization.extend({
  team_count: z.int().optional().describe('How many teams the organization has. Only with a `usage_period`'),
  usage: OrganizationUsage.shape.summary
    .optional()
    .describe(
      'All its teams together in the month; jobs count in the month of their creation. Only with a `usage_period`',
    ),
}).meta({ id: 'OrganizationInList' });

export const OrganizationList = z
  .object({
    total: responseFields.total,
    organizations: z.array(OrganizationInList).describe('The organizations of this page'),
    next_cursor: shownWithCursor,
  })
  .meta({ id: 'OrganizationList' });

export const OrganizationTeams = z
  .object({
    organization_id: responseFields.organization_id,
    team_count: z.int().describe('How many teams the organization has'),
    teams: texts('Ids of all its teams, the oldest first', ['acme-research']),
  })
  .meta({ id: 'OrganizationTeams' });

export const OrganizationTeamsQuery = z.object(csvFormat);
/** A line of the file with the teams. */
export const OrganizationTeam = z.object({ team_id: responseFields.team_id });
