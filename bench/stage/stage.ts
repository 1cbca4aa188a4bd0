import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder } from '../../tools/dev/folders.ts';
import { openProcessGroup, type ProcessGroup } from '../../tools/dev/processes/process-group.ts';
import { closeDriver } from '../drive/send.ts';
import type { Subject } from '../subject.ts';
import * as subjects from '../subjects.ts';
import { startFloor } from './start-floor.ts';
import { type Gateway, startGateway } from './start-gateway.ts';
import { startLitellm } from './start-litellm.ts';
import { startPortkey } from './start-portkey.ts';
import { type Services, startServices } from './start-services.ts';
import { createAndCall, createTeam, llmCall, llmCallStream, type Team } from './team.ts';

/** Everything that is measured, running side by side on one machine. */
export interface Stage {
  services: Services;
  gateway: Gateway;
  team: Team;
  postgresLog: string;
  direct: Subject;
  floorCall: Subject;
  floorSingle: Subject;
  litellm: Subject;
  portkey: Subject;
  llmCall: Subject;
  createAndCall: Subject;
  /** The same, streamed: so many tokens. */
  streamed(tokens: number): { direct: Subject; litellm: Subject; llmCallStream: Subject };
  end(): Promise<void>;
}

const profiled = (folder: string | undefined, name: string): NodeJS.ProcessEnv =>
  folder === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${join(folder, name)}` };

/** Resolves when all of it answers. Nothing is left of it after `end`, or when the bench dies. */
export async function setStage({ profiles }: { profiles: string | undefined }): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'job-gateway-bench-'));
  const cache = cacheFolder(folder);
  const groups: ProcessGroup[] = [];
  const group = (name: string): ProcessGroup => {
    const opened = openProcessGroup(join(folder, name));
    groups.unshift(opened);
    return opened;
  };
  const end = async () => {
    await closeDriver();
    for (const one of groups) await one.end();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const ofServices = group('services');
    const services = await startServices(ofServices, cache);
    const [ofGateway, ofFloor, ofLitellm, ofPortkey] = [
      group('gateway'),
      group('floor'),
      group('litellm'),
      group('portkey'),
    ];
    const [gateway, floorUrl, litellm, portkeyUrl] = await Promise.all([
      startGateway(ofGateway, services, profiled(profiles, 'gateway')),
      startFloor(ofFloor, services, profiled(profiles, 'floor')),
      startLitellm(ofLitellm, cache, services.upstreamUrl),
      startPortkey(ofPortkey, cache),
    ]);
    const team = await createTeam(gateway);
    const gatewayPids = [ofGateway.pidOf('api'), ofGateway.pidOf('worker')];
    return {
      services,
      gateway,
      team,
      postgresLog: ofServices.logFile('postgres'),
      direct: subjects.direct(services.upstreamUrl),
      floorCall: subjects.floorCall(floorUrl, ofFloor),
      floorSingle: subjects.floorSingle(floorUrl, ofFloor),
      litellm: subjects.litellm(litellm, ofLitellm),
      portkey: subjects.portkey(portkeyUrl, services.upstreamUrl, ofPortkey),
      llmCall: llmCall(gateway, team, gatewayPids),
      createAndCall: createAndCall(gateway, team, gatewayPids),
      streamed: (tokens) => ({
        direct: subjects.directStream(services.upstreamUrl, tokens),
        litellm: subjects.litellmStream(litellm, ofLitellm, tokens),
        llmCallStream: llmCallStream(gateway, team, gatewayPids, tokens),
      }),
      end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}
