import type { GatewayClient } from './gateway-client.ts';
import { type DemoTeam, demoAlias, demoGroups, demoOrganizations, demoPrices, demoTeams } from './story.ts';

/** A repetition of the demo finds what the first one made. */
const alreadyThere = [400];

/** Creates the organizations, models, teams and a webhook of the story, through the public interface. */
export async function setUp(admin: GatewayClient): Promise<void> {
  for (const organization of demoOrganizations)
    await admin.send('POST', '/api/organizations/create', organization, alreadyThere);
  for (const [group_name, { display_name, models }] of Object.entries(demoGroups)) {
    const members = models.map(({ name, prompt, completion }, priority) => ({
      model_name: name,
      priority,
      input_price_per_million: prompt,
      output_price_per_million: completion,
    }));
    await admin.send('POST', '/api/model-groups/create', { group_name, display_name, models: members }, alreadyThere);
  }
  await admin.send('POST', '/api/model-aliases/create', demoAlias, alreadyThere);
  for (const team of demoTeams) await admin.send('POST', '/api/teams/create', teamOf(team), alreadyThere);
  for (const { team_id, settings, keys = [] } of demoTeams) {
    if (settings) await admin.send('PUT', `/api/teams/${team_id}`, settings);
    for (const key of keys) await admin.send('POST', `/api/teams/${team_id}/keys`, key, alreadyThere);
  }
  for (const [job_type, price] of Object.entries(demoPrices))
    await admin.send('PUT', `/api/job-types/${job_type}`, price);
}

const teamOf = ({ team_id, team_alias, organization_id, budget_mode, credit_limit }: DemoTeam) => ({
  team_id,
  team_alias,
  organization_id,
  budget_mode,
  credit_limit,
  credits_allocated: 0,
  model_groups: Object.keys(demoGroups),
});

export const keyOfTeam = async (admin: GatewayClient, { team_id }: DemoTeam): Promise<string> => {
  const { credits } = (await admin.send('GET', `/api/teams/${team_id}`)) as { credits: { virtual_key: string } };
  return credits.virtual_key;
};
