import { apiUrl, reloadPage, viewedTeam } from './base.ts';
import { Problem, toProblem } from './problem.ts';
import { endSession } from './session-end.ts';
import { beginRequest } from './session-use.ts';

export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | null | undefined>>;

export interface RequestOptions {
  query?: Query;
  body?: unknown;
  signal?: AbortSignal;
  headers?: Readonly<Record<string, string>>;
  /** Makes it safe to repeat a POST. A form creates one when it opens. */
  idempotencyKey?: string;
  /** Sent as the admin who views the console as a team, and not as the team. */
  asViewer?: boolean;
}

/** `?status=failed&status=cancelled`, without what is undefined, null or an empty text. */
export function queryText(query: Query): string {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const each of Array.isArray(value) ? value : [value])
      if (each !== undefined && each !== null && each !== '') text.append(name, String(each));
  return text.size > 0 ? `?${text}` : '';
}

/** The code of the refusal of a view that has ended. */
export const viewNotOpen = 'team_view_not_open';

interface Received<Answer> {
  answer: Answer;
  headers: Headers;
}

/** One request to the API, with the cookie of the session. Throws a `Problem`. */
export const request = async <Answer>(method: string, path: string, options?: RequestOptions): Promise<Answer> =>
  (await requestWithHeaders<Answer>(method, path, options)).answer;

/** One request to the API whose answer has headers that are part of it. */
export async function requestWithHeaders<Answer>(
  method: string,
  path: string,
  options?: RequestOptions,
): Promise<Received<Answer>> {
  const response = await send(method, path, options);
  return { answer: (await response.json().catch(() => null)) as Answer, headers: response.headers };
}

/** One request to the API whose answer is read by the caller, as it comes. */
export async function send(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
  const { query = {}, body, signal, idempotencyKey } = options;
  const use = beginRequest(method);
  const headers: Record<string, string> = {
    Accept: 'application/json',
    'X-Console': use.isUse ? '1' : '0',
    ...options.headers,
  };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (idempotencyKey) headers['Idempotency-Key'] = idempotencyKey;
  if (viewedTeam !== '' && !options.asViewer) headers['X-View-As-Team'] = viewedTeam;
  const response = await fetch(apiUrl(path) + queryText(query), {
    method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
    signal,
  }).catch((error: Error) => {
    use.lost();
    if (error.name === 'AbortError') throw error;
    throw new Problem(0, 'The service does not answer', null);
  });
  use.answered();
  if (response.ok) return response;
  const answer: unknown = await response.json().catch(() => null);
  const problem = toProblem(response.status, answer, response.headers.get('X-Request-Id'));
  // A link that does not work ends no session.
  if (response.status === 401 && path !== '/api/session' && problem.code !== 'invitation_invalid') endSession();
  // A view keeps nothing that a person has entered: the page that is loaded again offers to open it anew.
  if (problem.code === viewNotOpen && path !== '/api/session') reloadPage();
  throw problem;
}

export const get = <Answer>(path: string, query?: Query, signal?: AbortSignal): Promise<Answer> =>
  request('GET', path, { query, signal });
