/** A new customer: an organization, a model group, and a team with credits. `JOB_GATEWAY_ADMIN_TOKEN` is the platform key. */
import { BadRequestError, JobGatewayAdmin } from '@job-gateway/client';

const admin = new JobGatewayAdmin();
const [customer = 'acme'] = process.argv.slice(2);

/** What exists already is kept, so that the program can be repeated. */
const unlessTaken = async (creation: Promise<unknown>): Promise<void> => {
  await creation.catch((error: unknown) => {
    if (!(error instanceof BadRequestError)) throw error;
  });
};

await unlessTaken(admin.organizations.create({ organization_id: customer, name: customer }));
await unlessTaken(
  admin.modelGroups.create({
    group_name: 'smart',
    display_name: 'Smart',
    models: [{ model_name: 'sim-ok', priority: 0, input_price_per_million: 1, output_price_per_million: 4 }],
  }),
);
const { virtual_key } = await admin.teams.create({
  organization_id: customer,
  team_id: `${customer}-reports`,
  model_groups: ['smart'],
  credits_allocated: 100,
});
await admin.credits.allocate(`${customer}-reports`, { credits_amount: 20, reason: 'Welcome' });

console.log(`JOB_GATEWAY_TEAM_ID=${customer}-reports`);
console.log(`JOB_GATEWAY_API_KEY=${virtual_key}`);
for await (const team of admin.teams.list({ organization_id: customer })) console.log(team.team_id, team.status);
