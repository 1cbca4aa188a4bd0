import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib';
import express, { type NextFunction, type Request, type Response } from 'express';
import { request } from 'undici';
import { Refusal } from '../../../src/errors.ts';
import { serveConsole } from '../../../src/http/console/serve-console.ts';

const script = 'console.log("a script of the console")';
const page = '<!doctype html><link href="./icon.svg"><script src="./assets/index-abc.js"></script>';

interface Served {
  url: string;
  close(): Promise<void>;
}

async function serve({ publicPath = '', trustProxy = false, isBuilt = true } = {}): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'console-'));
  if (isBuilt) {
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'index.html'), page);
    writeFileSync(join(folder, 'build.json'), '{}');
    writeFileSync(join(folder, 'icon.svg'), '<svg/>');
    writeFileSync(join(folder, 'assets/index-abc.js'), script);
    writeFileSync(join(folder, 'assets/index-abc.js.br'), brotliCompressSync(script));
    writeFileSync(join(folder, 'assets/index-abc.js.gz'), gzipSync(script));
  }
  const app = express().disable('etag').set('trust proxy', trustProxy);
  serveConsole(app, { PUBLIC_PATH: publicPath }, folder);
  app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (!(error instanceof Refusal)) return next(error);
    response.status(error.status).set(error.headers).send(error.message);
  });
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true });
    },
  };
}

async function get(
  path: string,
  {
    headers = {},
    method = 'GET' as 'GET' | 'HEAD' | 'POST',
    ...options
  }: object & {
    headers?: Record<string, string>;
    method?: 'GET' | 'HEAD' | 'POST';
    publicPath?: string;
    trustProxy?: boolean;
    isBuilt?: boolean;
  } = {},
) {
  const served = await serve(options);
  try {
    const answer = await request(served.url + path, { method, headers });
    const body = Buffer.from(await answer.body.arrayBuffer());
    return { status: answer.statusCode, headers: answer.headers, body, text: body.toString() };
  } finally {
    await served.close();
  }
}

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

test.each(['/console', '/console/', '/console/jobs', '/console/jobs/1.2?status=failed'])(
  'GET %s answers with the page, whose addresses begin at the folder of the console (spec 20.1)',
  async (path) => {
    const answer = await get(path);

    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': expect.stringContaining('text/html'),
      'cache-control': 'no-cache',
    });
    expect(answer.text).toContain('src="/console/assets/index-abc.js"');
    expect(answer.text).toContain('href="/console/icon.svg"');
  },
);

test('the policy of the console allows this origin only, and nothing inline (spec 20.3)', async () => {
  const { headers } = await get('/console');
  const policy = String(headers['content-security-policy']);

  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe');
});

test.each([
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
  ['identity', undefined],
])(
  'a file is sent to a client that accepts %s in the coding %s, and is immutable (spec 20.2)',
  async (accepted, coding) => {
    const answer = await get('/console/assets/index-abc.js', { headers: { 'accept-encoding': accepted } });

    expect(answer.status).toBe(200);
    expect(answer.headers['content-encoding']).toBe(coding);
    expect(answer.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': expect.stringContaining('javascript'),
      vary: 'Accept-Encoding',
    });
    if (coding === 'br') expect(brotliDecompressSync(answer.body).toString()).toBe(script);
    if (coding === undefined) expect(answer.text).toBe(script);
  },
);

test('a browser has to revalidate a file whose name has no hash, and an unchanged file is a 304 (spec 20.2)', async () => {
  const first = await get('/console/icon.svg');
  const second = await get('/console/icon.svg', { headers: { 'if-none-match': String(first.headers.etag) } });

  expect(first.headers['cache-control']).toBe('no-cache');
  expect(second.status).toBe(304);
});

test.each(['/console/assets/gone-abc.js', '/console/assets/../../package.json', '/console/assets/%2e%2e/index.html'])(
  'GET %s, which is no file of the build, never answers with a file',
  async (path) => {
    const answer = await get(path);

    expect([200, 404]).toContain(answer.status);
    expect(answer.text).not.toContain('"dependencies"');
    if (answer.status === 200) expect(answer.text).toContain('<!doctype html>');
  },
);

test('a missing file below assets is a 404 and not the page, so that a browser does not run it as a script (spec 20.1)', async () => {
  const answer = await get('/console/assets/gone-abc.js');

  expect(answer.status).toBe(404);
});

test('POST to the console is refused with the methods that are allowed (spec 20.1)', async () => {
  const answer = await get('/console/jobs', { method: 'POST' });

  expect(answer.status).toBe(405);
  expect(answer.headers.allow).toBe('GET, HEAD');
});

test('HEAD answers as GET, without a body', async () => {
  const answer = await get('/console', { method: 'HEAD' });

  expect(answer.status).toBe(200);
  expect(answer.body).toHaveLength(0);
});

test('without a build the console is a 503 that names the command that builds it (spec 20.1)', async () => {
  const answer = await get('/console/jobs', { isBuilt: false });

  expect(answer.status).toBe(503);
  expect(answer.text).toContain('npm run build:console');
});

test('/ redirects a browser to the console, and is a 404 for a client of the API (spec 20.4)', async () => {
  const forBrowser = await get('/', { headers: browser, publicPath: '/gateway' });
  const forClient = await get('/', { headers: { accept: '*/*' } });
  const forJson = await get('/', { headers: { accept: 'application/json' } });

  expect(forBrowser.status).toBe(303);
  expect(forBrowser.headers).toMatchObject({ location: '/gateway/console', vary: expect.stringContaining('Accept') });
  expect([forClient.status, forJson.status]).toEqual([404, 404]);
});

test.each([
  ['PUBLIC_PATH', { publicPath: '/a/b' }, '/a/b'],
  ['the header of a trusted proxy', { trustProxy: true, headers: { 'x-forwarded-prefix': '/gateway/' } }, '/gateway'],
  ['PUBLIC_PATH while no proxy is trusted', { publicPath: '/a', headers: { 'x-forwarded-prefix': '/evil' } }, '/a'],
])('the page is under the path of %s (spec 20.4)', async (_, options, prefix) => {
  const answer = await get('/console', options);

  expect(answer.text).toContain(`src="${prefix}/console/assets/index-abc.js"`);
});

test.each(['//evil.example', '/a"><script>', 'https://evil.example', '/a b', '/../a', `/${'a'.repeat(300)}`])(
  'the prefix %p of a trusted proxy, which is no plain path, is ignored (spec 20.4)',
  async (prefix) => {
    const options = { trustProxy: true, publicPath: '/known', headers: { ...browser, 'x-forwarded-prefix': prefix } };
    const answer = await get('/console', options);
    const root = await get('/', options);

    expect(answer.text).toContain('src="/known/console/assets/index-abc.js"');
    expect(root.headers.location).toBe('/known/console');
  },
);
