import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { gatewayForTests } from './support/gateway.ts';

const gateway = gatewayForTests();
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const examples = [...readme.matchAll(/<!-- runs in test\/readme\.test\.ts -->\n```sh\n(.*?)```/gs)].map(
  ([, code]) => code!,
);

test('the commands of the README, in order, stream an answer and deduct two credits', async () => {
  const { url, masterKey } = gateway.current;
  const balance = [
    'team "$API/api/teams/acme-reports/credits/transactions"',
    'team "$API/api/teams/acme-reports/credits"',
  ];
  const script = ['set -euo pipefail', ...examples, ...balance].join('\n');

  const { stdout } = await promisify(execFile)('bash', ['-c', script], {
    env: { PATH: process.env.PATH, API: url, MASTER_KEY: masterKey },
  });

  expect(examples).toHaveLength(3);
  expect(stdout).toContain('data: [DONE]');
  expect(stdout).toContain('"transaction_type":"deduction"');
  expect(JSON.parse(stdout.slice(stdout.lastIndexOf('{"team_id"')))).toMatchObject({
    credits_used: 2,
    credits_remaining: 3,
  });
});
