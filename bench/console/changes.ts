import { setTimeout as pause } from 'node:timers/promises';
import { openPage, signInAsAdmin } from '../../test/console/support/console-page.ts';
import { post } from '../drive/send.ts';
import { median, quantile } from '../drive/statistics.ts';
import { json } from '../subject.ts';
import type { ConsoleStage } from './console-stage.ts';

/** From the request that changes a job to the frame that shows it, in milliseconds. */
export interface ChangeTimes {
  p50: number;
  slowest: number;
}

const states = { list: 'Cancelled', receipt: 'Cancelled' };

/** Resolves in the page with the time of the first frame after the text is there. */
const shown = (selector: string, text: string): string => `
  new Promise((resolve) => {
    const look = () => {
      const isThere = [...document.querySelectorAll(${JSON.stringify(selector)})].some((one) => one.textContent.includes(${JSON.stringify(text)}));
      if (isThere) resolve(Date.now()); else requestAnimationFrame(look);
    };
    look();
  })`;

const timesOf = (values: readonly number[]): ChangeTimes => ({
  p50: Math.round(median(values)),
  slowest: Math.round(quantile(values, 1)),
});

/** A job is cancelled while its row, or its receipt, is on the screen. Changes follow each other at intervals in which pages read again. */
export async function measureChanges(stage: ConsoleStage, count: number): Promise<Record<string, ChangeTimes>> {
  const { gateway, team, owner, browser } = stage;
  const { page } = await openPage(browser, gateway.url);
  await signInAsAdmin(page, owner);
  const headers = { ...json, authorization: `Bearer ${team.key}` };
  const found: Record<string, ChangeTimes> = {};
  for (const [where, text] of Object.entries(states)) {
    const times: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const [jobId] = await team.runningJobs(1);
      await page.goto(where === 'list' ? `/console/jobs?team=${team.teamId}` : `/console/jobs/${jobId}`);
      const selector = where === 'list' ? `tr[data-row="${jobId}"]` : 'main';
      await page.locator(selector).first().waitFor();
      await page.getByRole('status').getByText('Live').waitFor();
      await pause(index * 150);
      const painted = page.evaluate(shown(selector, text)) as Promise<number>;
      const changedAt = Date.now();
      await post(gateway.url, { path: `/api/jobs/${jobId}/cancel`, headers, body: '{}' });
      times.push((await painted) - changedAt);
    }
    found[where] = timesOf(times);
  }
  await page.context().close();
  return found;
}
