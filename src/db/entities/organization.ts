import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { organizationStatuses } from '../../domain/team.ts';
import { createdAt, updatedAt } from './columns.ts';

export const Organization = defineEntity({
  name: 'Organization',
  tableName: 'organizations',
  properties: {
    organization_id: p.text().primary(),
    name: p.text(),
    status: p.enum(organizationStatuses).default('active'),
    metadata: p.json<Record<string, unknown>>().onCreate(() => ({})),
    proxy_organization_id: p.text().nullable(),
    created_at: createdAt(),
    updated_at: updatedAt(),
  },
});
export type Organization = InferEntity<typeof Organization>;
