import type { GivenTeam } from '../support/given.ts';
import type { Agent } from './support/agent.ts';
import { testAgent } from './support/test-agent.ts';
import { testTurns } from './support/test-turns.ts';

const connected = (url: string, team: GivenTeam) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_AUTH_TOKEN: team.key });
const headless = (team: GivenTeam, prompt: string) => ['--model', team.modelGroup, '-p', prompt];
/** The simulated model calls a tool whose name is in a prompt, and Claude Code adds texts of its own to prompts. */
const noTools = ['--tools', ''];
const onlyTool = (name: string) => ['--tools', name, '--allowedTools', name];
const useTool = (agent: Agent, url: string, team: GivenTeam, variables = {}) =>
  agent.run([...headless(team, 'Use the tool Read'), ...onlyTool('Read')], { ...connected(url, team), ...variables });

const claudeCode = {
  program: 'claude' as const,
  jobType: 'claude-code',
  ask: (agent: Agent, url: string, team: GivenTeam) =>
    agent.run([...headless(team, 'Tell me about rivers'), ...noTools], connected(url, team)),
  useTool,
  resume: (agent: Agent, url: string, team: GivenTeam) =>
    agent.run(['--continue', ...headless(team, 'And lakes?'), ...noTools], connected(url, team)),
};

testTurns(testAgent(claudeCode), {
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
  compact: (agent, url, team) => useTool(agent, url, team),
  endOfItem: 'event: content_block_stop',
});
