import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../tools/dev/services/free-port.ts';
import { executeCommands, readCommands } from '../support/documented-commands.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { expectOk, givenIn, singleCallBody } from '../support/given.ts';
import { sendRequest } from '../support/send-request.ts';
import { until } from '../support/until.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);
const folder = await mkdtemp(join(tmpdir(), 'job-gateway-commands-'));

/** What runs, by its program. */
interface Running {
  program: string;
  pid: string;
  port: number;
}
const running: Running[] = [];
afterAll(async () => {
  for (const { pid } of running) process.kill(Number(pid), 'SIGKILL');
  await rm(folder, { recursive: true });
});

const execute = (commands: string, environment: NodeJS.ProcessEnv = {}): Promise<string> =>
  executeCommands(commands, { ...gateway.current.environment, ...environment });

/** `echo $!` is the process that the commands have started last. */
const start = async (
  commands: string,
  program: string,
  pid: string,
  keys: NodeJS.ProcessEnv = {},
): Promise<Running> => {
  const port = await freePort();
  const output = await execute(`${commands}\necho "started $!"`, {
    PROGRAM: program,
    PID: pid,
    LOG: join(folder, 'log'),
    SEEN: 'true',
    READY: `http://127.0.0.1:${port}/health/ready`,
    ...(program === 'src/api.ts' ? { PORT: String(port) } : { METRICS_PORT: String(port) }),
    ...keys,
  });
  return { program, pid: /started (\d+)/.exec(output)![1]!, port };
};

const replaceCommands = () => readCommands('Upgrade').at(-1)!;

/** Every process once, the workers first, with these keys. */
async function replaceAll(keys: NodeJS.ProcessEnv = {}): Promise<void> {
  for (const old of [...running]) {
    const replaced = await start(replaceCommands(), old.program, old.pid, keys);
    running.splice(running.indexOf(old), 1);
    running.push(replaced);
  }
}

const apiUrl = () => `http://127.0.0.1:${running.find(({ program }) => program === 'src/api.ts')!.port}`;

test('the commands of docs/operations.md upgrade, roll back and exchange the key of a running gateway', async () => {
  const { databaseUrl, masterKey } = gateway.current;
  const team = await given.team({ credits: 100 });
  // Only one worker runs here, so that a call can be refused while it is replaced. A client repeats such a call.
  const call = async () => {
    const sent = { key: team.key, body: singleCallBody(team) };
    const send = () => sendRequest(apiUrl(), 'post', '/api/jobs/create-and-call', sent);
    return expectOk(await until(send, ({ status }) => status !== 503, 60_000));
  };
  const startOnly = replaceCommands().split('\n').slice(2).join('\n');
  for (const program of ['src/worker.ts', 'src/api.ts']) running.push(await start(startOnly, program, ''));
  await call();

  const [replay, migrate, replace] = readCommands('Upgrade');
  expect(await execute(replay!)).toContain('"replayed":');
  expect(await execute(migrate!, { OWNER_URL: databaseUrl, SERVICE_URL: '' })).toContain('"migrated":[]');
  expect(replace).toContain('kill -TERM');
  const keys = { OLD: masterKey, NEW: `${masterKey}-new` };
  // The new version accepts both keys, with which the exchange begins.
  await replaceAll({ MASTER_KEY: keys.OLD, MASTER_KEY_PREVIOUS: keys.NEW });
  await call();

  const [again, ...others] = readCommands('Rollback');
  expect(others).toEqual([]);
  expect(await execute(again!)).toContain('"replayed":');

  const [rekey, ...more] = readCommands('Exchange of MASTER_KEY');
  expect(more).toEqual([]);
  await replaceAll({ MASTER_KEY: keys.NEW, MASTER_KEY_PREVIOUS: keys.OLD });
  await call();
  expect(await execute(rekey!, keys)).toContain('Keep MASTER_KEY_PREVIOUS for 24 hours');
  await replaceAll({ MASTER_KEY: keys.NEW });
  await call();
}, 300_000);
