import { createServer as createHttpServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { createServer, type FSWatcher } from 'vite';
import { viteConfig } from './vite-config.ts';

const cacheDir = fileURLToPath(new URL('../../.cache/vite', import.meta.url));

/**
 * The console from its sources, reloaded when they change, for `npm run dev`. Everything but `/console` goes to the api, so that
 * the console's cookie and its requests have one origin, as in production. Returns the watcher of Vite, for further files.
 */
export async function serveConsole({
  host,
  port,
  api,
}: {
  host: string;
  port: number;
  api: string;
}): Promise<FSWatcher> {
  const server = createHttpServer();
  const vite = await createServer({
    ...viteConfig,
    base: '/console/',
    cacheDir,
    server: {
      // A server of its own would end the process at SIGTERM, before what it has started.
      middlewareMode: { server },
      hmr: { server },
      // The api answers who may use it.
      cors: false,
      proxy: { '^/(?!console(?:[/?]|$))': api },
    },
  });
  server.on('request', vite.middlewares);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  return vite.watcher;
}
