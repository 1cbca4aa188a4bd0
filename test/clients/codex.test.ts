import { jobsOf } from '../http/turns/agents.ts';
import type { GivenTeam } from '../support/given.ts';
import type { Agent } from './support/agent.ts';
import { testAgent } from './support/test-agent.ts';
import { testTurns } from './support/test-turns.ts';

/**
 * As in docs/agents.md. The flags are about the folder and the sandbox of the agent. The simulated model invents the commands of its tool
 * calls: none of them finds a program.
 */
async function run(agent: Agent, url: string, team: GivenTeam, ...args: string[]): Promise<string> {
  return runWith({}, agent, url, team, ...args);
}

async function runWith(
  headers: Record<string, string>,
  agent: Agent,
  url: string,
  team: GivenTeam,
  ...args: string[]
): Promise<string> {
  const entries = Object.entries(headers).map(([name, value]) => `${name} = "${value}"`);
  const config = [
    `model = "${team.modelGroup}"`,
    'model_provider = "gateway"',
    '[model_providers.gateway]',
    'name = "Gateway"',
    `base_url = "${url}/v1"`,
    'env_key = "TEAM_KEY"',
    'wire_api = "responses"',
    ...(entries.length > 0 ? [`http_headers = { ${entries.join(', ')} }`] : []),
    '[shell_environment_policy]',
    'inherit = "none"',
    'set = { PATH = "/nonexistent" }',
  ];
  await agent.write('.codex/config.toml', config.join('\n'));
  const flags = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];
  return agent.run(['exec', ...flags, ...args], { TEAM_KEY: team.key });
}

const codex = {
  program: 'codex' as const,
  jobType: 'codex',
  ask: (agent: Agent, url: string, team: GivenTeam) => run(agent, url, team, 'Tell me about rivers'),
  useTool: (agent: Agent, url: string, team: GivenTeam) => run(agent, url, team, 'Use exec_command'),
  resume: (agent: Agent, url: string, team: GivenTeam) => run(agent, url, team, 'resume', '--last', 'And lakes?'),
};

const turns = testAgent(codex);
testTurns(turns, {
  ...codex,
  startSubagent: { name: 'multi_agent_v1__spawn_agent', arguments: { message: 'Tell me about rivers' } },
  delegate: codex.ask,
  askWith: (agent, url, team, headers) => runWith(headers, agent, url, team, 'Tell me about rivers'),
  endOfItem: 'event: response.output_item.done',
});

test('codex compacts in the middle of a turn, which stays one job and one credit (spec 27.3, spec 27.5)', async () => {
  const { agent, gateway, ended, paid, creditsUsed } = turns;
  const { team } = await turns.team('prompt-tokens-190000-tools-first-1-then-ok');

  await run(agent.current, gateway.current.url, team, '-c', 'model_auto_compact_token_limit=20000', 'Go on');

  const [job] = await ended(team, 1);
  expect(job).toMatchObject(paid);
  const calls = await jobsOf(gateway, team).calls(job!.job_id);
  expect(calls.map((call) => call.agent.class)).toEqual(['turn', 'compaction', 'turn']);
  expect(await creditsUsed(team)).toBe(1);
});

test('codex exec --output-schema prints an object of the schema (spec 29.5)', async () => {
  const { team } = await turns.team('ok');
  const { agent, gateway } = turns;
  const properties = { river: { type: 'string' }, length: { type: 'number' } };
  const schema = { type: 'object', properties, required: ['river', 'length'], additionalProperties: false };
  await agent.current.write('schema.json', JSON.stringify(schema));
  const file = `${agent.current.home}/schema.json`;
  const answer = `${agent.current.home}/answer.json`;

  await run(agent.current, gateway.current.url, team, '--output-schema', file, '-o', answer, 'A river, please');

  expect(JSON.parse(await agent.current.read('answer.json'))).toEqual({
    river: expect.any(String),
    length: expect.any(Number),
  });
  await turns.ended(team, 1);
});
