import { readFileSync } from 'node:fs';
import type { z } from 'zod';

/** Settings that can be the content of a file instead, which is named by the same setting with `_FILE`. */
const secrets = [
  'MASTER_KEY',
  'MASTER_KEY_PREVIOUS',
  'DATABASE_URL',
  'DATABASE_SERVICE_URL',
  'REDIS_URL',
  'TEMPORAL_API_KEY',
  'UPSTREAM_MASTER_KEY',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OIDC_CLIENT_SECRET',
] as const;

/** Reads a secret without the line break at its end, which editors and `echo` add. */
export const readSecretFile = (file: string): string => readFileSync(file, 'utf8').replace(/\r?\n$/, '');

/** The settings that are not empty, with those that are in files. */
export function withSecretFiles(environment: NodeJS.ProcessEnv): { present: NodeJS.ProcessEnv; problems: string[] } {
  const present = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const problems: string[] = [];
  for (const name of secrets) {
    const file = present[`${name}_FILE`];
    if (file === undefined) continue;
    if (present[name] !== undefined) problems.push(`${name}: cannot be combined with ${name}_FILE`);
    try {
      present[name] = readSecretFile(file);
    } catch {
      problems.push(`${name}_FILE: a file that can be read`);
    }
  }
  return { present, problems };
}

/** These may contain a password: an error never shows their values. */
const hidden: ReadonlySet<string> = new Set([
  ...secrets,
  'UPSTREAM_BASE_URL',
  'TEMPORAL_UI_URL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
]);

const maxShownCharacters = 80;

/** `PORT="abc": a whole number from 0 to 65535`, or `DATABASE_URL: is not set`. */
function describe(issue: z.core.$ZodIssue, present: NodeJS.ProcessEnv): string {
  const name = String(issue.path[0]);
  const value = present[name];
  if (value === undefined) return `${name}: is not set`;
  const allowed = issue.code === 'invalid_value' ? `one of ${issue.values.join(', ')}` : issue.message;
  return `${name}${hidden.has(name) ? '' : `=${JSON.stringify(value.slice(0, maxShownCharacters))}`}: ${allowed}`;
}

/** Throws one error that names all settings that are missing or wrong, with what is allowed; it shows no secret. */
export function readSettings<T extends z.ZodType>(settings: T, environment: NodeJS.ProcessEnv): z.output<T> {
  const { present, problems: ofFiles } = withSecretFiles(environment);
  const parsed = settings.safeParse(present);
  if (parsed.success && ofFiles.length === 0) return parsed.data;
  const ofSettings = (parsed.error?.issues ?? []).map((issue) => describe(issue, present));
  const problems = [...new Set([...ofFiles, ...ofSettings])].map((problem) => `  ${problem}`);
  throw new Error(`These settings are missing or wrong:\n${problems.join('\n')}`);
}
