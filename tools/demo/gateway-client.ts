/** The public interface of a running gateway. */
export interface GatewayClient {
  /** Throws unless the answer is 200, or one of `expected`. */
  send(method: string, path: string, body?: object, expected?: number[]): Promise<Record<string, unknown>>;
}

export const gatewayClient = (url: string, key: string): GatewayClient => ({
  async send(method, path, body, expected = []) {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(60_000),
    });
    const text = await response.text();
    if (!response.ok && !expected.includes(response.status))
      throw new Error(`${method} ${path} returned ${response.status}: ${text.slice(0, 300)}`);
    return JSON.parse(text) as Record<string, unknown>;
  },
});
