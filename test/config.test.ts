import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../src/config.ts';
import { publicPolicy } from './webhook-delivery/policies.ts';

const required = {
  MASTER_KEY: 'a-platform-key-of-32-characters!',
  DATABASE_URL: 'postgres://user:p%2Fss@localhost/gateway?sslmode=require',
  REDIS_URL: 'redis://localhost',
  TEMPORAL_ADDRESS: 'localhost:7233',
  UPSTREAM_BASE_URL: 'http://localhost:4000',
};

const escapingHint = 'with what is special in the password escaped';
const databaseUrl = `a URL like postgresql://user:password@host:5432/database, ${escapingHint}`;
const randomKey = 'a random key, for example of: openssl rand -hex 32';
const redisUrl = `a URL like redis://:password@host:6379, ${escapingHint}`;

const durations = 'a number and one of ms, s, m, h, d, at most 3650d';
const origins = 'origins like https://chat.example.com, separated by commas, or *';
const isSecret = (name: string) => /^(MASTER_KEY|DATABASE_URL|REDIS_URL|UPSTREAM_(BASE_URL|MASTER_KEY))/.test(name);

const networks = 'networks like 10.0.0.0/8, 2001:db8::/32';
const roles = 'owner, admin, user, each with = and a value of the claim, separated by commas';
const ports = 'ports and ranges of ports, like 80,443,1024-65535';

