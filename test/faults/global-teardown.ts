import { existsSync, readFileSync, rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname } from 'node:path';
import type { JestConfig } from '../support/global-setup.ts';
import { teardown as endServices } from '../support/global-teardown.ts';
import type { Figure } from './support/figures.ts';

export async function teardown(
  config: JestConfig & { seed?: number },
  projectConfig: { seed?: number; globals?: unknown },
): Promise<void> {
  printFigures(process.env.FAULTS_FIGURES ?? '', config.seed ?? projectConfig.seed);
  await endServices(config);
}

export { teardown as default };

/** Prints the table of `docs/reliability.md`. */
function printFigures(file: string, seed: number | undefined): void {
  if (!existsSync(file)) return;
  const figures = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Figure);
  const rows = figures.map(({ fault, what, value }) => `| ${fault} | ${what} | ${value} |`);
  const head = [
    `Seed ${seed}, ${cpus().length} cores, Node ${process.version}`,
    '',
    '| fault | figure | |',
    '|---|---|---|',
  ];
  process.stdout.write(`\n${[...head, ...rows].join('\n')}\n`);
  rmSync(dirname(file), { recursive: true });
}
