import type { Page } from 'playwright-core';
import { as, expectOk } from '../../support/given.ts';
import { until } from '../../support/until.ts';
import { violationsOf } from '../support/axe.ts';
import { testInBrowser } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';
import { givenShown, type Shown, visit } from './pages.ts';

const { gateway, given, openAsOwner } = consoleForTests();

interface OpenedBy {
  path: (shown: Shown & { openJob: string; modelGroup: string }) => string;
  /** The button that opens it, within what has this role and name. */
  button: string;
  within?: (shown: { modelGroup: string }) => { role: 'region' | 'row'; name: string };
  /** A further button in the dialog that opens another one in its place. */
  then?: string;
}

const ofTeam = (button: string): OpenedBy => ({ path: ({ teamId }) => `/teams/${teamId}`, button });
const ofWebhook = (button: string): OpenedBy => ({ path: ({ webhookId }) => `/webhooks/${webhookId}`, button });
const ofOrganization = (button: string): OpenedBy => ({
  path: ({ organizationId }) => `/organizations/${organizationId}`,
  button,
});

/** The dialogs of the console. */
const dialogs: Record<string, OpenedBy> = {
  'columns of a list': { path: () => '/jobs', button: 'Columns' },
  'export of a list': { path: () => '/jobs', button: 'Export as CSV' },
  'a further filter': { path: () => '/jobs', button: 'Filter' },
  'views of the list of jobs': { path: () => '/jobs', button: 'Views' },
  'cancellation of a job': { path: ({ openJob }) => `/jobs/${openJob}`, button: 'Cancel' },
  'refund of a job': { path: ({ jobId }) => `/jobs/${jobId}`, button: 'Refund' },
  'deletion of payloads': { path: ({ jobId }) => `/jobs/${jobId}`, button: 'Delete payloads' },
  'check of the ledger': { path: () => '/ledger', button: 'Ledger equals balances' },
  'a new team': { path: () => '/teams', button: 'New team' },
  'a new organization': { path: () => '/organizations', button: 'New organization' },
  'a new webhook': { path: () => '/webhooks', button: 'New webhook' },
  'a new user': { path: () => '/users', button: 'New account' },
  'a new model group': { path: () => '/models', button: 'New model group' },
  'a model group': {
    path: ({ modelGroup }) => `/models?q=${modelGroup}`,
    button: 'Edit',
    within: ({ modelGroup }) => ({ role: 'region', name: modelGroup }),
  },
  'allocation of credits': ofTeam('Allocate'),
  'adjustment of credits': ofTeam('Adjust'),
  'refund by id': ofTeam('Refund'),
  'the key of a team': ofTeam('Reveal key'),
  'rotation of a key': ofTeam('Rotate key'),
  'erasure of a user': ofTeam('Erase a user'),
  'suspension of a team': ofTeam('Suspend'),
  'an organization': ofOrganization('Edit'),
  'suspension of an organization': ofOrganization('Suspend'),
  'deletion of an organization': ofOrganization('Delete'),
  'test of a webhook': ofWebhook('Test'),
  'failed deliveries': ofWebhook('Resend failed'),
  'a webhook': ofWebhook('Edit'),
  'the switch of a webhook': ofWebhook('Switch off'),
  'deletion of a webhook': ofWebhook('Delete'),
};

/** What has the focus in the dialog, what should, and whether the dialog has it at all. */
const readFocus = (page: Page) =>
  page.evaluate(`(() => {
    const dialog = document.querySelector('[role="dialog"]');
    const focused = document.activeElement;
    const first = dialog.querySelector('input:not([type="hidden"], :disabled), select:not(:disabled), textarea:not(:disabled)');
    const nameOf = (element) => element && (element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent);
    return {
      name: nameOf(focused),
      isInside: dialog.contains(focused),
      isFirstField: first === null || first === focused,
      isClose: focused.getAttribute('aria-label') === 'Close',
      isDangerous: focused.getAttribute('type') === 'submit',
    };
  })()`) as Promise<Record<string, unknown>>;

const focusedName = `document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent`;

testInBrowser(
  'each dialog begins at its first field, or at what is safe, has no violation of accessibility, and Esc gives the focus back (spec 20.12)',
  async () => {
    const { team, shown } = await givenShown(gateway);
    const openJob = await given.job(team);
    expectOk(await as(gateway, team).single());
    const situation = { ...shown, openJob, modelGroup: team.modelGroup };
    const { page, problems } = await openAsOwner('/me');
    const wrong: unknown[] = [];

    for (const [name, { path, button, within }] of Object.entries(dialogs)) {
      await visit(page, path(situation));
      const place = within?.(situation);
      const opener = (place ? page.getByRole(place.role, { name: place.name }) : page.locator('main'))
        .getByRole('button', { name: button })
        .first();
      await opener.click();
      await page.getByRole('dialog').waitFor();
      await until(async () => (await readFocus(page)).isInside);
      const focus = await readFocus(page);
      const isRight = focus.isInside && focus.isFirstField && !focus.isClose && !focus.isDangerous;
      const violations = await violationsOf(page);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      const isBack = String(await page.evaluate(focusedName)).includes(button);
      if (!isRight || !isBack || violations.length > 0) wrong.push({ name, focus, isBack, violations });
    }

    expect(wrong).toEqual([]);
    expect(problems).toEqual([]);
  },
  300_000,
);
