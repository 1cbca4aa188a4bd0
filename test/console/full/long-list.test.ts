import { testInBrowser } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';

const { gateway, given, openAsOwner } = consoleForTests();

const rows = 40_000;
/** The rows in view and some above and below them, each with its cells; and the layout. */
const maxElements = 2_500;

testInBrowser(
  `a list that is scrolled through ${rows} rows keeps its document small and shows the last row`,
  async () => {
    const team = await given.team();
    await gateway.current.deps.database.pool.query(
      `insert into jobs (job_id, team_id, organization_id, job_type, status, created_at, started_at, completed_at)
       select gen_random_uuid(), $1, $2, 'report', 'cancelled', at, at, at
         from generate_series(1, $3::int) n, lateral (select now() - n * interval '1 second' as at) made`,
      [team.teamId, team.organizationId, rows],
    );
    const { page, problems } = await openAsOwner(`/jobs?team=${team.teamId}`);
    await page.locator('tr[data-row]').first().waitFor();

    const maxCount = await page.evaluate(
      `(async (rows) => {
        const scroller = document.querySelector('table[aria-label="Jobs"]').parentElement;
        const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
        let maxCount = 0;
        while (Number([...scroller.querySelectorAll('tr[aria-rowindex]')].at(-1)?.getAttribute('aria-rowindex') ?? 0) < rows + 1) {
          scroller.scrollTop = scroller.scrollHeight;
          await frame();
          maxCount = Math.max(maxCount, document.querySelectorAll('*').length);
        }
        return maxCount;
      })(${rows})`,
    );

    expect(maxCount).toBeLessThan(maxElements);
    expect(problems).toEqual([]);
  },
  300_000,
);
