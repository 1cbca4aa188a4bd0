import type { Request, Response } from 'express';
import type { Caller } from './caller.ts';

/** Notes whose credential a request carries, for its log line: also when that caller may not do what it asks for. */
export function noteCaller({ res }: Request, caller: Caller): void {
  if (res) res.locals.caller = caller;
}

/** The caller in the fields of a log line: the kind and the id, never a part of the credential. */
export function callerFields({ locals }: Response): Record<string, string> {
  const caller = (locals.caller as Caller | undefined) ?? { kind: 'anonymous' };
  if (caller.kind === 'team') return { caller: 'team', team_id: caller.teamId };
  if (caller.kind === 'user') return { caller: 'user', user_id: caller.userId };
  return { caller: caller.kind };
}
