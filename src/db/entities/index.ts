import { AdminSession } from './admin-session.ts';
import { AdminUser } from './admin-user.ts';
import { AuditEntry } from './audit-entry.ts';
import { ModelGroup, ModelGroupMember } from './model-group.ts';
import { Organization } from './organization.ts';
import { Team } from './team.ts';
import { Webhook, WebhookDelivery } from './webhook.ts';

export const entities = [
  Organization,
  Team,
  ModelGroup,
  ModelGroupMember,
  AdminUser,
  AdminSession,
  AuditEntry,
  Webhook,
  WebhookDelivery,
];
