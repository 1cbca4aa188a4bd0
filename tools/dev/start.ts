import { presentGateway } from './present-gateway.ts';
import { buildConsole, bundleWorkflows } from './programs.ts';
import { runUntilEnded } from './run-until-ended.ts';
import { startGateway } from './start-gateway.ts';
import { startServices } from './start-services.ts';
import { startUpstream } from './start-upstream.ts';
import { Supervisor } from './supervisor.ts';

/** `npm start`: starts the services that are not configured, migrates, starts the gateway, runs one job through it, and keeps running. */
await runUntilEnded(async (supervisors) => {
  const supervisor = new Supervisor();
  supervisors.push(supervisor);
  supervisor.print('Starting what is not configured …');
  await supervisor.endLeftovers();
  const [services, upstream, workflowBundle] = await Promise.all([
    startServices(supervisor),
    startUpstream(supervisor),
    bundleWorkflows(supervisor.folder),
    buildConsole(),
  ]);
  const gateway = await startGateway(supervisor, services, upstream, workflowBundle);
  await presentGateway(supervisor, { gateway, services, upstream });
});
