import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Print, printWhileRunning } from '../../../tools/dev/print.ts';
import { findProgram, runProgram } from '../../../tools/dev/services/run-program.ts';

/** Prisma's client 6 works without a program of Prisma's, on a driver in JavaScript. */
const packages = ['prisma@6.19.3', '@prisma/client@6.19.3', '@prisma/adapter-pg@6.19.3', 'graphql@16.15.0'];

/** These generators need no program of Prisma's, but its command line downloads them where it is not given any. */
const withoutEngines = (anyFile: string) => ({
  PRISMA_SCHEMA_ENGINE_BINARY: anyFile,
  PRISMA_QUERY_ENGINE_LIBRARY: anyFile,
  PRISMA_QUERY_ENGINE_BINARY: anyFile,
  // LiteLLM's client in Python was made for an older Prisma.
  PRISMA_PY_DEBUG_GENERATOR: '1',
});

const generator = `generator js {
  provider = "prisma-client-js"
  engineType = "client"
  output = "./generated"
}
`;

/**
 * The folder of the packages of the query engine, with Prisma's client in JavaScript. Generates LiteLLM's client in Python too, into
 * the Python environment whose programs are in `python`.
 */
export async function installQueryEngine(
  folder: string,
  python: string,
  schema: string,
  print: Print,
): Promise<string> {
  const complete = join(folder, 'complete');
  if (existsSync(complete)) return folder;
  const anyFile = findProgram(['true']);
  if (!anyFile) throw new Error('the query engine needs a POSIX system');
  await printWhileRunning(print, 'installing the query engine of LiteLLM', async () => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"private": true}\n');
    await run('npm', ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', ...packages], {});
    copyFileSync(schema, join(folder, 'python.prisma'));
    writeFileSync(
      join(folder, 'schema.prisma'),
      readFileSync(schema, 'utf8').replace(/^generator client \{[^}]*\}/m, generator),
    );
    const env = { ...withoutEngines(anyFile), PATH: `${python}:${process.env.PATH}` };
    for (const file of ['python.prisma', 'schema.prisma']) {
      const program = join(folder, 'node_modules', 'prisma', 'build', 'index.js');
      await run(process.execPath, [program, 'generate', '--schema', join(folder, file)], env);
    }
  });
  writeFileSync(complete, '');
  return folder;
}

async function run(command: string, args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { ok, output } = await runProgram(command, args, { timeoutMs: 600_000, env: { ...process.env, ...env } });
  if (!ok) throw new Error(`"${[command, ...args].join(' ')}" failed: ${output.split('\n').slice(-8).join('\n')}`);
}