test.each([
  ['MASTER_KEY', 'x'.repeat(31), 'at least 32 characters'],
  ['MASTER_KEY', `${required.MASTER_KEY} and a blank`, 'visible ASCII characters only'],
  ['MASTER_KEY', `${required.MASTER_KEY}\n`, 'visible ASCII characters only'],
  ['MASTER_KEY', `${required.MASTER_KEY}\u00e9`, 'visible ASCII characters only'],
  ['MASTER_KEY', 'a'.repeat(32), randomKey],
  ['MASTER_KEY', 'ab'.repeat(50), randomKey],
  ['MASTER_KEY', '0123456789abcdef'.repeat(2), randomKey],
  ['MASTER_KEY', `${'aaaaaaaaaaaaaaaaaaaaaaa'}bcdefghij`, randomKey],
  ['MASTER_KEY', '0'.repeat(64), randomKey],
  ['MASTER_KEY', 'abcdefghijklmnopqrstuvwxyz012345', randomKey],
  ['MASTER_KEY', 'zyxwvutsrqponmlkjihgfedcba987654', randomKey],
  ['MASTER_KEY', '0123456789abcdef0123456789abcdeF', randomKey],
  ['MASTER_KEY', "!#%')+-/13579;=?ACEGIKMOQSUWY[]_", randomKey],
  ['MASTER_KEY', 'ghjklmnpqrstuvgjlnqsuhkmprtvtsrqjk', randomKey],
  ['MASTER_KEY', '31415926535897932384626433832795pi', randomKey],
  ['MASTER_KEY_PREVIOUS', 'changeme-'.repeat(4), randomKey],
  ['DATABASE_URL', 'postgresql://user:pass/word@localhost/gateway', databaseUrl],
  ['DATABASE_URL', 'postgresql://user:pass%word@localhost/gateway', databaseUrl],
  ['DATABASE_URL', 'postgresql://localhost', databaseUrl],
  ['DATABASE_URL', 'gateway', databaseUrl],
  ['REDIS_URL', 'redis://:a%b@localhost', redisUrl],
  ['REDIS_URL', 'http://localhost', redisUrl],
  ['TEMPORAL_ADDRESS', 'http://localhost:7233', 'a host and a port, like temporal:7233'],
  ['UPSTREAM_BASE_URL', 'localhost:4000', 'an http or https URL'],
  ['UPSTREAM_BASE_URL', 'ftp://localhost:4000', 'an http or https URL'],
  ['UPSTREAM_MASTER_KEY', 'sk-from-a-file\n', 'visible ASCII characters only'],
  ['UPSTREAM_TIMEOUT_SECONDS', '86401', 'a number of seconds above 0 and at most 86400'],
  ['DRAIN_SECONDS', '3601', 'a number of seconds above 0 and at most 3600'],
  ['LAME_DUCK_SECONDS', '301', 'a number of seconds, at least 0 and at most 300'],
  ...['abc', '70000', '-1', '80.5', '0x', '65536', 'Infinity', '1e9', ';', '80 443'].map((value) => [
    'PORT',
    value,
    'a whole number from 0 to 65535',
  ]),
  ['METRICS_PORT', 'nine', 'a whole number from 0 to 65535'],
  ['DRAIN_SECONDS', '2m', 'a number of seconds above 0 and at most 3600'],
  ['UPSTREAM_TIMEOUT_SECONDS', '0', 'a number of seconds above 0 and at most 86400'],
  ['DATABASE_POOL_SIZE', '0', 'a whole number, at least 1'],
  ['RATE_LIMIT_CALLS_PER_MINUTE', 'unlimited', 'a whole number, at least 1'],
  ['BCRYPT_COST', '9', 'a whole number from 10 to 16'],
  ['PAYLOAD_RETENTION_DAYS', '30d', 'a whole number from 1 to 36500'],
  ['JOB_RETENTION_DAYS', '36501', 'a whole number from 1 to 36500'],
  ['LOG_LEVEL', 'loud', 'one of fatal, error, warn, info, debug, trace, silent'],
  ['WEBHOOK_ALLOW_PRIVATE_NETWORKS', 'yes', 'true, false or loopback'],
  ['ADMIN_READS_PAYLOADS', 'yes', 'one of 0, 1, true, false, on, off'],
  ['SETUP', 'closed', 'one of open, master-key, off'],
  ['CONSOLE_IDLE_TIMEOUT', '30 days', durations],
  ['CONSOLE_IDLE_TIMEOUT', '0m', `${durations}, and more than 0`],
  ['JOB_IDLE_TIMEOUT', '3651d', durations],
  ['JOB_IDLE_TIMEOUT', `${'9'.repeat(300)}d`, durations],
  ['TASK_JOB_IDLE', '1.5h', durations],
  ['TURN_SETTLE_SECONDS', '0', 'a whole number from 1 to 3600'],
  ['TURN_SETTLE_SECONDS', '10s', 'a whole number from 1 to 3600'],
  ['WEBHOOK_RETRY_DELAYS', '0s,5000d', durations],
  ['UPSTREAM_USD_PER_CREDIT', '-1', 'a decimal number of dollars, like 0.10'],
  ['CORS_ORIGINS', 'chat.example.com', origins],
  ['CORS_ORIGINS', 'https://chat.example.com/', origins],
  ['TEMPORAL_TLS_CA', '/no/such/file.pem', 'a file that can be read'],
  ['TEMPORAL_TLS_CERT', import.meta.filename, 'has to be set together with TEMPORAL_TLS_KEY'],
  ['TEMPORAL_TLS_KEY', import.meta.filename, 'has to be set together with TEMPORAL_TLS_CERT'],
  ['WORKER_DEPLOYMENT', 'job-gateway', 'has to be set together with WORKER_BUILD_ID'],
  ['WORKER_BUILD_ID', '0.1.0', 'has to be set together with WORKER_DEPLOYMENT'],
  ['WORKER_DEPLOYMENT', 'job.gateway', 'at most 100 letters, digits, - and _, not __ at the beginning'],
  ['WORKER_BUILD_ID', '__unversioned__', 'at most 100 letters, digits, ., +, - and _, not __ at the beginning'],
  ['ALLOWED_HOSTS', 'gateway.example:443', 'names or addresses without a port, separated by commas'],
  ['ALLOWED_HOSTS', 'gateway.example, https://other.example', 'names or addresses without a port, separated by commas'],
  ['TRUST_PROXY', 'balancer', 'on, off, a number of hops, or addresses'],
  ['TRUST_PROXY', '0.0.0.0/0', 'on, off, a number of hops, or addresses'],
  ['TRUST_PROXY', '10.0.0.0/8, ::/0', 'on, off, a number of hops, or addresses'],
  ['TRUST_PROXY', '10.0.0.0/8, 10.0.0.1/99', 'on, off, a number of hops, or addresses'],
  ['WEBHOOK_DENIED_NETWORKS', '10.0.0.0/8,', networks],
  ['WEBHOOK_DENIED_NETWORKS', '10.0.0.0/33', networks],
  ['WEBHOOK_DENIED_NETWORKS', '10/8', networks],
  ['WEBHOOK_DENIED_NETWORKS', '2001:db8::/129', networks],
  ['WEBHOOK_DENIED_NETWORKS', '10.0.0.0/8/8', networks],
  ['WEBHOOK_DENIED_NETWORKS', 'internal.example', networks],
  ['WEBHOOK_PORTS', 'https', ports],
  ['WEBHOOK_PORTS', '80,', ports],
  ['WEBHOOK_PORTS', '0', ports],
  ['WEBHOOK_PORTS', '443,65536', ports],
  ['WEBHOOK_PORTS', '2000-1000', ports],
  ['OIDC_ISSUER', 'http://id.example.com', 'an https URL'],
  ['OIDC_ISSUER', 'id.example.com', 'an https URL'],
  ['OIDC_CLIENT_ID', 'gateway', 'has to be set together with OIDC_ISSUER'],
  ['OIDC_ROLES', 'root=staff', roles],
  ['OIDC_ROLES', 'owner=', roles],
  ['OIDC_ROLES', 'owner=a,', roles],
  ['OIDC_SCOPE', 'email', 'names separated by blanks, with openid'],
])(
  '%s=%j is refused in a sentence that says what is allowed, and shows no secret (spec 13.1, spec 13.2)',
  (name, value, message) => {
    const shown = isSecret(name) ? '' : `=${JSON.stringify(value.slice(0, 80))}`;

    expect(() => loadConfig({ ...required, [name]: value })).toThrow(
      new Error(`These settings are missing or wrong:\n  ${name}${shown}: ${message}`),
    );
  },
);

