import { readFileSync } from 'node:fs';

const packageJson = readFileSync(new URL('../package.json', import.meta.url), 'utf8');

/** Of the service, as its package says it. */
export const { version } = JSON.parse(packageJson) as { version: string };
