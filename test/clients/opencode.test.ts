import type { GivenTeam } from '../support/given.ts';
import type { Agent } from './support/agent.ts';
import { testAgent } from './support/test-agent.ts';

/** As in docs/agents.md. What the simulated model invents as arguments of tools is refused by the agent. */
async function run(npm: string, agent: Agent, url: string, team: GivenTeam, ...args: string[]): Promise<string> {
  const options = { baseURL: `${url}/v1`, apiKey: '{env:TEAM_KEY}' };
  const gateway = { npm, options, models: { [team.modelGroup]: {} } };
  await agent.write('.config/opencode/opencode.json', JSON.stringify({ provider: { gateway } }));
  const variables = { TEAM_KEY: team.key, OPENCODE_DISABLE_AUTOUPDATE: '1' };
  return agent.run(['run', '--model', `gateway/${team.modelGroup}`, ...args], variables);
}

describe.each(['@ai-sdk/anthropic', '@ai-sdk/openai'])('with %s', (npm) => {
  testAgent({
    program: 'opencode',
    jobType: 'opencode',
    titles: 1,
    settleSeconds: 5,
    ask: (agent, url, team) => run(npm, agent, url, team, 'Tell me about rivers'),
    useTool: (agent, url, team) => run(npm, agent, url, team, 'Use the tool glob'),
    resume: (agent, url, team) => run(npm, agent, url, team, '--continue', 'And lakes?'),
  });
});
