import { adminHolder, type Holder, networkHolder, teamHolder } from '../holders/holder.ts';
import { networkOf } from '../holders/network.ts';
import type { Caller } from './caller.ts';

/** The holder that a caller is: its key and its sessions by cookie are one. A caller without a credential is its network. */
export function holderOf(caller: Caller, ip: string): Holder {
  switch (caller.kind) {
    case 'anonymous':
      return networkHolder(networkOf(ip));
    case 'team':
      // A view takes nothing from the team.
      return caller.viewer ? holderOf(caller.viewer, ip) : teamHolder(caller.teamId);
    case 'user':
      return adminHolder(`user:${caller.userId}`);
    case 'platform':
      return adminHolder('platform');
  }
}
