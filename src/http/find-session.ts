import type { Deps } from '../deps.ts';
import type { UserCaller } from './caller.ts';

export const findSession = async (_deps: Deps, _token: string): Promise<UserCaller | undefined> => undefined;
