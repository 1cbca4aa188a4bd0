import { poll } from '../../concurrency/poll.ts';
import type { Database } from '../../db/connection/database.ts';
import { type Credentials, findOpenCredentials } from '../../db/sessions/find-open-credentials.ts';
import type { Log } from '../../log.ts';
import type { Caller } from '../caller.ts';

/** Whether the credentials of open streams still hold: a stream goes on for hours after its request was authenticated. */
export interface CredentialWatch {
  /** The signal aborts when the caller's session or key has ended, or its rights have. */
  watch(caller: Caller): { ended: AbortSignal; stop(): void };
  close(): void;
}

const pollMs = 5_000;

interface Watched {
  kind: keyof Credentials;
  /** Any of these in the record suffices. */
  ids: string[];
  ending: AbortController;
}

/** Undefined for the platform key, which ends with the process. */
function identityOf(caller: Caller): Omit<Watched, 'ending'> | undefined {
  if (caller.kind === 'user')
    return { kind: caller.cookie ? 'admin_cookies' : 'admin_sessions', ids: [caller.sessionId] };
  if (caller.kind !== 'team') return undefined;
  if (caller.viewer) return { kind: 'team_views', ids: [`${caller.viewer.sessionId} ${caller.teamId}`] };
  if (caller.cookie) return { kind: 'team_sessions', ids: [caller.cookie.sessionId] };
  return { kind: 'key_hashes', ids: caller.key.hashes.map((hash) => hash.toString('hex')) };
}

/** One query for the credentials of all streams together. */
export function createCredentialWatch(
  database: Database,
  idleSeconds: number,
  log: Log,
  everyMs = pollMs,
): CredentialWatch {
  const watched = new Set<Watched>();

  const watchedIds = (kind: keyof Credentials): string[] => [
    ...new Set([...watched].flatMap((one) => (one.kind === kind ? one.ids : []))),
  ];

  async function check(): Promise<void> {
    const checked = [...watched];
    if (checked.length === 0) return;
    try {
      const open = await findOpenCredentials(
        database,
        {
          admin_sessions: watchedIds('admin_sessions'),
          admin_cookies: watchedIds('admin_cookies'),
          team_sessions: watchedIds('team_sessions'),
          team_views: watchedIds('team_views'),
          key_hashes: watchedIds('key_hashes').map((hex) => Buffer.from(hex, 'hex')),
        },
        idleSeconds,
      );
      for (const { ids, ending } of checked) if (!ids.some((id) => open.has(id))) ending.abort();
    } catch (error) {
      // An outage is no evidence that a session has ended.
      log.debug({ err: error }, 'events: check of credentials failed');
    }
  }

  const polling = poll(check, everyMs);
  return {
    watch(caller) {
      const ending = new AbortController();
      const identity = identityOf(caller);
      if (!identity) return { ended: ending.signal, stop: () => undefined };
      const one = { ...identity, ending };
      watched.add(one);
      return { ended: ending.signal, stop: () => void watched.delete(one) };
    },
    close: () => void polling.close(),
  };
}
