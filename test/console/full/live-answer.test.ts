import type { Page } from 'playwright-core';
import { Link } from '../../faults/support/link.ts';
import { as, expectOk, type GivenTeam } from '../../support/given.ts';
import { readAudit } from '../../support/read-audit.ts';
import type { Answer } from '../../support/send-request.ts';
import { until } from '../../support/until.ts';
import { violationsOf } from '../support/axe.ts';
import { launchChromium, testInBrowser } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';
import { openPage, signInAsTeam } from '../support/console-page.ts';
import { setVisibility } from '../support/visibility.ts';

const { gateway, given, openAsOwner, openAsTeam } = consoleForTests();

const callsOf = async (team: GivenTeam, job: string) =>
  expectOk(await as(gateway, team).get(`/api/jobs/${job}/calls`)).calls;

interface Wanted {
  page: Page;
  team: GivenTeam;
  tab: string;
  make?: 'call' | 'stream';
}

/** A call that is running, in an open job, with its part of the receipt on a page whose session began before the call. */
async function openRunning({ page, team, tab, make = 'stream' }: Wanted) {
  const job = await given.job(team);
  const streams = streamsOf(page);
  const end: Promise<Answer> = as(gateway, team)[make](job);
  const [call] = await until(
    () => callsOf(team, job),
    ([one]) => one?.status === 'running',
  );
  await page.goto(`/console/jobs/${job}?item=${call.call_id}&tab=${tab}`);
  const recorded = async (): Promise<string> => {
    await end;
    const path = `/api/jobs/${job}/calls/${call.call_id}?include=response`;
    return expectOk(await as(gateway, team).get(path)).response.content;
  };
  return { streams, job, callId: call.call_id as string, end, recorded };
}

/** The same of a team whose model answers like this, on its own page. */
async function openRunningOf({ model, ...wanted }: { model: string; tab: string; make?: 'call' | 'stream' }) {
  const team = await given.team({ models: [model] });
  const { page, problems } = await openAsTeam(team.key, '/jobs');
  return { page, problems, ...(await openRunning({ page, team, ...wanted })) };
}

/** The streams that the page has requested, with the event behind which each goes on. */
function streamsOf(page: Page): (string | undefined)[] {
  const streams: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (/\/calls\/[^/]+\/stream$/.test(request.url())) streams.push(request.headers()['last-event-id']);
  });
  return streams;
}

const answerIn = (page: Page) =>
  page.getByRole('list', { name: 'Messages' }).getByRole('listitem').last().locator('p').nth(1);

testInBrowser(
  'the answer of a running call is in its conversation as it comes, and as it is recorded after its end (spec 20.13, spec 26.7)',
  async () => {
    const { page, problems, streams, recorded } = await openRunningOf({
      model: 'sim-tokens-160-every-50',
      tab: 'conversation',
    });
    const answer = answerIn(page);
    const item = page.getByRole('region', { name: 'Selected item' });
    await item.getByText('Being written …').waitFor();
    const tab = item.getByRole('tab', { name: 'Conversation' });
    await tab.focus();

    const early = (await answer.textContent())!;
    await until(async () => ((await answer.textContent()) ?? '').length > early.length);
    const growing = (await answer.textContent())!;
    const [texts, isAnnounced] = (await page.evaluate(`(() => {
      const text = document.querySelector('[aria-label="Messages"] li:last-child div p');
      return [text.childNodes.length, text.closest('[aria-live], [role="status"]') !== null];
    })()`)) as [number, boolean];
    const violations = await violationsOf(page);
    const windowScrolls = await page.evaluate('document.documentElement.scrollHeight > window.innerHeight');
    const whole = await recorded();
    await item.getByText('The call has ended: succeeded').waitFor({ state: 'attached' });
    await item.getByText('Being written …').waitFor({ state: 'detached' });

    expect(whole.startsWith(growing)).toBe(true);
    expect(growing.length).toBeLessThan(whole.length);
    expect(texts).toBe(1);
    expect(isAnnounced).toBe(false);
    expect(violations).toEqual([]);
    expect(windowScrolls).toBe(false);
    expect(await answer.textContent()).toBe(whole);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Conversation');
    expect(streams).toEqual([undefined]);
    expect(problems).toEqual([]);
  },
);

