import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Express, Request, Response } from 'express';
import { refuse } from '../../errors.ts';
import type { Route } from '../route.ts';
import { openApiDocument } from './document.ts';

/** Everything from this origin, nothing inline but styles, which Swagger UI sets on its elements. */
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

const etagOf = (content: Buffer): string => `"${createHash('sha256').update(content).digest('base64url')}"`;

const require = createRequire(import.meta.url);
const folder = join(require.resolve('swagger-ui-dist/package.json'), '..');

/** Sent from memory: Express answers 500 for a range, or a condition, that a file on disk does not meet. */
const files = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'].map((name) => {
  const content = readFileSync(join(folder, name));
  return { name, content, headers: { 'Cache-Control': 'public, max-age=3600', ETag: etagOf(content) } };
});

/** Made by the first request for it, because that takes a tenth of a second: an api starts without it. */
const documents = new WeakMap<readonly Route[], string>();

function documentOf(routes: readonly Route[]): string {
  const document = documents.get(routes) ?? JSON.stringify(openApiDocument(routes));
  documents.set(routes, document);
  return document;
}

/** `/openapi.json`, and `/docs`, which shows it without the internet. `spec 14.5` and `spec 14.6` */
export function serveDocs(app: Express, routes: readonly Route[]): void {
  serve('/openapi.json', (_request, response) => response.type('json').send(documentOf(routes)));
  serve('/docs', (_request, response) => {
    response.set('Content-Security-Policy', contentSecurityPolicy).type('html').send(page);
  });
  serve('/docs/open.js', (_request, response) => response.type('js').send(script));
  for (const { name, content, headers } of files) {
    serve(`/docs/${name}`, (_request, response) => response.set(headers).type(name).send(content));
  }

  function serve(path: string, handler: (request: Request, response: Response) => void): void {
    app
      .route(path)
      .get(handler)
      .all(() => {
        throw refuse('method_not_allowed').with({ Allow: 'GET, HEAD' });
      });
  }
}
