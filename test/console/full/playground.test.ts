import { asAdmin } from '../../support/as-admin.ts';
import { as, expectOk } from '../../support/given.ts';
import { until } from '../../support/until.ts';
import { testInBrowser } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';

const { gateway, given, openAsOwner, openAsTeam } = consoleForTests();

const screenshots = process.env.SCREENSHOTS;

testInBrowser('an owner runs a prompt with the test account, and opens its receipt (spec 32.4)', async () => {
  const model = await given.modelGroup(['sim-echo']);
  const { page, problems } = await openAsOwner('/playground');
  await page.getByText('The first run makes a test account').waitFor();

  await page.getByLabel('Model group or alias').fill(model);
  await page.getByLabel('User message').fill('A prompt to repeat');
  await page.getByRole('button', { name: 'Run' }).click();

  await page.getByRole('region', { name: 'The answer' }).getByText('A prompt to repeat').waitFor();
  await page.getByText('99 credits left').waitFor();
  if (screenshots) await page.screenshot({ path: `${screenshots}/playground-run.png` });
  await page.getByRole('link', { name: 'Open the receipt' }).click();
  await page.getByText('playground', { exact: true }).first().waitFor();
  expect(problems).toEqual([]);
});

testInBrowser('Stop ends the call of a run with what it has written (spec 32.4)', async () => {
  const model = await given.modelGroup(['sim-tokens-500-every-100']);
  const { page, problems } = await openAsOwner('/playground');
  await page.getByLabel('Model group or alias').fill(model);
  await page.getByLabel('User message').fill('Go on for long');
  await page.getByLabel('User message').press('Control+Enter');
  const answer = page.getByRole('region', { name: 'The answer' });
  await until(
    () => answer.textContent(),
    (text) => (text ?? '').length > 40,
  );

  await page.getByRole('button', { name: 'Stop' }).click();

  await page.getByRole('link', { name: 'Open the receipt' }).waitFor();
  await page.getByText('Completed', { exact: true }).waitFor();
  expect(problems).toEqual([]);
});

testInBrowser('a team runs a prompt with its key, which the page keeps in memory only (spec 32.4)', async () => {
  const team = await given.team({ models: ['sim-echo'] });
  const { page, problems } = await openAsTeam(team.key, '/playground');
  const cookies: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/create-and-call-stream')) cookies.push(request.headers().cookie);
  });

  await page.getByLabel('Virtual key of the team').fill(team.key);
  await page.getByLabel('User message').fill('Say it again');
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByRole('region', { name: 'The answer' }).getByText('Say it again').waitFor();
  await page.getByRole('link', { name: 'Open the receipt' }).waitFor();

  expect(
    await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href])'),
  ).not.toContain(team.key);
  expect(await page.locator('body').textContent()).not.toContain(team.key);
  expect(cookies).toEqual([undefined]);
  expect((await as(gateway, team).credits()).credits_used).toBe(1);
  await page.reload();
  expect(await page.getByLabel('Virtual key of the team').inputValue()).toBe('');
  expect(problems).toEqual([]);
});

testInBrowser('a key that is refused ends no session, and says so beside the request id (spec 32.4)', async () => {
  const team = await given.team();
  const { page } = await openAsTeam(team.key, '/playground');

  await page.getByLabel('Virtual key of the team').fill('sk-wrong');
  await page.getByLabel('User message').fill('Hello');
  await page.getByRole('button', { name: 'Run' }).click();

  await page.getByRole('alert').getByText('Invalid API key').waitFor();
  await page.getByRole('alert').getByText('Request').waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
});

testInBrowser('the call of a receipt opens in the playground with its messages (spec 32.4)', async () => {
  const team = await given.team();
  const messages = [
    { role: 'system', content: 'Be short.' },
    { role: 'user', content: 'What is a receipt?' },
  ];
  const { job_id } = expectOk(await as(gateway, team).single({ messages, temperature: 0.2 }));
  const { calls } = expectOk(await asAdmin(gateway).get(`/api/jobs/${job_id}/calls`));
  const { page, problems } = await openAsOwner(`/jobs/${job_id}?item=${calls[0].call_id}&tab=request`);

  await page.getByRole('link', { name: 'Open in the playground' }).click();

  await page.getByLabel('System prompt').waitFor();
  expect(await page.getByLabel('System prompt').inputValue()).toBe('Be short.');
  expect(await page.getByLabel('User message').inputValue()).toBe('What is a receipt?');
  expect(await page.getByLabel('Temperature').inputValue()).toBe('0.2');
  expect(await page.getByLabel('Model group or alias').inputValue()).toBe(team.modelGroup);
  expect(problems).toEqual([]);
});
