import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { openApiDocument } from '../src/http/openapi/document.ts';
import { routes } from '../src/http/routes.ts';
import { clientTypes } from './client-types.ts';
import { listInterface } from './list-interface.ts';

/**
 * `npm run openapi` writes the OpenAPI document into `openapi.json`, which is not committed, the list of the interface into
 * `docs/api`, so that a change of the interface is in the diff, and the types of `clients/typescript`.
 */
const document = openApiDocument(routes);
const folder = new URL('../docs/api/', import.meta.url);

writeFileSync(new URL('../openapi.json', import.meta.url), `${JSON.stringify(document, null, 2)}\n`);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
for (const [file, text] of Object.entries(listInterface(JSON.parse(JSON.stringify(document)))))
  writeFileSync(new URL(file, folder), text);
writeFileSync(
  new URL('../clients/typescript/src/types.generated.ts', import.meta.url),
  clientTypes(JSON.parse(JSON.stringify(document))),
);
