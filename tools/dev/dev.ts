import { join, relative } from 'node:path';
import { serveConsole } from '../../console/build/serve-console.ts';
import { presentGateway } from './present-gateway.ts';
import type { Launch } from './processes/start-process.ts';
import { waitUntil } from './processes/wait-until.ts';
import { bundleWorkflows, project } from './programs.ts';
import { runUntilEnded } from './run-until-ended.ts';
import { freePort } from './services/free-port.ts';
import { findRunningServices, startServicesForDevelopment } from './services-for-development.ts';
import { chooseApiPort, describeApi, describeWorker, migrate, urlHost } from './start-gateway.ts';
import { startUpstream } from './start-upstream.ts';
import { Supervisor } from './supervisor.ts';
import { handleChanges } from './watch-sources.ts';

/** A restart does not wait for long calls. */
const drainSeconds = 1;
const readyWithinMs = 60_000;
const sources = ['src', 'workflows', 'activities', 'migrations'].map((folder) => join(project, folder));
/** The ports are those of `.vscode/launch.json`. */
const ports = { api: 9229, worker: 9230 };
const migrations = join(project, 'migrations/');

/** With `--inspect`, a debugger can be attached to this port, and workflow code runs in the main thread, where its breakpoints are found. */
const debuggable = (launch: Launch, port: number): Launch =>
  process.argv.includes('--inspect')
    ? {
        ...launch,
        args: [`--inspect=127.0.0.1:${port}`, ...launch.args],
        env: { ...launch.env, TEMPORAL_DEBUG: '1' },
      }
    : launch;

/**
 * `npm run dev`: as `npm start`, on the services of `npm run services`, which it starts where they do not run. A change of the product
 * migrates and restarts api and worker, and the console is served from its sources, with the api behind it.
 */
await runUntilEnded(async (supervisors) => {
  const supervisor = new Supervisor();
  supervisors.push(supervisor);
  await supervisor.endLeftovers();
  const startOrFind = async () => (await findRunningServices()) ?? startServicesForDevelopment(supervisors);
  const [services, upstream] = await Promise.all([startOrFind(), startUpstream(supervisor)]);
  await migrate(services);

  const { host, port } = await chooseApiPort(process.env, supervisor.print);
  const described = { folder: supervisor.folder, services, upstream, drainSeconds };
  const { gateway: behind, ...behindConsole } = describeApi(described, { host: '127.0.0.1', port: await freePort() });
  const api = supervisor.restartable(async () => debuggable(behindConsole, ports.api));
  const worker = supervisor.restartable(async () =>
    debuggable(describeWorker(described, { WORKFLOW_BUNDLE: await bundleWorkflows(supervisor.folder) }), ports.worker),
  );
  /** False when one of them has exited, or has to start once more. */
  const restart = async (isOutdated = () => false): Promise<boolean> => {
    await Promise.all([api.restart(), worker.restart()]);
    const cannotBeReady = () => isOutdated() || !api.isRunning() || !worker.isRunning();
    await waitUntil(async () => cannotBeReady() || behindConsole.ready(), { withinMs: readyWithinMs });
    return !cannotBeReady();
  };

  const [watcher, isReady] = await Promise.all([serveConsole({ host, port, api: behind.url }), restart()]);
  if (!isReady) throw new Error('The gateway did not start.');
  const gateway = { ...behind, url: `http://${urlHost(host)}:${port}` };
  await presentGateway(supervisor, { gateway, services, upstream });
  handleChanges(watcher, sources, async (files, isOutdated) => {
    const changedAt = performance.now();
    supervisor.print(`\nChanged: ${files.map((file) => relative(project, file)).join(', ')}`);
    try {
      if (files.some((file) => file.startsWith(migrations))) await migrate(services);
      if (await restart(isOutdated))
        supervisor.print(`Ready again after ${((performance.now() - changedAt) / 1_000).toFixed(1)} s.`);
    } catch (error) {
      supervisor.print(`${(error as Error).message}\nThe next change of a file tries again.`);
    }
  });
});
