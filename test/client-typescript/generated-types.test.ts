import { readFileSync } from 'node:fs';
import { clientTypes } from '../../scripts/client-types.ts';
import { openApiDocument } from '../../src/http/openapi/document.ts';
import { routes } from '../../src/http/routes.ts';

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

test('the types of the client for TypeScript are those of the interface: "npm run openapi" writes them (clients 3)', () => {
  const document = JSON.parse(JSON.stringify(openApiDocument(routes)));

  expect(read('clients/typescript/src/types.generated.ts')).toBe(clientTypes(document));
});

test('the client for TypeScript has the version of the gateway, and eventsource-parser as its only dependency (clients 1)', () => {
  const { version } = JSON.parse(read('package.json'));

  const manifest = JSON.parse(read('clients/typescript/package.json'));

  expect(manifest.version).toBe(version);
  expect(Object.keys(manifest.dependencies)).toEqual(['eventsource-parser']);
});
