import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { adminsIn } from '../http/admin-users/admins.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { givenIn } from '../support/given.ts';

/**
 * Runs Schemathesis on the OpenAPI document of the gateway: every operation with valid and invalid input, alone and in sequences.
 * `FUZZ_EXAMPLES` sets the number of examples, `FUZZ_SEED` repeats a run.
 */
const examples = process.env.FUZZ_EXAMPLES || '30';
const seed = process.env.FUZZ_SEED || String(Math.floor(Math.random() * 1e9));

const gateway = gatewayForTests({ settings: { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' } });
const given = givenIn(gateway);
let teamKey: string;
let ownerToken: string;
beforeAll(async () => {
  ownerToken = (await adminsIn(gateway).owner()).token;
  // The names of the documentation's examples, so that these succeed.
  await given.organization('acme');
  teamKey = (await given.team({ organizationId: 'acme', teamId: 'acme-research', credits: 1_000 })).key;
  await given.modelGroup(['sim-ok'], 'chat-large');
  await given.admin('put', '/api/teams/acme-research/model-groups', { model_groups: ['chat-large'] });
});

/** The excluded check expects valid input to be accepted. A used name or a NUL in a text fits the schema and is refused. */
const checks = ['--checks', 'all', '--exclude-checks', 'positive_data_acceptance'];

async function fuzz(token: string, ...more: string[]): Promise<{ code: number | null; report: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'job-gateway-fuzz-'));
  const options = [...checks, '--max-examples', examples, '--seed', seed, '--no-color'];
  const quiet = ['--generation-database', 'none', '--continue-on-failure', '--request-timeout', '30'];
  const child = spawn(
    process.env.TEST_SCHEMATHESIS_PROGRAM ?? '',
    [
      'run',
      `${gateway.current.url}/openapi.json`,
      '--header',
      `Authorization: Bearer ${token}`,
      ...options,
      ...quiet,
      ...more,
    ],
    { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [report, code] = await Promise.all([text(child.stdout), ended]);
  rmSync(folder, { recursive: true, force: true });
  return { code, report };
}

const minutes = 60_000;

test.each([
  ['the key of a team', async () => teamKey],
  ['the platform key', async () => gateway.current.masterKey],
  ['the access token of an owner', async () => ownerToken],
] as const)(
  'answers to random requests with %s conform to the OpenAPI document',
  async (_, tokenOf) => {
    // A stream of events has no end.
    const excluded = ['/api/admin-users/logout', '/api/events'].flatMap((path) => ['--exclude-path', path]);
    const { code, report } = await fuzz(await tokenOf(), ...excluded);

    if (code !== 0) throw new Error(`seed ${seed}\n${report}`);
  },
  30 * minutes,
);
