import { readFileSync } from 'node:fs';

const packageJson = readFileSync(new URL('../package.json', import.meta.url), 'utf8');

/** The version of the service, from its `package.json`. */
export const { version } = JSON.parse(packageJson) as { version: string };
