import type { GivenTeam } from '../support/given.ts';
import type { Agent } from './support/agent.ts';
import { testAgent } from './support/test-agent.ts';

/** As in docs/agents.md. What the simulated model invents as arguments of tools is refused by the agent. */
async function run(agent: Agent, url: string, team: GivenTeam, ...args: string[]): Promise<string> {
  const provider = {
    npm: '@ai-sdk/anthropic',
    options: { baseURL: `${url}/v1`, apiKey: team.key },
    models: { [team.modelGroup]: {} },
  };
  await agent.write('.config/opencode/opencode.json', JSON.stringify({ provider: { gateway: provider } }));
  return agent.run(['run', '--model', `gateway/${team.modelGroup}`, ...args], { OPENCODE_DISABLE_AUTOUPDATE: '1' });
}

testAgent({
  program: 'opencode',
  jobType: 'opencode',
  titles: 1,
  ask: (agent, url, team) => run(agent, url, team, 'Tell me about rivers'),
  useTool: (agent, url, team) => run(agent, url, team, 'Use the tool glob'),
  resume: (agent, url, team) => run(agent, url, team, '--continue', 'And lakes?'),
});
