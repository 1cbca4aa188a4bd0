import { focusManager, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { get } from '../api/request.ts';
import { onSignInElsewhere, resumeAs, useSession } from '../api/session.ts';
import { onSessionChange, type SessionEnd, sessionEnd } from '../api/session-end.ts';
import type { Session } from '../api/types.ts';
import { startIdleLock } from './idle-lock.ts';

/**
 * Locks the page when it is idle. While it is locked or its session has ended it requests nothing, and a sign-in in another tab unlocks
 * this one too. Returns why it is locked.
 */
export function useSessionGuard(): SessionEnd | undefined {
  const cache = useQueryClient();
  const session = useSession();
  const end = useSyncExternalStore(onSessionChange, sessionEnd);
  const isOpen = end === undefined;
  const { idle_timeout_seconds } = session;

  useEffect(() => (isOpen ? startIdleLock(idle_timeout_seconds) : undefined), [isOpen, idle_timeout_seconds]);
  useEffect(() => {
    // Queries with an interval are read only in a page that has the focus.
    focusManager.setFocused(isOpen ? undefined : false);
  }, [isOpen]);
  useEffect(
    () =>
      onSignInElsewhere(async () => {
        if (sessionEnd() === undefined) return;
        const now = await get<Session>('/api/session').catch(() => undefined);
        if (now) resumeAs(cache, session, now);
      }),
    [cache, session],
  );
  return end;
}
