import type { GivenTeam } from '../support/given.ts';
import type { Agent } from './support/agent.ts';
import { testAgent } from './support/test-agent.ts';

const run = (agent: Agent, url: string, team: GivenTeam, prompt: string, options = {}) =>
  agent.run([prompt, JSON.stringify({ model: team.modelGroup, tools: [], ...options })], {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_AUTH_TOKEN: team.key,
  });

testAgent({
  program: 'claude-agent-sdk',
  jobType: 'claude-code',
  titles: 1,
  ask: (agent, url, team) => run(agent, url, team, 'Tell me about rivers'),
  useTool: (agent, url, team) =>
    run(agent, url, team, 'Use the tool Read', { tools: ['Read'], allowedTools: ['Read'] }),
  resume: (agent, url, team) => run(agent, url, team, 'And lakes?', { continue: true }),
});
