import { auditFailedLogin } from '../../../db/admin-users/audit-failed-login.ts';
import { writeAuditEntry } from '../../../db/audit/audit-entry.ts';
import { Refusal, type RefusalCode } from '../../../errors.ts';
import type { RequestContext } from '../../route.ts';

const isRefusal = (error: unknown, ...codes: RefusalCode[]): error is Refusal =>
  error instanceof Refusal && codes.includes(error.code);

/** For `catch`: audits a login that failed and throws its error on. Bounded by the limit of failed logins. */
export const failedLogin =
  ({ deps, ip }: Pick<RequestContext, 'deps' | 'ip'>, email: string) =>
  async (error: unknown): Promise<never> => {
    if (isRefusal(error, 'login_failed', 'account_inactive'))
      await auditFailedLogin(deps.database, { email, refused: error.code, ip });
    throw error;
  };

/** For `catch`: the same for a password that was not changed because the current one was wrong. */
export const failedPasswordChange =
  (context: RequestContext, userId: string) =>
  async (error: unknown): Promise<never> => {
    const change = { action: 'failed_password_change', resource_type: 'admin_user', resource_id: userId };
    if (isRefusal(error, 'password_wrong'))
      await context.deps.database.transaction((entities) => writeAuditEntry(entities, context, change));
    throw error;
  };
