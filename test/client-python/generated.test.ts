import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { clientFolder, openApiText } from '../clients/support/job-gateway-python.ts';

test('the types of the Python client are generated from the interface as it is; `npm run python-client` writes them', () => {
  const source = readFileSync(`${clientFolder}/src/job_gateway/_arguments.py`, 'utf8');

  expect(source).toContain(`OPENAPI_SHA256 = "${createHash('sha256').update(openApiText()).digest('hex')}"`);
});
