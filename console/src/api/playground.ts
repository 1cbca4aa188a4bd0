import { queryOptions } from '@tanstack/react-query';
import { apiUrl } from './base.ts';
import { Problem, toProblem } from './problem.ts';
import { get, send } from './request.ts';
import type { Playground, PlaygroundRun } from './types.ts';

export const playgroundQuery = queryOptions({
  queryKey: ['playground'],
  queryFn: ({ signal }) => get<Playground>('/api/playground', {}, signal),
});

/** Whose key makes the call. Null: the test account of an admin. */
export type Payer = { teamId: string; key: string } | null;

const accept = { Accept: 'text/event-stream' };

/** Makes a streamed call as a job of its own. */
export const startRun = (body: PlaygroundRun, payer: Payer, signal: AbortSignal): Promise<Response> =>
  payer ? startWithKey(body, payer, signal) : send('POST', '/api/playground/run', { body, headers: accept, signal });

/** The call of any client with a key: the cookie of the session is not sent, and a key that is refused ends no session. */
async function startWithKey(
  body: PlaygroundRun,
  { teamId, key }: NonNullable<Payer>,
  signal: AbortSignal,
): Promise<Response> {
  const response = await fetch(apiUrl('/api/jobs/create-and-call-stream'), {
    method: 'POST',
    credentials: 'omit',
    headers: { ...accept, Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ team_id: teamId, job_type: 'playground', ...body }),
    signal,
  }).catch((error: Error) => {
    if (error.name === 'AbortError') throw error;
    throw new Problem(0, 'The service does not answer', null);
  });
  if (response.ok) return response;
  throw toProblem(response.status, await response.json().catch(() => null), response.headers.get('X-Request-Id'));
}
