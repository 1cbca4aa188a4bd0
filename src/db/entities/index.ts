import { AdminInvitation } from './admin-invitation.ts';
import { AdminSession } from './admin-session.ts';
import { AdminUser } from './admin-user.ts';
import { AuditEntry } from './audit-entry.ts';
import { CreditAccount } from './credit-account.ts';
import { CreditTransaction } from './credit-transaction.ts';
import { ModelAccessGroup, ModelAlias } from './model-access.ts';
import { ModelGroup, ModelGroupMember } from './model-group.ts';
import { Organization } from './organization.ts';
import { Team } from './team.ts';
import { TeamAccessGroup, TeamModelGroup } from './team-grants.ts';
import { TeamKey } from './team-key.ts';
import { VirtualKey } from './virtual-key.ts';
import { Webhook, WebhookDelivery } from './webhook.ts';

export const entities = [
  Organization,
  Team,
  ModelGroup,
  ModelGroupMember,
  ModelAlias,
  ModelAccessGroup,
  AdminUser,
  AdminSession,
  AdminInvitation,
  AuditEntry,
  TeamModelGroup,
  TeamAccessGroup,
  VirtualKey,
  TeamKey,
  CreditAccount,
  CreditTransaction,
  Webhook,
  WebhookDelivery,
];
