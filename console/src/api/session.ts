import { type QueryClient, queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { nameInBrowser } from './base.ts';
import { Problem } from './problem.ts';
import { get, request } from './request.ts';
import { resumeSession } from './session-end.ts';
import type { PermissionName, Session, SetupStatus } from './types.ts';

export type Credentials = { email: string; password: string; code?: string } | { virtual_key: string };

/** Whether somebody has signed in with this browser: without it nothing is requested, and no refusal is logged. It is no credential. */
const signedIn = nameInBrowser('console.signed-in');

async function readSession(signal: AbortSignal): Promise<Session | null> {
  if (localStorage.getItem(signedIn) === null) return null;
  return get<Session>('/api/session', {}, signal).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.status !== 401) throw error;
    localStorage.removeItem(signedIn);
    return null;
  });
}

/** Who is signed in; null where nobody is. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => readSession(signal),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

export async function signIn(credentials: Credentials): Promise<Session> {
  const session = await request<Session>('POST', '/api/session', { body: credentials });
  noteSignIn();
  return session;
}

/** Somebody has signed in with this browser. */
export function noteSignIn(): void {
  // Other tabs receive an event only when the text changes, which the time ensures.
  localStorage.setItem(signedIn, new Date().toISOString());
  resumeSession();
}

/** Call when the service has ended the session of this browser. */
export const forgetSignIn = (): void => localStorage.removeItem(signedIn);

/** Calls back when somebody has signed in in another tab, whose session is that of this tab too. */
export function onSignInElsewhere(listener: () => void): () => void {
  const onStorage = ({ key, newValue }: StorageEvent): void => {
    if (key === signedIn && newValue !== null) listener();
  };
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
}

/** Continues with a new session. Where it is that of somebody else the page is loaded again; returns whether it is. */
export function resumeAs(cache: QueryClient, before: Session, session: Session): boolean {
  const isSame = session.user?.user_id === before.user?.user_id && session.team?.team_id === before.team?.team_id;
  cache.setQueryData(sessionQuery.queryKey, session);
  resumeSession();
  if (isSame) void cache.invalidateQueries();
  else window.location.reload();
  return !isSame;
}

export function signOut(): Promise<unknown> {
  forgetSignIn();
  return request('DELETE', '/api/session');
}

export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) => get<SetupStatus>('/api/admin-users/setup/status', {}, signal),
});

/** The session of a page inside the layout, which is shown only with a session. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery);
  if (!data) throw new Error('This page needs a session');
  return data;
}

export const useMay = (permission: PermissionName): boolean => useSession().permissions.includes(permission);

/** Whether what calls cost at the providers is shown. `spec 19.80` */
export const useSeesCost = (): boolean => useSession().sees_cost;

/** The name of who is signed in. */
export const nameOf = ({ user, team }: Session): string =>
  user?.display_name ?? team?.team_alias ?? team?.team_id ?? 'Platform key';
