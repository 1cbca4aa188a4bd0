import type { GivenTeam } from '../support/given.ts';
import { testAgent } from './support/test-agent.ts';

const connected = (url: string, team: GivenTeam) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_AUTH_TOKEN: team.key });
const headless = (team: GivenTeam, prompt: string) => ['--model', team.modelGroup, '-p', prompt];
/** The simulated model calls a tool whose name is in a prompt, and Claude Code adds texts of its own to prompts. */
const noTools = ['--tools', ''];

testAgent({
  program: 'claude',
  jobType: 'claude-code',
  ask: (agent, url, team) => agent.run([...headless(team, 'Tell me about rivers'), ...noTools], connected(url, team)),
  useTool: (agent, url, team) =>
    agent.run(
      [...headless(team, 'Use the tool Read'), '--tools', 'Read', '--allowedTools', 'Read'],
      connected(url, team),
    ),
  resume: (agent, url, team) =>
    agent.run(['--continue', ...headless(team, 'And lakes?'), ...noTools], connected(url, team)),
});
