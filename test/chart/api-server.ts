import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPair, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Agent, fetch } from 'undici';
import { freePort } from '../../tools/dev/services/free-port.ts';
import type { Json } from '../support/send-request.ts';
import { until } from '../support/until.ts';
import { buildApiServer } from './go-programs.ts';

export interface ApiServer {
  /** For helm. */
  kubeconfig: string;
  send(method: string, path: string, body?: unknown, type?: string): Promise<{ status: number; body: Json }>;
  close(): Promise<void>;
}

/** An API server of Kubernetes on an etcd of its own. There is nothing else of a cluster: no pod is scheduled, and no Job ends by itself. */
export async function startApiServer(version: string): Promise<ApiServer> {
  const programs = await buildApiServer(version);
  const folder = mkdtempSync(join(tmpdir(), 'job-gateway-api-server-'));
  const [store, peers, port] = [await freePort(), await freePort(), await freePort()];
  const token = randomBytes(16).toString('hex');
  const children: ChildProcess[] = [];
  const start = (program: string, args: string[]) => {
    children.push(spawn(program, args, { cwd: folder, stdio: ['ignore', 'ignore', 'ignore'] }));
  };
  const close = async () => {
    for (const child of children.reverse()) {
      const exited = once(child, 'exit');
      if (child.kill('SIGKILL')) await exited;
    }
    rmSync(folder, { recursive: true });
  };
  const agent = new Agent({ connect: { rejectUnauthorized: false } });
  const url = `https://127.0.0.1:${port}`;
  const send: ApiServer['send'] = async (method, path, body, type = 'application/json') => {
    const answer = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
      body: body === undefined ? undefined : JSON.stringify(body),
      dispatcher: agent,
    });
    return { status: answer.status, body: (await answer.json().catch(() => undefined)) as Json };
  };
  try {
    const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
    writeFileSync(join(folder, 'sign.key'), privateKey.export({ type: 'pkcs1', format: 'pem' }), { mode: 0o600 });
    writeFileSync(join(folder, 'sign.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
    writeFileSync(join(folder, 'tokens.csv'), `${token},test,test,system:masters\n`, { mode: 0o600 });
    mkdirSync(join(folder, 'certificates'));
    const [clients, members] = [`http://127.0.0.1:${store}`, `http://127.0.0.1:${peers}`];
    start(programs.etcd, [
      '--data-dir=etcd',
      `--listen-client-urls=${clients}`,
      `--advertise-client-urls=${clients}`,
      `--listen-peer-urls=${members}`,
      `--initial-advertise-peer-urls=${members}`,
      `--initial-cluster=default=${members}`,
      '--unsafe-no-fsync',
    ]);
    start(programs.apiServer, [
      `--etcd-servers=${clients}`,
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      '--cert-dir=certificates',
      '--token-auth-file=tokens.csv',
      '--authorization-mode=RBAC',
      '--service-account-issuer=https://kubernetes.default.svc',
      '--service-account-signing-key-file=sign.key',
      '--service-account-key-file=sign.pub',
      '--service-cluster-ip-range=10.0.0.0/24',
      // No controller makes the account `default` of a namespace.
      '--disable-admission-plugins=ServiceAccount,Priority',
    ]);
    const isReady = () =>
      send('GET', '/readyz').then(
        ({ status }) => status === 200,
        () => false,
      );
    await until(isReady, (ready) => ready, 120_000);
  } catch (error) {
    await close();
    throw error;
  }
  const kubeconfig = join(folder, 'kubeconfig');
  // JSON is YAML.
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'test',
      clusters: [{ name: 'test', cluster: { server: url, 'insecure-skip-tls-verify': true } }],
      users: [{ name: 'test', user: { token } }],
      contexts: [{ name: 'test', context: { cluster: 'test', user: 'test', namespace: 'gateway' } }],
    }),
    { mode: 0o600 },
  );
  return { kubeconfig, send, close };
}
