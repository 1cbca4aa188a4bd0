import type { GivenTeam } from '../support/given.ts';
import type { Agent } from './support/agent.ts';
import { testAgent } from './support/test-agent.ts';

/**
 * As in docs/agents.md. The flags are about the folder and the sandbox of the agent. The simulated model invents the commands of its tool
 * calls: none of them finds a program.
 */
async function run(agent: Agent, url: string, team: GivenTeam, ...args: string[]): Promise<string> {
  const config = [
    `model = "${team.modelGroup}"`,
    'model_provider = "gateway"',
    '[model_providers.gateway]',
    'name = "Gateway"',
    `base_url = "${url}/v1"`,
    'env_key = "TEAM_KEY"',
    'wire_api = "responses"',
    '[shell_environment_policy]',
    'inherit = "none"',
    'set = { PATH = "/nonexistent" }',
  ];
  await agent.write('.codex/config.toml', config.join('\n'));
  const flags = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];
  return agent.run(['exec', ...flags, ...args], { TEAM_KEY: team.key });
}

testAgent({
  program: 'codex',
  jobType: 'codex',
  ask: (agent, url, team) => run(agent, url, team, 'Tell me about rivers'),
  useTool: (agent, url, team) => run(agent, url, team, 'Use exec_command'),
  resume: (agent, url, team) => run(agent, url, team, 'resume', '--last', 'And lakes?'),
});