test('all settings that are missing are named in one error (spec 13.1)', () => {
  expect(() => loadConfig({ PORT: 'abc' })).toThrow(
    new Error(
      'These settings are missing or wrong:\n  PORT="abc": a whole number from 0 to 65535\n' +
        ['MASTER_KEY', 'DATABASE_URL', 'REDIS_URL', 'TEMPORAL_ADDRESS', 'UPSTREAM_BASE_URL']
          .map((name) => `  ${name}: is not set`)
          .join('\n'),
    ),
  );
});

test.each(['', '0', '80', '65535'])('PORT=%j is accepted', (PORT) => {
  expect(loadConfig({ ...required, PORT }).PORT).toBe(PORT === '' ? 8_000 : Number(PORT));
});

test.each(['src/api.ts', 'src/worker.ts', 'src/db/migrate.ts', 'src/rekey.ts'])(
  '%s ends with the sentence about its settings, and without a stack (spec 13.1)',
  (program) => {
    const env = { ...required, DATABASE_URL: 'gateway', MASTER_KEY: 'a'.repeat(32), PATH: process.env.PATH };
    const { status, stdout, stderr } = spawnSync(process.execPath, [program], { env, encoding: 'utf8' });

    expect(status).toBe(1);
    expect(stdout + stderr).toContain('These settings are missing or wrong:\n');
    expect(stdout + stderr).toContain(`  DATABASE_URL: ${databaseUrl}\n`);
    expect(stdout + stderr).not.toMatch(/^ +at |"stack"/m);
  },
);

test('the required settings are sufficient, and a timeout of a day is accepted (spec 13.1)', () => {
  const config = loadConfig({ ...required, UPSTREAM_TIMEOUT_SECONDS: '86400' });

  expect(config).toMatchObject({ MASTER_KEY: required.MASTER_KEY, PORT: 8000, UPSTREAM_TIMEOUT_SECONDS: 86_400 });
});

test.each([16, 32])('a MASTER_KEY of %i random bytes in hexadecimal digits is accepted (spec 13.2)', (bytes) => {
  for (let n = 0; n < 1_000; n += 1) {
    const MASTER_KEY = randomBytes(bytes).toString('hex');
    expect(loadConfig({ ...required, MASTER_KEY })).toMatchObject({ MASTER_KEY });
  }
});

test.each([
  ['on', 1],
  ['true', 1],
  ['off', false],
  ['2', 2],
  ['loopback, 10.0.0.0/8,::1', ['loopback', '10.0.0.0/8', '::1']],
])('TRUST_PROXY=%j is converted to what Express accepts', (TRUST_PROXY, trusted) => {
  expect(loadConfig({ ...required, TRUST_PROXY })).toMatchObject({ TRUST_PROXY: trusted });
});

