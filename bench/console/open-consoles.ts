import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { openPage, signInAsAdmin } from '../../test/console/support/console-page.ts';
import { median } from '../drive/statistics.ts';
import { measureLatency } from '../measure/latency.ts';
import { withLoggedStatements } from '../measure/logged-statements.ts';
import type { ConsolePlan } from './console-plan.ts';
import type { ConsoleStage } from './console-stage.ts';

/** What open consoles cost: calls at a steady rate with them and without. */
export interface OpenConsoles {
  consoles: number;
  /** p50 of a call in milliseconds, of all rounds. */
  without: number;
  with: number;
  /** Statements of api and worker a second; undefined where PostgreSQL's log is not ours. */
  statements?: { without: number; with: number; byName: Record<string, number> };
}

const callsPerSecond = 5;
/** What people keep open: most have one of these four. */
const kept = ['/', '/jobs', '/live', '/teams'];
const settleMs = 2_000;
/** After the pages have been opened, until their pauses between readings are at their longest. */
const openedMs = 20_000;

async function openConsoles({ yieldingBrowser, gateway, owner }: ConsoleStage, count: number): Promise<Page[]> {
  const pages: Page[] = [];
  for (let index = 0; index < count; index += 1) {
    const { page } = await openPage(yieldingBrowser, gateway.url);
    await signInAsAdmin(page, owner);
    pages.push(page);
  }
  return pages;
}

/** Resolves when each page has the stream of events. */
const show = (pages: readonly Page[]) =>
  Promise.all(
    pages.map(async (page, index) => {
      await page.goto(`/console${kept[index % kept.length]}`);
      await page.getByRole('status').getByText('Live').waitFor();
    }),
  );
const leave = (pages: readonly Page[]) => Promise.all(pages.map((page) => page.goto('about:blank')));

export async function measureOpenConsoles(stage: ConsoleStage, plan: ConsolePlan): Promise<OpenConsoles> {
  const { rounds, seconds, consoles } = plan;
  const pages = await openConsoles(stage, consoles);
  const measure = () => measureLatency(stage.calls, callsPerSecond, seconds);
  const latencies: Record<'without' | 'with', number[]> = { without: [], with: [] };
  for (let round = 0; round < rounds * 2; round += 1) {
    const isWith = round % 4 === 1 || round % 4 === 2;
    await (isWith ? show(pages) : leave(pages));
    await pause(settleMs);
    latencies[isWith ? 'with' : 'without'].push(...(await measure()).values);
  }
  const statements = stage.postgresLog && (await countStatements(stage, stage.postgresLog, pages, seconds));
  for (const page of pages) await page.context().close();
  return {
    consoles,
    without: median(latencies.without),
    with: median(latencies.with),
    ...(statements && { statements }),
  };
}

async function countStatements(stage: ConsoleStage, logFile: string, pages: readonly Page[], seconds: number) {
  const count = async () => {
    await pause(openedMs);
    const logged = await withLoggedStatements(stage.services.databaseUrl, logFile, () =>
      measureLatency(stage.calls, callsPerSecond, seconds).then(() => undefined),
    );
    const byName = new Map<string, number>();
    for (const { name } of logged) byName.set(name, (byName.get(name) ?? 0) + 1);
    return { rate: logged.length / seconds, byName };
  };
  await leave(pages);
  const without = await count();
  await show(pages);
  const withThem = await count();
  const added = [...withThem.byName].map(
    ([name, times]) => [name, Math.round(((times - (without.byName.get(name) ?? 0)) / seconds) * 100) / 100] as const,
  );
  return {
    without: Math.round(without.rate * 10) / 10,
    with: Math.round(withThem.rate * 10) / 10,
    byName: Object.fromEntries(added.filter(([, rate]) => rate >= 0.1).sort((one, other) => other[1] - one[1])),
  };
}
