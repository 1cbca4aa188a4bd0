/** What a person's browser at this address does on its way to an identity provider and back: it keeps cookies, and follows redirects. */
export function newBrowser(gatewayUrl: string, address: string) {
  const jars = new Map<string, Map<string, string>>();

  async function visit(url: string, headers: Record<string, string> = {}) {
    const { origin } = new URL(url);
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
    const sent = { 'x-forwarded-for': address, ...(cookie && { cookie }), ...headers };
    const response = await fetch(url, { redirect: 'manual', headers: sent });
    const text = await response.text();
    for (const set of response.headers.getSetCookie()) {
      const [pair = ''] = set.split(';');
      const [name = '', ...value] = pair.split('=');
      if (/max-age=0/i.test(set) || value.join('=') === '') jar.delete(name);
      else jar.set(name, value.join('='));
    }
    const location = response.headers.get('location');
    return {
      status: response.status,
      text,
      headers: response.headers,
      to: location ? new URL(location, url).href : '',
    };
  }

  const browser = {
    visit,
    /** The cookies for the gateway, by their names. */
    cookies: () => Object.fromEntries(jars.get(new URL(gatewayUrl).origin) ?? []),
    begin: (next?: string, headers?: Record<string, string>) =>
      visit(`${gatewayUrl}/api/session/oidc${next === undefined ? '' : `?next=${encodeURIComponent(next)}`}`, headers),
    /** Signs in at the provider, and returns the address of the gateway to which it leads back. */
    async toCallback(address: string): Promise<string> {
      let to = address;
      for (let steps = 0; steps < 10 && !to.startsWith(gatewayUrl); steps += 1) {
        const answer = await visit(to);
        if (answer.status !== 303 && answer.status !== 302) throw new Error(`${answer.status} ${answer.text}`);
        to = answer.to;
      }
      return to;
    },
    /** The whole way; returns the last answer, which leads to a page of the console. */
    async signIn(next?: string, headers?: Record<string, string>) {
      const { to } = await browser.begin(next, headers);
      if (to.startsWith(`${gatewayUrl}/console`)) return { to, query: Object.fromEntries(new URL(to).searchParams) };
      const answer = await visit(await browser.toCallback(to), headers);
      return { ...answer, query: Object.fromEntries(new URL(answer.to).searchParams) };
    },
    /** Who is signed in at the gateway. */
    async session() {
      const { status, text } = await visit(`${gatewayUrl}/api/session`);
      return { status, body: JSON.parse(text) };
    },
  };
  return browser;
}
