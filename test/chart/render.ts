import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import type { Json } from '../support/send-request.ts';
import { goProgram } from './go-programs.ts';

const project = new URL('../../', import.meta.url).pathname;
export const chart = `${project}deploy/helm/job-gateway`;
/** The oldest version of Kubernetes that the chart accepts, and the newest. */
export const kubernetesVersions = ['v1.30.14', 'v1.37.2'] as const;

const helmProgram = (): Promise<string> => goProgram('helm', 'helm.sh/helm/v3/cmd/helm@v3.22.0');

export async function helm(args: string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const program = await helmProgram();
  const { stdout } = await promisify(execFile)(program, args, {
    cwd: project,
    env: { ...process.env, ...env },
    maxBuffer: 16 * 1_048_576,
  });
  return stdout;
}

/** The values file of `test/chart/values`, and further `--set`. */
export const valuesOf = (name: string, ...set: string[]): string[] => [
  '--values',
  `test/chart/values/${name}.yaml`,
  ...set.flatMap((one) => ['--set', one]),
];

/** What the chart makes of these values, as text. */
export const render = (values: string[], version: string = kubernetesVersions[1]): Promise<string> =>
  helm(['template', 'main', chart, '--namespace', 'gateway', '--kube-version', version, ...values]);

export const objectsOf = (text: string): Json[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS())
    .filter(Boolean);

/** The template of a pod in an object, where it has one. */
export const podOf = ({ kind, spec }: Json): Json | undefined => (kind === 'Pod' ? spec : spec?.template?.spec);
