import type { Express } from 'express';
import type { Config } from '../../config.ts';
import { refuse } from '../../errors.ts';
import { type StaticFile, sendStatic, staticFile } from '../static-file.ts';
import { publicPath } from './find-public-path.ts';
import { consoleFolder, loadConsoleBuild } from './load-build.ts';

/** Everything comes from this origin, and nothing is inline. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Names have a hash of their content. */
const immutable = 'public, max-age=31536000, immutable';

const notBuilt =
  'The console is not built. "npm run build:console" builds it; "npm start" and the image do that themselves.\n';

/**
 * The console at `/console`, from memory, and the way to it from `/`. It needs no service: it is shown while every other one is away.
 * `spec 20.1` to `spec 20.4`
 */
export function serveConsole(app: Express, config: Pick<Config, 'PUBLIC_PATH'>, folder = consoleFolder): void {
  const build = loadConsoleBuild(folder);
  const pageAt = createPages(build?.page ?? '');

  app.get('/', (request, response, next) => {
    // What names no type, like curl, is a client of the API.
    if (request.accepts(['json', 'html']) !== 'html') return next();
    response.vary('Accept').redirect(303, `${publicPath(config, request)}/console`);
  });

  app.use('/console', (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw refuse('method_not_allowed', 'GET, HEAD').with({ Allow: 'GET, HEAD' });
    response.set('Content-Security-Policy', contentSecurityPolicy);
    if (!build) return void response.status(503).type('text').send(notBuilt);
    const name = request.path.slice(1);
    const file = build.files.get(name);
    if (file) return sendStatic(file, request, response, name.startsWith('assets/') ? immutable : undefined);
    if (name.startsWith('assets/')) throw refuse('path_not_found');
    response.vary('X-Forwarded-Prefix');
    sendStatic(pageAt(`${publicPath(config, request)}/console/`), request, response);
  });
}

/** Every other path is a page of the console, which its router knows. The build has written all addresses relative to its folder. */
function createPages(page: string): (base: string) => StaticFile {
  let last: { base: string; file: StaticFile } | undefined;
  return (base) => {
    // There is almost always one base: only a trusted proxy can name another.
    if (last?.base !== base)
      last = { base, file: staticFile('html', page.replaceAll(/(href|src)="\.\//g, `$1="${base}`)) };
    return last.file;
  };
}
