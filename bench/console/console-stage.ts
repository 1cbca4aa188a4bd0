import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { findChromium, launchChromium } from '../../test/console/support/chromium.ts';
import { cacheFolder } from '../../tools/dev/folders.ts';
import type { Print } from '../../tools/dev/print.ts';
import { openProcessGroup } from '../../tools/dev/processes/process-group.ts';
import { buildConsole } from '../../tools/dev/programs.ts';
import { closeDriver, post } from '../drive/send.ts';
import { type Gateway, startGateway } from '../stage/start-gateway.ts';
import { type Services, startServices } from '../stage/start-services.ts';
import { createTeam, llmCall, type Team } from '../stage/team.ts';
import { json, type Subject } from '../subject.ts';
import type { ConsolePlan } from './console-plan.ts';
import { fillInstallation } from './fill-installation.ts';

/** A gateway with a filled database, an owner who signs in, and a browser. */
export interface ConsoleStage {
  services: Services;
  gateway: Gateway;
  team: Team;
  calls: Subject;
  owner: { email: string; password: string };
  browser: Browser;
  /** With the lowest priority: it stands for browsers on other machines, and must not take the processor from calls. */
  yieldingBrowser: Browser;
  postgresLog: string | undefined;
  end(): Promise<void>;
}

const owner = { email: 'owner@bench.example', password: 'a pass phrase for benchmarks' };

async function setUpOwner({ url, masterKey }: Gateway): Promise<void> {
  const status = (await (await fetch(`${url}/api/admin-users/setup/status`)).json()) as { needs_setup: boolean };
  if (!status.needs_setup) return;
  const body = JSON.stringify({ ...owner, display_name: 'Ada Lovelace' });
  await post(url, {
    path: '/api/admin-users/setup',
    headers: { ...json, authorization: `Bearer ${masterKey}` },
    body,
  });
}

function yieldingProgram(folder: string): string {
  const program = join(folder, 'chromium-yielding');
  writeFileSync(program, `#!/bin/sh\nexec nice -n 19 '${findChromium()}' "$@"\n`);
  chmodSync(program, 0o755);
  return program;
}

/** Resolves when the database is filled and all processes are ready. */
export async function setConsoleStage(plan: ConsolePlan, print: Print): Promise<ConsoleStage> {
  const { jobs, databaseUrl, databaseLog } = plan;
  if (!findChromium()) throw new Error('no Chromium was found: install the package chromium, or set CHROMIUM_PATH');
  await buildConsole();
  const folder = mkdtempSync(join(tmpdir(), 'job-gateway-bench-'));
  const [servicesGroup, gatewayGroup] = [
    openProcessGroup(join(folder, 'services')),
    openProcessGroup(join(folder, 'gateway')),
  ];
  const browsers: Browser[] = [];
  const end = async () => {
    for (const browser of browsers) await browser.close();
    await closeDriver();
    await gatewayGroup.end();
    await servicesGroup.end();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const services = await startServices(servicesGroup, cacheFolder(folder), { databaseUrl });
    const gateway = await startGateway(gatewayGroup, services, {});
    print(`${jobs} jobs`);
    await fillInstallation(services.databaseUrl, jobs);
    await setUpOwner(gateway);
    const team = await createTeam(gateway, `bench-${Date.now()}`);
    browsers.push(await launchChromium(), await launchChromium(yieldingProgram(folder)));
    return {
      services,
      gateway,
      team,
      calls: llmCall(gateway, team, [gatewayGroup.pidOf('api'), gatewayGroup.pidOf('worker')]),
      owner,
      browser: browsers[0]!,
      yieldingBrowser: browsers[1]!,
      postgresLog: databaseUrl === undefined ? servicesGroup.logFile('postgres') : databaseLog,
      end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}
