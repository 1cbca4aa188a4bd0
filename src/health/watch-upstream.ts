import { z } from 'zod';
import { withTimeout } from '../concurrency/with-timeout.ts';
import type { Log } from '../log.ts';
import type { UpstreamClient } from '../upstream/client.ts';
import { connectionCode } from '../upstream/connection-code.ts';
import { UpstreamError } from '../upstream/upstream-error.ts';

/** `unknown`: not asked yet, or an upstream that has no list of models. */
export type UpstreamState = 'up' | 'down' | 'unknown';

/** What a request for the list of models has shown. */
interface Finding {
  state: UpstreamState;
  /** The names of the models; undefined without a list. */
  models?: string[];
  /** What an operator has to know of it; undefined: nothing. */
  problem?: { problem: string; help: string };
}

const Models = z.object({ data: z.array(z.object({ id: z.string() })) });

const helps = {
  address:
    'UPSTREAM_BASE_URL has to be the address before /chat/completions: where the API is under /v1, it ends in /v1',
  credential: 'UPSTREAM_MASTER_KEY has to be a key that the upstream accepts: for LiteLLM its master key',
  connection: 'UPSTREAM_BASE_URL has to be an address that this process reaches, with a certificate that it accepts',
  upstream: 'the log of the upstream has the reason',
};

const found = (state: UpstreamState, problem: string, help: keyof typeof helps): Finding => ({
  state,
  problem: { problem, help: helps[help] },
});

function findingOf(error: unknown): Finding {
  if (!(error instanceof UpstreamError)) {
    if (error instanceof SyntaxError || error instanceof z.ZodError)
      return found('down', 'the upstream answered with something else than a list of models', 'address');
    const code = connectionCode(error) ?? (error as Error).name;
    return found('down', `the upstream could not be reached (${code})`, 'connection');
  }
  const { status = 0 } = error.details;
  if (status === 401 || status === 403) return found('down', error.reason, 'credential');
  if (status >= 300 && status < 500)
    return found('unknown', `the upstream has no list of models (${status})`, 'address');
  return found('down', error.reason, 'upstream');
}

/** Asks for the list of models. Never rejects. */
export const askUpstream = (client: Pick<UpstreamClient, 'getJson'>, masterKey: string): Promise<Finding> =>
  client
    .getJson('/models', masterKey)
    .then((json): Finding => ({ state: 'up', models: Models.parse(json).data.map(({ id }) => id) }))
    .catch(findingOf);

export interface UpstreamWatch {
  /** As of the latest request. Where that is more than ten seconds old, another one is begun. */
  state(): UpstreamState;
  /** The names of the upstream's models now; undefined if it has not sent them within a second. Some end in `*`. */
  models(): Promise<string[] | undefined>;
  /** What a request for the list of models shows now, within five seconds. */
  ask(): Promise<Finding>;
}

const keptMs = 10_000;
const modelsTimeoutMs = 1_000;
const askTimeoutMs = 5_000;

/**
 * Asks the upstream for its list of models, at the start and while somebody asks for the health of this process, and logs what is
 * wrong and what helps, once for each change. Nothing waits for it: an upstream that is away is no reason not to start (decision 97).
 */
export function watchUpstream(client: UpstreamClient, masterKey: string, log: Log): UpstreamWatch {
  let latest: Finding = { state: 'unknown' };
  let askedAt = Number.NEGATIVE_INFINITY;

  const ask = async (): Promise<Finding> => {
    askedAt = performance.now();
    const finding = await askUpstream(client, masterKey);
    if (finding.problem && finding.problem.problem !== latest.problem?.problem)
      log.warn({ help: finding.problem.help }, `upstream: ${finding.problem.problem}`);
    if (!finding.problem && latest.problem) log.info('upstream: available again');
    latest = finding;
    return finding;
  };

  return {
    state() {
      if (performance.now() - askedAt > keptMs) void ask();
      return latest.state;
    },
    models: async () => (await withTimeout(ask(), modelsTimeoutMs).catch(() => undefined))?.models,
    ask: () =>
      withTimeout(ask(), askTimeoutMs).catch(() =>
        found('down', 'the upstream has not answered within 5 s', 'connection'),
      ),
  };
}
