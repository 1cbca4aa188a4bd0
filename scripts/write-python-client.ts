import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clientFolder, clientPython, openApiText } from '../test/clients/support/job-gateway-python.ts';
import { runProgram } from '../tools/dev/services/run-program.ts';

/**
 * `npm run python-client` writes what is generated of `clients/python`, after a change of the interface or of its asynchronous source
 * (decision 126).
 */
const folder = mkdtempSync(join(tmpdir(), 'python-client-'));
const document = join(folder, 'openapi.json');
writeFileSync(document, openApiText());
const { ok, output } = await runProgram(await clientPython(), ['scripts/generate.py', document], {
  cwd: clientFolder,
  timeoutMs: 300_000,
});
rmSync(folder, { recursive: true });
if (!ok) console.error(output);
process.exitCode = ok ? 0 : 1;
