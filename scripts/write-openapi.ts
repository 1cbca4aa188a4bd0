import { writeFileSync } from 'node:fs';
import { openApiDocument } from '../src/http/openapi/document.ts';
import { routes } from '../src/http/routes.ts';

/** `npm run openapi` writes the current OpenAPI document, so that a change of the interface is in the diff. */
writeFileSync(new URL('../openapi.json', import.meta.url), `${JSON.stringify(openApiDocument(routes), null, 2)}\n`);
