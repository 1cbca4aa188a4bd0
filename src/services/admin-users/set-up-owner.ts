import type { z } from 'zod';
import type { SetUpOwner } from '../../contracts/admin-users.ts';
import { AdminUser } from '../../db/entities/admin-user.ts';
import { lockChanges } from '../../db/sql/lock-changes.ts';
import { refuse } from '../../errors.ts';
import type { ServiceContext } from '../context.ts';
import { type OpenedSession, openSession } from '../sessions/open-session.ts';
import type { PasswordLimits } from './password-limits.ts';
import { requireUncommonPassword } from './require-uncommon-password.ts';

/** Creates the first owner and logs them in: works once, while there is no admin user. */
export async function setUpOwner(
  context: ServiceContext,
  { email, display_name, password }: z.output<typeof SetUpOwner>,
  limits: PasswordLimits,
): Promise<OpenedSession> {
  const { deps, newId } = context;
  const refuseIfDone = async (entities = deps.database.entities()) => {
    if ((await entities.count(AdminUser)) > 0) throw refuse('setup_completed');
  };
  await refuseIfDone();
  requireUncommonPassword(deps, password, 'password');
  const password_hash = await limits.inTurn(async () => {
    // The check is repeated when the turn has come: requests that come late cost no hash.
    await refuseIfDone();
    return deps.passwords.hash(password);
  });
  return deps.database.transaction(async (entities) => {
    await lockChanges(entities, 'admin users');
    await refuseIfDone(entities);
    const user_id = newId('admin_user');
    const owner = entities.create(AdminUser, { user_id, email, display_name, role: 'owner', password_hash });
    await entities.persist(owner).flush();
    return openSession(entities, context, owner, { kind: 'token', action: 'setup_owner' });
  });
}
