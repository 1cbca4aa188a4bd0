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

/** Throws one error that names all settings that are missing or invalid, and shows none of their values. */
export function readSettings<T extends z.ZodType>(settings: T, environment: NodeJS.ProcessEnv): z.output<T> {
  const { present, problems: ofFiles } = withSecretFiles(environment);
  const parsed = settings.safeParse(present);
  if (parsed.success && ofFiles.length === 0) return parsed.data;
  const ofSettings = (parsed.error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  const problems = [...ofFiles, ...ofSettings].map((problem) => `  ${problem}`);
  throw new Error(`The settings are not complete:\n${problems.join('\n')}`);
}
