import { Link } from '../../faults/support/link.ts';
import { as, expectOk } from '../../support/given.ts';
import { services } from '../../support/services.ts';
import { testInBrowser } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';

const link = await Link.open(services.redisUrl);
const { gateway, given, openAsOwner } = consoleForTests({ settings: { REDIS_URL: link.url } });
afterAll(() => link.close());

testInBrowser(
  'without Redis the list of jobs shows that it polls and shows what has changed, and is live again when Redis is back',
  async () => {
    const team = await given.team();
    const [first, second] = [await given.job(team), await given.job(team)];
    const { page } = await openAsOwner(`/jobs?team=${team.teamId}`);
    const stateOf = (job: string, state: string) => page.locator(`tr[data-row="${job}"]`).getByText(state);
    const indicator = page.getByRole('status');
    await stateOf(first, 'Pending').waitFor();
    await indicator.getByText('Live').waitFor();

    await link.down();
    await indicator.getByText('Every 5 s').waitFor();
    expectOk(await as(gateway, team).post(`/api/jobs/${first}/cancel`, {}));
    await stateOf(first, 'Cancelled').waitFor();
    await link.up();
    await indicator.getByText('Live').waitFor();
    expectOk(await as(gateway, team).post(`/api/jobs/${second}/cancel`, {}));

    await stateOf(second, 'Cancelled').waitFor();
  },
  120_000,
);
