import type { Request, Response } from 'express';
import type { Caller } from '../../services/caller.ts';

/** Records the owner of the credential for the log line of the request, also if the request is refused. */
export function noteCaller({ res }: Request, caller: Caller): void {
  if (res) res.locals.caller = caller;
}

/** The caller of a request as far as it is known. */
export const notedCaller = ({ locals }: Response): Caller =>
  (locals.caller as Caller | undefined) ?? { kind: 'anonymous' };

/** The caller in the fields of a log line: the kind and the id, never a part of the credential. */
export function callerFields(response: Response): Record<string, string> {
  const caller = notedCaller(response);
  if (caller.kind === 'team' && caller.viewer)
    return { caller: 'user', user_id: caller.viewer.userId, viewed_team_id: caller.teamId };
  if (caller.kind === 'team') return { caller: 'team', team_id: caller.teamId };
  if (caller.kind === 'user') return { caller: 'user', user_id: caller.userId };
  return { caller: caller.kind };
}