test('denied networks and ports of webhooks may contain spaces and single values, and have defaults', () => {
  const given = { WEBHOOK_DENIED_NETWORKS: '10.0.0.0/8, 2001:db8::/32,203.0.113.7', WEBHOOK_PORTS: '443, 8000-8999' };

  expect(loadConfig({ ...required, ...given })).toMatchObject({
    WEBHOOK_DENIED_NETWORKS: ['10.0.0.0/8', '2001:db8::/32', '203.0.113.7'],
    WEBHOOK_PORTS: [
      [443, 443],
      [8_000, 8_999],
    ],
  });
  expect(loadConfig(required)).toMatchObject({ WEBHOOK_DENIED_NETWORKS: [], WEBHOOK_PORTS: publicPolicy.ports });
  const development = { ...required, WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' };
  expect(loadConfig(development)).toMatchObject({ WEBHOOK_PORTS: [[1, 65_535]] });
});

test.each([
  [undefined, 'open'],
  ['127.0.0.1', 'open'],
  ['127.8.9.10', 'open'],
  ['localhost', 'open'],
  ['LOCALHOST', 'open'],
  ['::1', 'open'],
  ['::ffff:127.0.0.1', 'open'],
  ['0.0.0.0', 'master-key'],
  ['::', 'master-key'],
  ['10.0.0.1', 'master-key'],
  ['128.0.0.1', 'master-key'],
  ['2001:db8::1', 'master-key'],
  ['gateway.example', 'master-key'],
  ['localhost.example', 'master-key'],
])('the default of SETUP for an api that listens on %s is %s', (HOST, expected) => {
  expect(loadConfig({ ...required, HOST }).SETUP).toBe(expected);
  expect(loadConfig({ ...required, HOST, SETUP: 'off' }).SETUP).toBe('off');
});

test('CORS_ORIGINS are converted to the spelling of browsers', () => {
  const { CORS_ORIGINS } = loadConfig({
    ...required,
    CORS_ORIGINS: 'HTTPS://Chat.example.com:443, http://[0:0::1]:3000,*',
  });

  expect(CORS_ORIGINS).toEqual(['https://chat.example.com', 'http://[::1]:3000', '*']);
});

test('ALLOWED_HOSTS are converted to lower case, without brackets and empty entries', () => {
  const { ALLOWED_HOSTS } = loadConfig({ ...required, ALLOWED_HOSTS: 'A.example, b_c,, [2001:DB8::1] ,192.0.2.1' });

  expect(ALLOWED_HOSTS).toEqual(['a.example', 'b_c', '2001:db8::1', '192.0.2.1']);
  expect(loadConfig(required).ALLOWED_HOSTS).toEqual([]);
});

test('a secret setting may be the content of a file, without the line break at its end (spec 15.6)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'job-gateway-secrets-'));
  const fileWith = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const { MASTER_KEY, DATABASE_URL, REDIS_URL, ...others } = required;
  const MASTER_KEY_PREVIOUS = 'the-platform-key-before-this-one';
  const files = {
    MASTER_KEY_FILE: fileWith('master-key', `${MASTER_KEY}\n`),
    MASTER_KEY_PREVIOUS_FILE: fileWith('previous', `${MASTER_KEY_PREVIOUS}\r\n`),
    DATABASE_URL_FILE: fileWith('database', DATABASE_URL),
    REDIS_URL_FILE: fileWith('redis', REDIS_URL),
    UPSTREAM_MASTER_KEY_FILE: fileWith('upstream', 'sk-upstream\n'),
    TEMPORAL_API_KEY_FILE: fileWith('temporal', 'key-of-temporal\n'),
  };

  const config = loadConfig({ ...others, ...files });

  expect(config).toMatchObject({ MASTER_KEY, MASTER_KEY_PREVIOUS, DATABASE_URL, REDIS_URL });
  expect(config).toMatchObject({ UPSTREAM_MASTER_KEY: 'sk-upstream', TEMPORAL_API_KEY: 'key-of-temporal' });
  expect(() => loadConfig({ ...required, ...files })).toThrow('MASTER_KEY: cannot be combined with MASTER_KEY_FILE');
  expect(() => loadConfig({ ...others, ...files, MASTER_KEY_FILE: folder })).toThrow(
    'MASTER_KEY_FILE: a file that can be read',
  );
  rmSync(folder, { recursive: true });
});

test('the values of .env.example are the defaults (spec 13.1)', () => {
  const example = readFileSync(new URL('../.env.example', import.meta.url), 'utf8');
  const values = Object.fromEntries(
    [...example.matchAll(/^#([A-Z_]+)=(.+)$/gm)].map(([, name, value]) => [name!, value!]),
  );

  expect(Object.keys(values).length).toBeGreaterThan(30);
  expect(loadConfig({ ...values, ...required })).toEqual(loadConfig(required));
});

test.each(['', '/', '/v1', '/v1/', '/v1/chat/completions', '/chat/completions/', '/chat/completions'])(
  'UPSTREAM_BASE_URL may end in "%s": the slash and the path of the calls do not count',
  (end) => {
    const { UPSTREAM_BASE_URL } = loadConfig({ ...required, UPSTREAM_BASE_URL: `http://localhost:4000${end}` });

    expect(UPSTREAM_BASE_URL).toBe(`http://localhost:4000${end.startsWith('/v1') ? '/v1' : ''}`);
  },
);
