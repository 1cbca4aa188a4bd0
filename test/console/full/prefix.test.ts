import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { gatewayForTests } from '../../support/gateway.ts';
import { givenIn } from '../../support/given.ts';
import { runProgram } from '../../support/run-program.ts';
import { launchChromium, testInBrowser } from '../support/chromium.ts';
import { openPage, signInAsTeam } from '../support/console-page.ts';

beforeAll(() => runProgram('scripts/build-console.ts', {}, '--if-changed'), 120_000);
const gateway = gatewayForTests({ settings: { TRUST_PROXY: 'loopback' } });
const given = givenIn(gateway);

let browser: Browser;
let proxy: Server;
afterAll(async () => {
  await browser?.close();
  proxy?.closeAllConnections();
  proxy?.close();
});

/** Serves the gateway under `/gateway`, and nothing else. */
async function startProxy(): Promise<string> {
  const { port } = new URL(gateway.current.url);
  proxy = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '';
    if (!path.startsWith('/gateway')) return outgoing.writeHead(404).end();
    const headers = { ...incoming.headers, 'x-forwarded-prefix': '/gateway', 'x-forwarded-for': '127.0.0.1' };
    const options = { port, method: incoming.method, path: path.slice('/gateway'.length) || '/', headers };
    const forwarded = request({ host: '127.0.0.1', ...options }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

testInBrowser(
  'behind a proxy that serves the gateway under a path, the console works under that path alone (spec 20.4)',
  async () => {
    browser = await launchChromium();
    const team = await given.team();
    const job = await given.job(team);
    const { page, problems } = await openPage(browser, await startProxy());

    await page.goto('/gateway/');
    await page.waitForURL('**/gateway/console/login*');
    await signInAsTeam(page, team.key, '/gateway');
    await page.getByRole('link', { name: 'Jobs' }).click();
    await page.getByRole('link', { name: job.slice(0, 8) }).click();
    await page.waitForURL(`**/gateway/console/jobs/${job}*`);
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();

    expect(problems).toEqual([]);
  },
);
