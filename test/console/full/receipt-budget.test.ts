import { as, expectOk } from '../../support/given.ts';
import { until } from '../../support/until.ts';
import { testInBrowser } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';

const { gateway, given, openAsOwner, openAsTeam } = consoleForTests();

testInBrowser(
  'a receipt shows what remains of the caps of its job and which is reached, and an admin raises one (spec 23.3, spec 23.5)',
  async () => {
    const team = await given.team();
    const job = await given.job(team, { budget: { max_calls: 1, max_tokens: 50_000 } });
    const { call, get } = as(gateway, team);
    await call(job);
    await call(job);
    const { page, problems } = await openAsOwner(`/jobs/${job}`);

    const card = page.getByRole('region', { name: 'Budget' });
    await card.getByText('of 1: 1 spent, 0 held, reached').waitFor();
    await card.getByRole('button', { name: 'Change the budget' }).click();
    await page.getByLabel('Calls').fill('3');
    await page.getByLabel('Tokens').fill('');
    await page.getByRole('dialog').getByRole('button', { name: 'Change the budget' }).click();
    await card.getByText('of 3: 1 spent, 0 held').waitFor();

    await until(async () => expectOk(await get(`/api/jobs/${job}`)).budget.max_tokens === null);
    expect((await call(job)).status).toBe(200);
    expect(problems).toEqual([]);
  },
);

testInBrowser(
  'a session of a team sees the budget of a job and cannot change it, and a job without one shows none (spec 23.3)',
  async () => {
    const team = await given.team();
    const job = await given.job(team, { budget: { max_calls: 4 } });
    const plain = await given.job(team);
    const { page, problems } = await openAsTeam(team.key, `/jobs/${job}`);

    await page.getByText('of 4: 0 spent, 0 held').waitFor();
    expect(await page.getByRole('button', { name: 'Change the budget' }).count()).toBe(0);
    await page.goto(page.url().replace(job, plain));
    await page.getByText('of prompts and answers').waitFor();
    expect(await page.getByRole('region', { name: 'Budget' }).count()).toBe(0);
    expect(problems).toEqual([]);
  },
);
