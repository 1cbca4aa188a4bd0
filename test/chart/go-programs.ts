import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'job-gateway');

async function go(args: string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}): Promise<string> {
  const env = { ...process.env, ...options.env };
  const { stdout } = await promisify(execFile)('go', args, { ...options, env, maxBuffer: 64 * 1_048_576 });
  return stdout;
}

/** The program of a Go module, built once. Go compares the modules with its database of checksums. */
export async function goProgram(name: string, packageAt: string): Promise<string> {
  const folder = join(cache, `go-${name}-${packageAt.split('@')[1]}`);
  if (!existsSync(join(folder, name))) await go(['install', packageAt], { env: { GOBIN: folder } });
  return join(folder, name);
}

/** The folder of a module's files. */
export async function goModule(moduleAt: string): Promise<string> {
  return JSON.parse(await go(['mod', 'download', '-json', moduleAt])).Dir;
}

/**
 * The API server of a version of Kubernetes, and etcd, built once, which takes ten minutes of two cores. Their module cannot be installed by its name: it
 * refers to its parts by folders, which are modules of the version 0.x here.
 */
export async function buildApiServer(version: string): Promise<{ apiServer: string; etcd: string }> {
  const folder = join(cache, `kubernetes-${version}`);
  const [apiServer, etcd] = [join(folder, 'kube-apiserver'), join(folder, 'etcd')];
  if (existsSync(apiServer)) return { apiServer, etcd };
  const manifest = readFileSync(join(await goModule(`k8s.io/kubernetes@${version}`), 'go.mod'), 'utf8');
  const parts = [...manifest.matchAll(/^\t(k8s\.io\/[\w-]+) v0\.0\.0$/gm)].map(([, name]) => name!);
  const [, etcdVersion] = /go\.etcd\.io\/etcd\/server\/v3 (\S+)/.exec(manifest)!;
  const draft = mkdtempSync(join(tmpdir(), 'job-gateway-kubernetes-'));
  const lines = [
    'module kubernetes',
    /^go .*$/m.exec(manifest)![0],
    `require k8s.io/kubernetes ${version}`,
    `require go.etcd.io/etcd/server/v3 ${etcdVersion}`,
    ...parts.map((part) => `replace ${part} => ${part} ${version.replace('v1', 'v0')}`),
  ];
  writeFileSync(join(draft, 'go.mod'), `${lines.join('\n')}\n`);
  // It reports the version that it was built with, which helm compares.
  const [major, minor] = version.slice(1).split('.');
  const set = Object.entries({ gitVersion: version, gitMajor: major, gitMinor: minor });
  const flags = set.map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`).join(' ');
  const packages = { [etcd]: 'go.etcd.io/etcd/server/v3', [apiServer]: 'k8s.io/kubernetes/cmd/kube-apiserver' };
  const imports = Object.values(packages).map((name) => `import _ "${name}"`);
  writeFileSync(join(draft, 'programs.go'), ['//go:build programs', 'package programs', ...imports, ''].join('\n'));
  mkdirSync(folder, { recursive: true });
  try {
    await go(['mod', 'tidy', '-e'], { cwd: draft });
    for (const [file, name] of Object.entries(packages)) {
      await go(['build', '-mod=mod', `-ldflags=-s -w ${flags}`, '-o', `${file}.draft`, name], { cwd: draft });
      renameSync(`${file}.draft`, file);
    }
  } finally {
    rmSync(draft, { recursive: true });
  }
  return { apiServer, etcd };
}
