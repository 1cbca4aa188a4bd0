import { once } from 'node:events';
import { cookieIn } from '../../http/sessions/browser.ts';
import { expectOk, type GivenTeam, givenIn, hello, singleCallBody, type TeamOptions } from '../../support/given.ts';
import { sendRequest } from '../../support/send-request.ts';
import { until } from '../../support/until.ts';
import { closeReceivers } from '../../webhook-delivery/receiver.ts';
import { type Flood, type FloodRequest, type RunningFlood, startFlood } from './flood.ts';
import type { Installation } from './installation.ts';
import { openSocket } from './sockets.ts';

/** Another loopback address than that of the other teams. */
const from = '127.0.0.2';

const everyMs = 2_000;

export type Sending = Omit<Flood, 'url' | 'seconds'>;

/** One holder that attacks: a team with its key and its session, and what an attack needs. */
export interface Attacker {
  installation: Installation;
  given: ReturnType<typeof givenIn>;
  team: GivenTeam;
  url: string;
  /** A request with the key of the team. */
  get(path: string, headers?: Record<string, string>): FloodRequest;
  post(path: string, body: unknown, headers?: Record<string, string>): FloodRequest;
  patch(path: string, body: unknown): FloodRequest;
  call(fields?: object, headers?: Record<string, string>): FloodRequest;
  stream(fields?: object): FloodRequest;
  /** A call at `/v1`, whose body may be larger than 10 MB. */
  chat(fields?: object, headers?: Record<string, string>): FloodRequest;
  /** The same read with the key and with the session of the team, in turn. */
  byKeyAndSession(path: string): Promise<FloodRequest[]>;
  cookie(): Promise<string>;
  sql(text: string, values?: unknown[]): Promise<void>;
  /** A job with a call at a model that does not answer. */
  hangingJob(): Promise<string>;
  /** Sends until the attack ends. */
  flood(sending: Sending): Promise<RunningFlood>;
  /** `count` connections, each with `bytes` in one packet, of which nothing is read; others instead of them every two seconds. */
  packets(count: number, bytes: string): Promise<void>;
  /** Connections that stay open, with `bytes` each, of which nothing is read. */
  hold(count: number, bytes: (n: number) => string): Promise<void>;
  /** Executed when the attack ends. */
  atEnd(work: () => unknown): void;
  /** Ends everything. What the floods got, by status. */
  end(): Promise<Record<string, number>>;
}

export async function openAttacker(installation: Installation, options: TeamOptions = {}): Promise<Attacker> {
  const { url } = installation;
  const given = givenIn({ current: installation });
  const team = await given.team({ credits: 1_000_000, ...options });
  const floods: RunningFlood[] = [];
  let hangingGroup: string | undefined;
  const endings: (() => unknown)[] = [closeReceivers];
  const headersOf = (own = {}) => ({ authorization: `Bearer ${team.key}`, 'content-type': 'application/json', ...own });
  const bodied = (method: string) => (path: string, body: unknown, headers?: Record<string, string>) => ({
    method,
    path,
    headers: headersOf(headers),
    body: JSON.stringify(body),
  });
  const post = bodied('POST');
  const cookie = async () => {
    const signedIn = await sendRequest(url, 'post', '/api/session', { body: { virtual_key: team.key } });
    expectOk(signedIn);
    return cookieIn(signedIn)!;
  };
  const flood = async (sending: Sending) => {
    const running = await startFlood({ url, from, seconds: 3_600, ...sending });
    floods.push(running);
    return running;
  };
  const endAll = async () => {
    const outcomes = await Promise.all(floods.map((one) => one.stop()));
    for (const work of endings) await work();
    const statuses: Record<string, number> = {};
    for (const [status, count] of outcomes.flatMap((one) => Object.entries(one.statuses)))
      statuses[status] = (statuses[status] ?? 0) + count;
    return statuses;
  };
  let ended: ReturnType<typeof endAll> | undefined;
  return {
    installation,
    given,
    team,
    url,
    cookie,
    flood,
    post,
    get: (path, headers) => ({ method: 'GET', path, headers: headersOf(headers) }),
    patch: bodied('PATCH'),
    call: (fields = {}, headers = {}) =>
      post('/api/jobs/create-and-call', singleCallBody(team, { ...fields }), headers),
    chat: (fields = {}, headers = {}) =>
      post('/v1/chat/completions', { model: team.modelGroup, messages: hello, ...fields }, headers),
    stream: (fields = {}) => post('/api/jobs/create-and-call-stream', singleCallBody(team, { ...fields })),
    async byKeyAndSession(path) {
      const session = { cookie: await cookie(), 'sec-fetch-site': 'same-origin', 'x-console': '1' };
      return [
        { method: 'GET', path, headers: headersOf() },
        { method: 'GET', path, headers: session },
      ];
    },
    async sql(text, values = []) {
      await installation.pool.query(text, values);
    },
    async hangingJob() {
      if (!hangingGroup) {
        hangingGroup = await given.modelGroup(['sim-hang']);
        const model_groups = [team.modelGroup, hangingGroup];
        await given.admin('put', `/api/teams/${team.teamId}/model-groups`, { model_groups });
      }
      const job = await given.job(team);
      const call = { model_group: hangingGroup, messages: [{ role: 'user', content: 'Hello' }] };
      await flood({ requests: [post(`/api/jobs/${job}/llm-call`, call)], atOnce: 1, count: 1 });
      const { rows } = await until(
        () => installation.pool.query('select 1 from calls where job_id = $1', [job]),
        ({ rowCount }) => rowCount === 1,
      );
      if (rows.length === 0) throw new Error('the call did not begin');
      return job;
    },
    async packets(count, bytes) {
      let open = Array.from({ length: count }, () => sendPacket(url, bytes));
      const timer = setInterval(() => {
        for (const packet of open) packet.close();
        open = Array.from({ length: count }, () => sendPacket(url, bytes));
      }, everyMs);
      endings.push(() => {
        clearInterval(timer);
        for (const packet of open) packet.close();
      });
      await Promise.all(open.map(({ sent }) => sent));
    },
    async hold(count, bytes) {
      for (let n = 0; n < count; n += 1) {
        const socket = await openSocket({ url, from }).catch(() => undefined);
        // The end by the server is not noticed while nothing is read.
        socket?.pause();
        socket?.write(bytes(n));
        endings.push(() => socket?.destroy());
      }
    },
    atEnd: (work) => void endings.push(work),
    end: () => (ended ??= endAll()),
  };
}

/** A connection with bytes whose answers are not read. The end by the server is not noticed, because it comes after the answers. */
function sendPacket(url: string, bytes: string) {
  const closing = new AbortController();
  const sending = async () => {
    const socket = await openSocket({ url, from });
    socket.pause();
    closing.signal.addEventListener('abort', () => socket.destroy());
    if (closing.signal.aborted) socket.destroy();
    if (!socket.write(bytes)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
  };
  return { sent: sending().catch(() => undefined), close: () => closing.abort() };
}
