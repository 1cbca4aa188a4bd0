import { hashRecoveryCode, newRecoveryCodes, stepOfCode, typedCode } from '../../auth/one-time-codes.ts';
import { confirmSecret, findSecondFactor } from '../../db/admin-users/second-factor.ts';
import { writeAuditEntry } from '../../db/audit/write-audit-entry.ts';
import { AdminSession } from '../../db/entities/admin-session.ts';
import { refuse } from '../../errors.ts';
import { lockAsCaller } from '../admin-users/manageable-user.ts';
import { requireUser } from '../caller.ts';
import type { ServiceContext } from '../context.ts';
import { openSecret } from './use-code.ts';

/**
 * Switches the second factor of the caller on, with the first code of the authenticator. Returns the recovery codes, which are kept as
 * digests only. Ends the other sessions of the user, which were opened without it.
 */
export async function confirmSecondFactor(context: ServiceContext, typed: string): Promise<string[]> {
  const { deps } = context;
  const caller = requireUser(context.caller);
  const { userId: user_id, sessionId } = caller;
  const found = await findSecondFactor(deps.database, user_id);
  if (found?.second_factor_at) throw refuse('second_factor_on');
  const sealed = found?.second_factor_sealed;
  const secret = sealed && openSecret(deps, user_id, sealed);
  if (!secret) throw refuse('second_factor_not_started');
  const step = stepOfCode(secret, typedCode(typed));
  if (step === undefined) throw refuse('code_wrong');
  const codes = newRecoveryCodes();
  const code_hashes = codes.map((code) => hashRecoveryCode(user_id, code).toString('hex'));
  await deps.database.transaction(async (entities) => {
    await lockAsCaller(entities, caller);
    const confirmed = await confirmSecret(entities, { user_id, sealed, step, code_hashes });
    if (!confirmed) throw refuse('second_factor_not_started');
    await entities.nativeUpdate(AdminSession, { user_id, session_id: { $ne: sessionId } }, { is_revoked: true });
    await writeAuditEntry(entities, context, {
      action: 'enabled_second_factor',
      resource_type: 'admin_user',
      resource_id: user_id,
    });
  });
  return codes;
}
