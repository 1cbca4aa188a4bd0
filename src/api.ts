import './v8-flags.ts';
import { drainTimes, loadConfig } from './config.ts';
import { openDeps } from './deps.ts';
import { checkStart } from './health/check-start.ts';
import { createApp } from './http/app.ts';
import { logSetup } from './http/log-setup.ts';
import { createLog } from './log.ts';
import { announceReady, settingsOrExit, shutdownSignal, startOrExit } from './process-lifecycle.ts';
import { connectionLimitsOf } from './server/limit-connections.ts';
import { listen } from './server/listen.ts';
import { serveMetrics } from './server/serve-metrics.ts';

/** The process that serves HTTP. Any number of them can run. */
const config = settingsOrExit(() => loadConfig(process.env));
const log = createLog(config.LOG_LEVEL, 'api');
const { deps, close, server, metrics } = await startOrExit(log, async () => {
  await checkStart(config, log);
  const opened = await openDeps(config, log);
  const metrics = await serveMetrics(opened.deps.metrics, config);
  const where = {
    host: config.HOST,
    port: config.PORT,
    connections: connectionLimitsOf(config),
    keepAliveTimeoutMs: config.KEEP_ALIVE_TIMEOUT,
  };
  return { ...opened, metrics, server: await listen(createApp(opened.deps), where) };
});
announceReady();
log.info({ url: server.url, metrics_url: metrics?.url, dependencies: await deps.health() }, 'api: listening');
void logSetup(deps);

await shutdownSignal();
deps.drain.begin();
log.info(drainTimes(config), 'api: draining');
await server.drain(() => deps.callSubscriptions.shutDown(), drainTimes(config));
log.info('api: drained');
await metrics?.close();
await close();
// Connections to a frozen server never close, and would keep the process alive.
process.exit();
