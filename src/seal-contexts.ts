import { secondFactorContext } from './auth/one-time-codes.ts';
import type { SealedColumnName } from './db/sealed/sealed-columns.ts';
import { sealContext } from './webhook-delivery/sign-webhook.ts';

/** The context in which the values of each column are sealed, by the id of their owner. */
export const sealContexts: Record<SealedColumnName, (owner: string) => string> = {
  'virtual_keys.key_sealed': (teamId) => teamId,
  'team_keys.key_sealed': (teamId) => teamId,
  'webhooks.secret_sealed': sealContext.secret,
  'webhooks.auth_header_sealed': sealContext.authHeader,
  'admin_users.second_factor_sealed': secondFactorContext,
  'idempotency_keys.answer_sealed': (scope) => scope,
};
