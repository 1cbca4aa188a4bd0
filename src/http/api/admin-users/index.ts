import { changePassword } from './change-password.ts';
import { createAdminUser } from './create-admin-user.ts';
import { deleteAdminUser } from './delete-admin-user.ts';
import { deleteOwnAccount } from './delete-own-account.ts';
import { endOtherSessions, endOwnSession } from './end-sessions.ts';
import { getMe } from './get-me.ts';
import { getSetupStatus } from './get-setup-status.ts';
import { listAdminUsers } from './list-admin-users.ts';
import { listAuditEntries } from './list-audit-entries.ts';
import { listSessions } from './list-sessions.ts';
import { logIn } from './log-in.ts';
import { logOut } from './log-out.ts';
import { confirmSecondFactor, disableSecondFactor, resetSecondFactor, startSecondFactor } from './second-factor.ts';
import { setUpOwner } from './set-up-owner.ts';
import { updateAdminUser } from './update-admin-user.ts';

export const adminUserRoutes = [
  getSetupStatus,
  setUpOwner,
  logIn,
  logOut,
  getMe,
  deleteOwnAccount,
  listSessions,
  endOwnSession,
  endOtherSessions,
  listAdminUsers,
  createAdminUser,
  updateAdminUser,
  deleteAdminUser,
  changePassword,
  startSecondFactor,
  confirmSecondFactor,
  disableSecondFactor,
  resetSecondFactor,
  listAuditEntries,
];
