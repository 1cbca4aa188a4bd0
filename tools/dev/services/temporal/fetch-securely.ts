import { type Dispatcher, EnvHttpProxyAgent, request } from 'undici';

/** Without internet the next source must not wait long. */
const silentMs = 5_000;
/** What is being downloaded may have a break. */
const breakMs = 10_000;
const maxBytes = 200 * 1_048_576;

/** Downloads through the proxy that the environment names, if it names one. */
export async function withDownloads<Result>(use: (dispatcher: Dispatcher) => Promise<Result>): Promise<Result> {
  const dispatcher = new EnvHttpProxyAgent({
    connectTimeout: silentMs,
    headersTimeout: silentMs,
    bodyTimeout: breakMs,
    maxResponseSize: maxBytes,
  });
  try {
    return await use(dispatcher);
  } finally {
    await dispatcher.destroy();
  }
}

export interface Fetched {
  /** The address after redirects. */
  url: string;
  bytes: Uint8Array;
}

/** Follows redirects to `https:` only. */
export async function fetchSecurely(address: string, dispatcher: Dispatcher, accept = '*/*'): Promise<Fetched> {
  let url = address;
  for (let redirects = 0; redirects < 5; redirects += 1) {
    if (new URL(url).protocol !== 'https:') throw new Error(`${new URL(url).origin} is not https`);
    const options = { dispatcher, headers: { accept }, signal: AbortSignal.timeout(300_000) };
    const { statusCode, headers, body } = await request(url, options);
    if (statusCode === 200) return { url, bytes: new Uint8Array(await body.arrayBuffer()) };
    await body.dump();
    if (statusCode < 300 || statusCode > 399) throw new Error(`status ${statusCode}`);
    url = new URL(String(headers.location), url).href;
  }
  throw new Error('too many redirects');
}
