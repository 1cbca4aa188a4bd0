import { presentGateway } from './present-gateway.ts';
import { printWhileRunning } from './print.ts';
import { buildConsole, bundleWorkflows } from './programs.ts';
import { runUntilEnded } from './run-until-ended.ts';
import { migrate, startGateway } from './start-gateway.ts';
import { startServices } from './start-services.ts';
import { startUpstream } from './start-upstream.ts';
import { Supervisor } from './supervisor.ts';

/** What takes longer is printed. */
const longMs = 1_000;

/** `npm start`: starts the services that are not configured, migrates as soon as there is a database, starts the gateway, runs one job through it, and keeps running. */
await runUntilEnded(async (supervisors) => {
  const supervisor = new Supervisor();
  const { print } = supervisor;
  supervisors.push(supervisor);
  print('Starting what is not configured …');
  await supervisor.endLeftovers();
  const [services, upstream, workflowBundle] = await Promise.all([
    startServices(supervisor, { prepare: migrate }),
    startUpstream(supervisor),
    printWhileRunning(print, 'bundling the workflows', () => bundleWorkflows(supervisor.folder), longMs),
    printWhileRunning(print, 'building the console', buildConsole, longMs),
  ]);
  const start = () => startGateway(supervisor, services, upstream, workflowBundle);
  const gateway = await printWhileRunning(print, 'starting api and worker', start, longMs);
  await presentGateway(supervisor, { gateway, services, upstream });
});
