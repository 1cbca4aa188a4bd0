import { hashRecoveryCode, secondFactorContext, stepOfCode, typedCode } from '../../auth/one-time-codes.ts';
import { findSecondFactor, useRecoveryCode, useStep } from '../../db/admin-users/second-factor.ts';
import { auditEntry } from '../../db/audit/write-audit-entry.ts';
import type { ServiceContext } from '../context.ts';

const isOneTimeCode = (code: string): boolean => /^\d{6}$/.test(code);

/** Whether this is a code of the user's second factor, or a recovery code. It is used up by that: each is right once. */
export function useCode(context: ServiceContext, userId: string, typed: string): Promise<boolean> {
  const code = typedCode(typed);
  return isOneTimeCode(code) ? useOneTimeCode(context, userId, code) : useRecovery(context, userId, code);
}

async function useOneTimeCode({ deps }: ServiceContext, userId: string, code: string): Promise<boolean> {
  const found = await findSecondFactor(deps.database, userId);
  const sealed = found?.second_factor_at && found.second_factor_sealed;
  const secret = sealed && openSecret(deps, userId, sealed);
  const step = secret ? stepOfCode(secret, code) : undefined;
  return step !== undefined && useStep(deps.database, userId, sealed!, step);
}

/** The secret; undefined where MASTER_KEY is no longer the one that has sealed it: recovery codes still work. */
export function openSecret(
  { secrets, log }: Pick<ServiceContext['deps'], 'secrets' | 'log'>,
  userId: string,
  sealed: Buffer,
): string | undefined {
  try {
    return secrets.open(sealed, secondFactorContext(userId));
  } catch {
    log.error({ user_id: userId }, 'second factor: MASTER_KEY does not open the secret');
    return undefined;
  }
}

function useRecovery({ deps, ip, newId }: ServiceContext, userId: string, code: string): Promise<boolean> {
  const actor = { caller: { kind: 'user', userId }, ip } as const;
  const change = { action: 'used_recovery_code', resource_type: 'admin_user', resource_id: userId };
  const audit_entry = auditEntry(newId('recovery audit'), actor, change);
  return useRecoveryCode(deps.database, { user_id: userId, code_hash: hashRecoveryCode(userId, code), audit_entry });
}
