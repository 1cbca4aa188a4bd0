import type { GivenTeam } from '../support/given.ts';
import type { Agent } from './support/agent.ts';
import { testAgent } from './support/test-agent.ts';
import { testTurns } from './support/test-turns.ts';

const connected = (url: string, team: GivenTeam) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_AUTH_TOKEN: team.key });
const headless = (team: GivenTeam, prompt: string) => ['--model', team.modelGroup, '-p', prompt];
/** The simulated model calls a tool whose name is in a prompt, and Claude Code adds texts of its own to prompts. */
const noTools = ['--tools', ''];
const onlyTool = (name: string) => ['--tools', name, '--allowedTools', name];
const useTool = (agent: Agent, url: string, team: GivenTeam) =>
  agent.run([...headless(team, 'Use the tool Read'), ...onlyTool('Read')], connected(url, team));

const claudeCode = {
  program: 'claude' as const,
  jobType: 'claude-code',
  ask: (agent: Agent, url: string, team: GivenTeam) =>
    agent.run([...headless(team, 'Tell me about rivers'), ...noTools], connected(url, team)),
  useTool,
  resume: (agent: Agent, url: string, team: GivenTeam) =>
    agent.run(['--continue', ...headless(team, 'And lakes?'), ...noTools], connected(url, team)),
};

const turns = testAgent(claudeCode);
testTurns(turns, {
  ...claudeCode,
  startSubagent: {
    name: 'Agent',
    arguments: { description: 'Rivers', prompt: 'Tell me about rivers', subagent_type: 'general-purpose' },
  },
  delegate: (agent, url, team) =>
    agent.run([...headless(team, 'Ask another'), ...onlyTool('Agent')], {
      ...connected(url, team),
      CLAUDE_CODE_GATEWAY_HINT_HEADERS: '1',
    }),
  askWith: (agent, url, team, headers) =>
    agent.run([...headless(team, 'Tell me about rivers'), ...noTools], {
      ...connected(url, team),
      ANTHROPIC_CUSTOM_HEADERS: Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n'),
    }),
  endOfItem: 'event: content_block_stop',
});

test('claude compacts a session when it is asked to, which is one job and one credit, as any turn (spec 27.3)', async () => {
  const { agent, gateway, ended, paid, creditsUsed } = turns;
  const { model, team } = await turns.team('ok');
  await claudeCode.ask(agent.current, gateway.current.url, team);
  await ended(team, 1);

  await agent.current.run(
    ['--continue', ...headless(team, '/compact'), ...noTools],
    connected(gateway.current.url, team),
  );

  expect(await ended(team, 2)).toMatchObject([paid, paid]);
  expect(turns.requests(model)).toBeGreaterThan(1);
  expect(await creditsUsed(team)).toBe(2);
});
