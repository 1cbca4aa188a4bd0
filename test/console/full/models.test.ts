import { asAdmin } from '../../support/as-admin.ts';
import { expectOk, unique } from '../../support/given.ts';
import { testInBrowser } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';

const { gateway, given, openAsOwner } = consoleForTests();
const admin = asAdmin(gateway);

testInBrowser('a model group is created with its models in the order of the form, and then changed', async () => {
  const name = unique('group');
  const { page, problems } = await openAsOwner('/models');
  const read = async () => expectOk(await admin.get(`/api/model-groups/${name}`));

  await page.getByRole('button', { name: 'New model group' }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('button', { name: 'Add a model' }).click();
  await page.getByLabel('Primary model', { exact: true }).fill('sim-slow');
  await page.getByRole('button', { name: 'Add a model' }).click();
  await page.getByLabel('Fallback 1', { exact: true }).fill('sim-ok');
  await page.getByLabel('Fallback 1: input price, USD per million tokens').fill('0.15');
  await page.getByRole('button', { name: 'Try sim-ok earlier' }).click();
  await page.getByRole('button', { name: 'Create the model group' }).click();
  const section = page.getByRole('region', { name });
  await section.waitFor();
  const created = await read();
  await section.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Status').selectOption('inactive');
  await page.getByRole('button', { name: 'Save' }).click();
  await section.getByText('Inactive').waitFor();

  expect(created.models).toMatchObject([
    { model_name: 'sim-ok', input_price_per_million: 0.15 },
    { model_name: 'sim-slow', input_price_per_million: null },
  ]);
  expect(await read()).toMatchObject({ status: 'inactive', models: created.models });
  expect(problems).toEqual([]);
});

testInBrowser('a price that is emptied in the form is cleared, of a model of a group and of an alias', async () => {
  const prices = { input_price_per_million: 0.5, output_price_per_million: 2 };
  const [group_name, alias_name] = [unique('group'), unique('alias')];
  expectOk(await admin.post('/api/model-groups/create', { group_name, models: [{ model_name: 'sim-ok', ...prices }] }));
  expectOk(await admin.post('/api/model-aliases/create', { alias_name, model_name: 'sim-ok', ...prices }));
  const { page, problems } = await openAsOwner(`/models?q=${group_name}`);
  const clear = async (name: string) => {
    await page.getByRole('region', { name }).getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Primary model: input price, USD per million tokens').fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(`Changed ${name}`).waitFor();
  };

  await clear(group_name);
  await page.goto(`/console/models?tab=aliases&q=${alias_name}`);
  await clear(alias_name);

  const cleared = { input_price_per_million: null, output_price_per_million: 2 };
  expect(expectOk(await admin.get(`/api/model-groups/${group_name}`)).models).toMatchObject([cleared]);
  expect(expectOk(await admin.get(`/api/model-aliases/${alias_name}`))).toMatchObject(cleared);
  expect(problems).toEqual([]);
});

testInBrowser('a dry run shows which model a call of a team would request, and why one is refused', async () => {
  const [team, other] = [await given.team({ models: ['sim-first', 'sim-second'] }), await given.modelGroup()];
  const { page, problems } = await openAsOwner('/models?tab=resolve');

  await page.getByRole('textbox', { name: 'Team' }).fill(team.teamId);
  await page.getByLabel('Model group or alias').fill(team.modelGroup);
  await page.getByRole('button', { name: 'Resolve' }).click();
  await page.getByText('would request sim-first').waitFor();
  const link = page.url();
  await page.getByLabel('Model group or alias').fill(other);
  await page.getByRole('button', { name: 'Resolve' }).click();
  await page.getByText('The call would be refused').waitFor();

  expect(link).toContain(`name=${team.modelGroup}`);
  expect(problems).toEqual([]);
});