testInBrowser(
  'a page that is hidden reads no answer, and when it is shown it reads on behind the last event without a character lost (spec 20.7, spec 20.13, spec 26.8)',
  async () => {
    const { page, streams, recorded, end } = await openRunningOf({
      model: 'sim-tokens-160-every-50',
      tab: 'response',
    });
    const box = page.getByRole('region', { name: 'The answer so far' });
    await box.getByText('Being written …').waitFor();
    const shown = await box.locator('p').first().textContent();

    await setVisibility(page, 'hidden');
    const hidden = await box.locator('p').first().textContent();
    await end;
    await setVisibility(page, 'visible');
    await page.getByRole('tabpanel').locator('pre').waitFor();
    const json = JSON.parse((await page.getByRole('tabpanel').locator('pre').textContent())!);

    expect(hidden!.length).toBeGreaterThanOrEqual(shown!.length);
    expect(json.content).toBe(await recorded());
    expect(streams[0]).toBeUndefined();
    expect(streams.slice(1).every((lastId) => lastId !== undefined)).toBe(true);
    expect(streams.length).toBeGreaterThan(1);
  },
);

testInBrowser(
  'an answer whose connection is cut is read on where it was left when the service can be reached again (spec 26.8)',
  async () => {
    const link = await Link.open(gateway.current.url);
    const browser = await launchChromium();
    const { page } = await openPage(browser, link.url);
    const team = await given.team({ models: ['sim-tokens-240-every-50'] });
    await signInAsTeam(page, team.key);
    const { streams, recorded } = await openRunning({ page, team, tab: 'conversation' });
    await page.getByText('Being written …').waitFor();

    await link.down();
    await page.getByText('The connection is lost. The answer is read on …').waitFor();
    const cut = (await answerIn(page).textContent())!;
    await link.up();
    await page.getByText('Being written …').waitFor();
    await until(async () => ((await answerIn(page).textContent()) ?? '').length > cut.length);
    const further = (await answerIn(page).textContent())!;
    await browser.close();
    await link.close();

    expect((await recorded()).startsWith(further)).toBe(true);
    expect(streams.at(-1)).toBeDefined();
  },
);

testInBrowser(
  'a call that is not streamed shows that its answer comes at its end, and then shows it (spec 26.7)',
  async () => {
    const { page, recorded } = await openRunningOf({
      model: 'sim-slow-5000-tokens-20',
      tab: 'conversation',
      make: 'call',
    });

    await page.getByText('Not streamed: the answer comes as a whole, at its end.').waitFor();
    const whole = await recorded();

    await page.getByText(whole).waitFor();
  },
);

testInBrowser(
  'the tool calls of an answer are shown as they come, and the same from its record (spec 26.7)',
  async () => {
    const { page, end } = await openRunningOf({ model: 'sim-two-tools-every-400', tab: 'conversation' });
    const lines = page.getByRole('list', { name: 'Messages' }).getByText(/^\w+\(\{/);
    await lines.first().waitFor();

    await end;

    await until(
      async () => ((await answerIn(page).textContent()) ?? '').split('\n'),
      (shown) => shown.filter((line) => /^\w+\(\{.*\}\)$/.test(line)).length === 2,
    );
  },
);

testInBrowser('an answer that breaks off shows why its call has failed (spec 26.7)', async () => {
  const { page, end } = await openRunningOf({ model: 'sim-tokens-200-every-50-error-in-stream-150', tab: 'response' });
  await page.getByText('Being written …').waitFor();

  await end;
  await page.getByText('The call has ended: failed').waitFor({ state: 'attached' });

  await page.getByRole('tab', { name: 'Summary' }).click();
  await page.getByText('Error', { exact: true }).waitFor();
});

testInBrowser(
  'an admin reads the answer of a running call as far as admins read texts, which is audited (spec 19.29)',
  async () => {
    const team = await given.team({ models: ['sim-tokens-200-every-50'] });
    const { page } = await openAsOwner('/jobs');
    const { streams, job, callId, end } = await openRunning({ page, team, tab: 'summary' });
    const { config } = gateway.current;
    await page.getByRole('tab', { name: 'Summary' }).waitFor();
    const before = streams.length;

    config.ADMIN_READS_PAYLOADS = false;
    await page.getByRole('tab', { name: 'Response' }).click();
    await page.getByText('Admins may not read requests and responses here').waitFor();
    const hidden = streams.length;
    config.ADMIN_READS_PAYLOADS = true;
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('Being written …').waitFor();

    expect([before, hidden]).toEqual([0, 0]);
    expect(streams).toHaveLength(1);
    const entries = await readAudit(gateway.current, job);
    expect(entries.map(({ action, details }) => [action, details])).toContainEqual([
      'read_call_payload',
      { call_id: callId, include: ['response'] },
    ]);
    await end;
  },
);
