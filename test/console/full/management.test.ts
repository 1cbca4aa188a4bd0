import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { asAdmin } from '../../support/as-admin.ts';
import { expectOk, unique } from '../../support/given.ts';
import { testInBrowser, testInBrowserFor } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';

const { gateway, given, openAsOwner, openAsTeam } = consoleForTests({ worker: true });
const admin = asAdmin(gateway);

testInBrowser('a model is switched off in its group, and the form shows first what calls will try', async () => {
  const name = await given.modelGroup(['sim-first', 'sim-second']);
  const { page, problems } = await openAsOwner(`/models?q=${name}`);

  await page.getByRole('region', { name }).getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Primary model is used by calls').uncheck();
  const effect = page.getByRole('row', { name: 'Tried' });
  const shown = await effect.textContent();
  await page.getByLabel('Extra fields').fill('top_k, min_p');
  await page.getByLabel('Blocked fields').fill('service_tier');
  await page.getByLabel('Max output tokens').fill('4096');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('region', { name }).getByText('Inactive').waitFor();

  expect(shown).toBe('Triedsim-first, then sim-secondsim-second');
  expect(expectOk(await admin.get(`/api/model-groups/${name}`))).toMatchObject({
    models: [{ model_name: 'sim-first', is_active: false }, { is_active: true }],
    extra_fields: ['top_k', 'min_p'],
    blocked_fields: ['service_tier'],
    max_output_tokens: 4_096,
  });
  expect(problems).toEqual([]);
  await page.context().close();
});

testInBrowser('the line of a new team makes a job as it stands, in a shell', async () => {
  const [{ organizationId }, modelGroup] = [await given.team(), await given.modelGroup(['sim-ok'])];
  const teamId = unique("o'neill");
  const { page } = await openAsOwner(`/teams?organization=${organizationId}`);

  await page.getByRole('button', { name: 'New team' }).click();
  await page.getByLabel('Team id').fill(teamId);
  await page.getByLabel(modelGroup).check();
  await page.getByLabel('Credits to start with').fill('3');
  await page.getByRole('button', { name: 'Create the team' }).click();
  const line = await page.getByText('curl ').textContent();
  const { stdout } = await promisify(execFile)('sh', ['-c', line!]);

  expect(JSON.parse(stdout)).toMatchObject({ status: 'completed' });
  expect(expectOk(await admin.get(`/api/teams/${encodeURIComponent(teamId)}`)).credits.credits_remaining).toBe(2);
  await page.context().close();
});

testInBrowserFor(
  [
    { who: 'a team', path: '/jobs', isTeam: true },
    { who: 'the first page of a team', path: '/team', isTeam: true },
    { who: 'an admin', path: '/jobs?from=2020-01-01&to=2020-01-02', isTeam: false },
  ],
  'the line that $who is shown without jobs makes a job as it stands, in a shell with the key',
  async ({ path, isTeam }) => {
    // The first of its groups cannot be called any more.
    const inactive = await given.modelGroup();
    const team = await given.team({ model_groups: [inactive, await given.modelGroup()] });
    expectOk(await admin.put(`/api/model-groups/${inactive}`, { status: 'inactive' }));
    const { page } = isTeam ? await openAsTeam(team.key, path) : await openAsOwner(path);

    const line = await page.getByText('curl ').first().textContent();
    const named = /"team_id":"([^"]+)"/.exec(line!)![1]!;
    const { credits } = expectOk(await admin.get(`/api/teams/${named}`));
    const env = { ...process.env, VIRTUAL_KEY: credits.virtual_key as string };
    const { stdout } = await promisify(execFile)('sh', ['-c', line!], { env });

    expect(JSON.parse(stdout)).toMatchObject({ status: 'completed' });
    await page.context().close();
  },
);

testInBrowser(
  'a rotation with a grace period ends sessions with the key, and one without ends them at once',
  async () => {
    const team = await given.team();
    const { page } = await openAsOwner(`/teams/${team.teamId}`);
    await page.getByRole('button', { name: 'Rotate key' }).click();
    const sessions = page.getByRole('row', { name: 'Its sessions here' });
    const withGrace = await sessions.textContent();
    await page.getByLabel('Grace period of the current key').selectOption('0');

    expect(withGrace).toBe('Its sessions herevalidend after 1 day');
    expect(await sessions.textContent()).toBe('Its sessions herevalidended');
    await page.context().close();
  },
);

testInBrowser('the settings of a team show what changes before they are saved', async () => {
  const team = await given.team();
  const { page, problems } = await openAsOwner(`/teams/${team.teamId}?tab=settings`);

  await page.getByLabel('A job costs').selectOption('consumption_usd');
  await page.getByLabel('Metadata').fill('{"tier": "gold"}');
  const shown = await page.getByRole('row', { name: 'A job costs' }).textContent();
  await page.getByRole('button', { name: 'Save 2 changes' }).click();
  await page.getByText('Changed the settings').waitFor();

  expect(shown).toBe('A job costsIts price: one credit, or that of its typeIts cost in USD times credits per dollar');
  expect(expectOk(await admin.get(`/api/teams/${team.teamId}`))).toMatchObject({
    budget_mode: 'consumption_usd',
    metadata: { tier: 'gold' },
  });
  expect(problems).toEqual([]);
  await page.context().close();
});

testInBrowser('an organization is renamed, deleted with its effect shown first, and activated again', async () => {
  const { organizationId } = await given.team();
  const { page } = await openAsOwner(`/organizations/${organizationId}`);
  const status = async () => expectOk(await admin.get(`/api/organizations/${organizationId}`)).status;

  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Name').fill('Another name');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { level: 1 }).getByText('Another name').waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('row', { name: 'Requests of all its teams' }).getByText('refused (403)').waitFor();
  await page.getByRole('button', { name: 'Delete the organization' }).click();
  await page.getByText('Another name is deleted').waitFor();
  const deleted = await status();
  await page.getByRole('button', { name: 'Activate' }).click();
  await page.getByRole('button', { name: 'Activate the organization' }).click();
  await page.getByText('Another name is active').waitFor();

  expect([deleted, await status()]).toEqual(['deleted', 'active']);
  await page.context().close();
});

testInBrowser('on a narrow screen every page is reached from the bar and what is behind More', async () => {
  const { page } = await openAsOwner('/jobs');
  await page.setViewportSize({ width: 360, height: 760 });
  const bar = page.getByRole('navigation', { name: 'Pages', exact: true });
  const sheet = page.getByRole('navigation', { name: 'More pages' });
  await bar.getByRole('link', { name: 'Jobs' }).waitFor();
  const inBar = await bar.getByRole('link').filter({ visible: true }).count();

  await bar.getByRole('button', { name: 'More' }).click();
  await sheet.waitFor();
  const inSheet = await sheet.getByRole('link').count();
  await sheet.getByRole('link', { name: 'Audit log' }).click();
  await page.waitForURL('**/console/audit*');
  await sheet.waitFor({ state: 'detached' });
  const scrolls = await page.evaluate(
    `(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(document.querySelector('nav[aria-label="Pages"] ul'))`,
  );

  expect([inBar, inSheet]).toEqual([4, 13]);
  expect(scrolls).toBe(false);
  await page.context().close();
});
