import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import type { Express, Response } from 'express';
import { refuse } from '../../errors.ts';
import type { Route } from '../route.ts';
import { type StaticFile, sendStatic, staticFile } from '../static-file.ts';
import { openApiDocument } from './document.ts';

/** Everything comes from this origin, and nothing is inline but styles, which Swagger UI sets on its elements. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Job-Based LLM Gateway</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/open.js"></script>
  </body>
</html>
`;

const script = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  persistAuthorization: false,
  validatorUrl: null,
});
`;

const require = createRequire(import.meta.url);
const folder = join(require.resolve('swagger-ui-dist/package.json'), '..');

const forAnHour = 'public, max-age=3600';
/** The files are sent from memory: Express answers 500 for a range, or a condition, that a file on disk does not meet. */
const files = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'].map(
  (name) => [name, staticFile(extname(name), readFileSync(join(folder, name)))] as const,
);
const pageFile = staticFile('html', page);
const scriptFile = staticFile('js', script);

/** The first request for a document makes it, because that takes a tenth of a second: an api starts without it. */
const documents = new WeakMap<readonly Route[], StaticFile>();

function findDocument(routes: readonly Route[]): StaticFile {
  const document = documents.get(routes) ?? staticFile('json', JSON.stringify(openApiDocument(routes)));
  documents.set(routes, document);
  return document;
}

/** `/openapi.json`, and `/docs`, which shows it without the internet. `spec 14.5` and `spec 14.6` */
export function serveDocs(app: Express, routes: readonly Route[]): void {
  serve('/openapi.json', () => findDocument(routes));
  serve('/docs', (response) => {
    response.set('Content-Security-Policy', contentSecurityPolicy);
    return pageFile;
  });
  serve('/docs/open.js', () => scriptFile);
  for (const [name, file] of files) serve(`/docs/${name}`, () => file, forAnHour);

  function serve(path: string, fileOf: (response: Response) => StaticFile, cacheControl?: string): void {
    app
      .route(path)
      .get((request, response) => sendStatic(fileOf(response), request, response, cacheControl))
      .all(() => {
        throw refuse('method_not_allowed', 'GET, HEAD').with({ Allow: 'GET, HEAD' });
      });
  }
}
