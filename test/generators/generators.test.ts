import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '../../src/http/openapi/document.ts';
import { routes } from '../../src/http/routes.ts';
import { cacheFolder, dataFolder } from '../../tools/dev/folders.ts';
import { findProgram, runProgram } from '../../tools/dev/services/run-program.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { type GivenTeam, givenIn } from '../support/given.ts';
import { pythonEnvironment } from '../support/python-environment.ts';

/**
 * Linters read the document, and generators make clients of it, which are compiled and used for one job. A language whose compiler is not
 * on the machine is named as skipped.
 */

const here = fileURLToPath(new URL('.', import.meta.url));
const print = (line: string) => process.stderr.write(`${line}\n`);
const tenMinutes = 600_000;

const gateway = gatewayForTests();
const given = givenIn(gateway);

let work: string;
let document: string;
let team: GivenTeam;
beforeAll(async () => {
  work = mkdtempSync(join(tmpdir(), 'generators-'));
  document = join(work, 'openapi.json');
  writeFileSync(document, JSON.stringify(openApiDocument(routes)));
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], here);
  team = await given.team({ credits: 5 });
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

/** The output of a program. Throws if it fails. */
async function run(command: string, args: string[], cwd = work, env: Record<string, string> = {}): Promise<string> {
  const { ok, output } = await runProgram(command, args, {
    cwd,
    timeoutMs: tenMinutes,
    env: { ...process.env, ...env },
  });
  if (!ok) throw new Error(`"${[command, ...args].join(' ')}" failed: ${output.slice(-4_000)}`);
  return output;
}

/** A program of a package of `package.json`. */
const runPackage = (file: string, ...args: string[]) =>
  run(process.execPath, [join(here, 'node_modules', file), ...args]);

/** What one job by a generated client shows, in each language. The second code is that of an unknown job. */
async function storyBy(command: string, args: string[], cwd: string): Promise<unknown> {
  const output = await run(command, args, cwd, {
    BASE_URL: gateway.current.url,
    KEY: team.key,
    TEAM: team.teamId,
    MODEL_GROUP: team.modelGroup,
  });
  return JSON.parse(output.trim().split('\n').at(-1)!);
}

const story = {
  created: 'pending',
  finish_reason: 'stop',
  completed: 'completed',
  calls: 1,
  charged: true,
  credits: expect.any(Number),
  codes: ['job_finished', 'job_not_found'],
};

const needs = (name: string): typeof test => {
  if (findProgram([name])) return test;
  print(`not run, because ${name} is not on this machine:`);
  return test.skip;
};

test('redocly finds nothing but that the licence has no address (spec 14.6)', async () => {
  const output = await runPackage('@redocly/cli/bin/cli.js', 'lint', '--format=json', document);
  const { problems } = JSON.parse(output.slice(output.indexOf('{\n'), output.lastIndexOf('}') + 1));

  expect(problems.map(({ ruleId }: { ruleId: string }) => ruleId)).toEqual(['info-license-strict']);
});

test('spectral finds nothing with its rules for OpenAPI (spec 14.6)', async () => {
  const rules = join(work, 'spectral.json');
  writeFileSync(rules, JSON.stringify({ extends: ['spectral:oas'] }));

  const output = await runPackage('@stoplight/spectral-cli/dist/index.js', 'lint', '--ruleset', rules, document);

  expect(output).toContain('No results');
});

test('the client of hey-api and the types of openapi-typescript compile in strict mode, and the client makes a job', async () => {
  const folder = join(work, 'typescript');
  cpSync(join(here, 'typescript'), folder, { recursive: true });
  await runPackage('openapi-typescript/bin/cli.js', document, '--output', join(folder, 'schema.d.ts'));
  await runPackage('@hey-api/openapi-ts/bin/run.js', '--input', document, '--output', join(folder, 'client'));
  const types = ['--types', 'node', '--typeRoots', join(here, 'node_modules/@types')];
  const target = ['--target', 'es2022', '--module', 'commonjs', '--moduleResolution', 'node10', '--outDir', 'compiled'];

  await run(
    process.execPath,
    [join(here, 'node_modules/typescript/bin/tsc'), '--strict', ...types, ...target, 'story.ts', 'schema.d.ts'],
    folder,
  );

  expect(await storyBy(process.execPath, ['compiled/story.js'], folder)).toEqual(story);
});

needs('python3')('the client of openapi-python-client has no numbered class, and makes a job', async () => {
  const requirements = join(here, 'python/requirements.txt');
  const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const bin = await pythonEnvironment(
    cacheFolder(dataFolder()),
    `generators-${digest}`,
    ['--require-hashes', '--requirement', requirements],
    print,
  );
  const folder = join(work, 'python');
  const path = { PATH: `${bin}:${process.env.PATH}` };

  await run(join(bin, 'openapi-python-client'), ['generate', '--path', document, '--output-path', folder], work, path);
  cpSync(join(here, 'python/story.py'), join(folder, 'story.py'));

  const models = readFileSync(join(folder, 'job_based_llm_gateway_client/models/__init__.py'), 'utf8');
  const numbered = [...models.matchAll(/^from \.\w+ import (\w+)/gm)].map(([, name]) => name!);
  expect(numbered.filter((name) => /\d$/.test(name) && !/(Type\d|Response200)$/.test(name))).toEqual([]);
  expect(await storyBy(join(bin, 'python'), ['story.py'], folder)).toEqual(story);
});

needs('go')('the client of oapi-codegen passes go vet, and makes a job', async () => {
  const folder = join(work, 'go');
  cpSync(join(here, 'go'), folder, { recursive: true });
  mkdirSync(join(folder, 'api'));

  const generate = ['tool', 'oapi-codegen', '-package', 'api', '-generate', 'types,client'];
  await run('go', [...generate, '-o', 'api/api.gen.go', document], folder);
  await run('go', ['vet', './...'], folder);

  expect(await storyBy('go', ['run', '.'], folder)).toEqual(story);
});

const generator = {
  version: '7.25.0',
  sha256: '41ce4f6b07f196676439d710759fa1ced7a08066d06ff1bf314681470289efae',
};

const otherLanguages = ['java', 'kotlin', 'rust', 'csharp', 'php', 'ruby'];

(findProgram(['java']) && findProgram(['mvn']) ? test.each(otherLanguages) : test.skip.each(otherLanguages))(
  'openapi-generator makes a client for %s without an error',
  async (language) => {
    const jar = await openApiGenerator();

    const output = await run('java', [
      '-jar',
      jar,
      'generate',
      '-i',
      document,
      '-g',
      language,
      '-o',
      join(work, language),
    ]);

    expect(output.split('\n').filter((line) => /\bERROR\b/.test(line))).toEqual([]);
  },
);

/** The program, with the checksum above: decision 33. */
async function openApiGenerator(): Promise<string> {
  const folder = join(cacheFolder(dataFolder()), 'openapi-generator');
  const jar = join(folder, `openapi-generator-cli-${generator.version}.jar`);
  if (!existsSync(jar)) {
    const artifact = `-Dartifact=org.openapitools:openapi-generator-cli:${generator.version}`;
    await run('mvn', ['-q', 'dependency:copy', artifact, `-DoutputDirectory=${folder}`]);
  }
  const digest = createHash('sha256').update(readFileSync(jar)).digest('hex');
  if (digest !== generator.sha256) throw new Error(`${jar} has another checksum: ${digest}`);
  return jar;
}
