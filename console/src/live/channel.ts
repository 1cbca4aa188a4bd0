import { nameInBrowser } from '../api/base.ts';
import type { Changes } from '../api/types.ts';

/** How this tab receives changes: from the stream, or by a poll every five seconds; a hidden tab does neither. */
export type LiveState = 'connecting' | 'live' | 'polling' | 'paused';

/** A message that the tab with the stream sends to the other tabs. */
export type TabMessage =
  | { type: 'changes'; changes: Changes }
  | { type: 'resync' }
  /** `isNew`: the stream begins here, so that what changed before it was not received from it. */
  | { type: 'state'; state: 'live' | 'polling'; isNew?: boolean }
  | { type: 'version'; version: string }
  | { type: 'hello' };

/** A channel between the tabs of this browser. A tab does not receive its own messages. */
export const openChannel = (): BroadcastChannel => new BroadcastChannel(nameInBrowser('console.events'));
