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
import {
  chatAlone,
  chatInJob,
  chatStreamInJob,
  createAndCall,
  createTeam,
  llmCall,
  llmCallStream,
  type Team,
} from './team.ts';

/** All subjects, running side by side on one machine. */
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
  chatInJob: Subject;
  chatAlone: Subject;
  /** The same with streamed answers of so many tokens. */
  streamed(tokens: number): { direct: Subject; litellm: Subject; llmCallStream: Subject; chatStreamInJob: Subject };
  end(): Promise<void>;
}

const profiled = (folder: string | undefined, name: string): NodeJS.ProcessEnv =>
  folder === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${join(folder, name)}` };

/** Resolves when all processes are ready. They end with `end`, or when the benchmark dies. */
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
    const servicesGroup = group('services');
    const services = await startServices(servicesGroup, cache);
    const [gatewayGroup, floorGroup, litellmGroup, portkeyGroup] = [
      group('gateway'),
      group('floor'),
      group('litellm'),
      group('portkey'),
    ];
    const [gateway, floorUrl, litellm, portkeyUrl] = await Promise.all([
      startGateway(gatewayGroup, services, profiled(profiles, 'gateway')),
      startFloor(floorGroup, services, profiled(profiles, 'floor')),
      startLitellm(litellmGroup, cache, services.upstreamUrl),
      startPortkey(portkeyGroup, cache),
    ]);
    const team = await createTeam(gateway);
    const gatewayPids = [gatewayGroup.pidOf('api'), gatewayGroup.pidOf('worker')];
    return {
      services,
      gateway,
      team,
      postgresLog: servicesGroup.logFile('postgres'),
      direct: subjects.direct(services.upstreamUrl),
      floorCall: subjects.floorCall(floorUrl, floorGroup),
      floorSingle: subjects.floorSingle(floorUrl, floorGroup),
      litellm: subjects.litellm(litellm, litellmGroup),
      portkey: subjects.portkey(portkeyUrl, services.upstreamUrl, portkeyGroup),
      llmCall: llmCall(gateway, team, gatewayPids),
      createAndCall: createAndCall(gateway, team, gatewayPids),
      chatInJob: chatInJob(gateway, team, gatewayPids),
      chatAlone: chatAlone(gateway, team, gatewayPids),
      streamed: (tokens) => ({
        direct: subjects.directStream(services.upstreamUrl, tokens),
        litellm: subjects.litellmStream(litellm, litellmGroup, tokens),
        llmCallStream: llmCallStream(gateway, team, gatewayPids, tokens),
        chatStreamInJob: chatStreamInJob(gateway, team, gatewayPids, tokens),
      }),
      end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}
