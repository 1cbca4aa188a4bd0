import type { Request, Response } from 'express';

/** Where passwords are given or the first owner is made. */
const guarded = new Set([
  '/api/admin-users/login',
  '/api/admin-users/setup',
  '/api/admin-users/:user_id/change-password',
]);
/** 400: a wrong current password, or a set-up when there is an owner. */
const refusedStatuses = new Set([400, 401, 403, 429]);

/**
 * A refusal of a password, of the set-up or of an admin's credential: many of them are an attack, so the line of each is a warning. A
 * request has one line in any case.
 */
export function isSuspicious({ headers }: Request, { statusCode, locals }: Response, path: string): boolean {
  if (statusCode === 401 && (headers['x-admin-key'] !== undefined || locals.refusal === 'admin_key_invalid'))
    return true;
  return guarded.has(path) && refusedStatuses.has(statusCode);
}
