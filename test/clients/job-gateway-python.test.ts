import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../../tools/dev/services/run-program.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { checkLedger } from '../support/ledger.ts';
import { openedForTests } from '../support/opened-for-tests.ts';
import { clientFolder, clientPython, controlApis, openApiText } from './support/job-gateway-python.ts';

/** `clients/python` against a gateway: its tests are in Python, and each of their files is one test here. */

const withinMs = 600_000;
const gateway = gatewayForTests({ settings: { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'loopback' } });
const control = openedForTests(() => controlApis(() => gateway.current));
const document = join(tmpdir(), `openapi-${process.pid}.json`);

let python: string;
beforeAll(async () => {
  python = await clientPython();
  writeFileSync(document, openApiText());
}, withinMs);
afterAll(() => rmSync(document, { force: true }));

const files = readdirSync(`${clientFolder}/tests`).filter((name) => /^test_.*\.py$/.test(name));

test.each(files)(
  'the Python client passes %s',
  async (file) => {
    const { output } = await runProgram(
      python,
      ['-m', 'pytest', '-q', '-rs', '-p', 'no:cacheprovider', `tests/${file}`],
      {
        cwd: clientFolder,
        timeoutMs: withinMs,
        env: {
          PATH: process.env.PATH,
          HOME: process.env.HOME,
          PYTHONPATH: `${clientFolder}/src`,
          PYTHONDONTWRITEBYTECODE: '1',
          JOB_GATEWAY_BASE_URL: gateway.current.url,
          JOB_GATEWAY_ADMIN_TOKEN: gateway.current.masterKey,
          TEST_CONTROL_URL: control.current.url,
          TEST_OPENAPI: document,
        },
      },
    );

    // The failures, each with its text; nothing is skipped.
    const summary = output.trim().split('\n').at(-1);
    expect(/^\d+ passed in /.test(summary!) ? '' : output).toBe('');
    expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
  },
  withinMs,
);
