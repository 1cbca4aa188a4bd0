import { asAdmin } from '../../support/as-admin.ts';
import { expectOk } from '../../support/given.ts';
import { sendRequest } from '../../support/send-request.ts';
import { violationsOf } from '../support/axe.ts';
import { testInBrowser } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';

const { gateway, openAsOwner } = consoleForTests();

const screenshots = process.env.SCREENSHOTS;

testInBrowser(
  'Enter leads from an empty installation to a line that works as it is, and the page to its receipt (spec 32.5)',
  async () => {
    const { page, problems } = await openAsOwner('/');
    const shoot = async (name: string) => {
      if (screenshots) await page.screenshot({ path: `${screenshots}/first-call-${name}.png`, fullPage: true });
    };
    await page.getByRole('link', { name: 'Make the first call' }).click();
    const step = (title: string) =>
      page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title }) });
    const enter = async (button: string | RegExp) => {
      await page.locator(':focus', { hasText: button }).waitFor();
      await page.keyboard.press('Enter');
    };

    await enter('Create the organization');
    await enter('Create the team');
    await shoot('model');
    await enter('Create the model group');
    await enter('Test chat');
    await step('Model group').getByText('Completed', { exact: true }).waitFor();
    const line = await page.locator('pre', { hasText: 'curl' }).textContent();
    await shoot('key');
    const violations = await violationsOf(page);
    const [, url = ''] = line!.match(/^curl '([^']+)'/)!;
    const [, key = ''] = line!.match(/Bearer (sk-\w+)/)!;
    const body = JSON.parse(line!.match(/-d '(.*)'$/s)![1]!);
    const called = await sendRequest(gateway.current.url, 'post', new URL(url).pathname, { key, body });

    const { job_id } = expectOk(called);
    const receipt = step('Receipt').getByRole('link', { name: 'Open the receipt' });
    await receipt.waitFor();
    await shoot('receipt');
    expect(await receipt.getAttribute('href')).toContain(job_id);
    expect(new URL(url).origin).toBe(gateway.current.url);
    expect(violations).toEqual([]);
    expect(problems).toEqual([]);

    await page.reload();
    await receipt.waitFor();
    expect(await page.content()).not.toContain(key);
    await page.getByRole('button', { name: 'Show the key' }).click();
    await page.getByText(key).first().waitFor();
    expect(problems).toEqual([]);
  },
);

testInBrowser(
  'a page that is loaded again goes on with the model group, for which it names the models of the upstream (spec 32.5)',
  async () => {
    const admin = asAdmin(gateway);
    const organization_id = 'second';
    expectOk(await admin.post('/api/organizations/create', { organization_id, name: 'Second' }));
    const team = { organization_id, team_id: 'second-team', model_groups: [], credits_allocated: 5 };
    expectOk(await admin.post('/api/teams/create', team));

    const { page, problems } = await openAsOwner('/first-call?team=second-team');
    await page.getByText('5 credits left').waitFor();
    await page.getByLabel('Which one').selectOption('new');
    await page.getByLabel('Model of the upstream').waitFor();
    const offered = await page.evaluate("[...document.querySelectorAll('datalist option')].map((one) => one.value)");

    expect(offered).toContain('claude-sonnet-4');
    expect(await page.getByText('The upstream lists its price').isVisible()).toBe(true);
    await page.getByLabel('Model of the upstream').fill('my-own-model');
    await page.getByLabel('Input price, USD per million tokens').fill('1.5');
    expect(problems).toEqual([]);
  },
);

testInBrowser('a model that cannot be called is told in the step, in words (spec 32.5)', async () => {
  const admin = asAdmin(gateway);
  const group = { group_name: 'broken', models: [{ model_name: 'sim-fail-401' }] };
  expectOk(await admin.post('/api/model-groups/create', group));
  const team = { organization_id: 'second', team_id: 'third-team', model_groups: ['broken'], credits_allocated: 5 };
  expectOk(await admin.post('/api/teams/create', team));

  const { page, problems } = await openAsOwner('/first-call?team=third-team');
  await page.getByRole('button', { name: 'Test broken' }).click();

  await page.getByText('LLM call failed').first().waitFor();
  await page.getByText('Failed', { exact: true }).waitFor();
  expect(problems).toEqual([]);
});
