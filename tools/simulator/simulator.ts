import { createServer } from 'node:http';
import { createApp } from './app.ts';
import type { Behaviour } from './behaviour/behaviour.ts';
import { addScript } from './behaviour/scripts.ts';
import type { Registry } from './management/registry.ts';
import type { Counts, LoggedRequest } from './request-log.ts';
import { createSimulation, type SimulatorOptions } from './simulation.ts';

export type Simulator = {
  url: string;
  /** The last 10,000 requests, oldest first. */
  readonly requests: LoggedRequest[];
  requestsFor(filter: Partial<Pick<LoggedRequest, 'model' | 'user' | 'path' | 'key'>>): LoggedRequest[];
  counts(): Counts;
  /** Gives the next `times` requests for a model, or to a path (`/team/new`), this behaviour: fields, or a model name of the grammar. */
  script(subject: string, behaviour: Partial<Behaviour> | string, times?: number): void;
  clearScripts(): void;
  /** The teams and keys that were registered. */
  readonly registry: Pick<Registry, 'teams' | 'keys'>;
  clearRequests(): void;
  /** Ends at once; requests in progress are cut. */
  close(): Promise<void>;
};

/** Starts a simulated upstream in this process, for tests. `main.ts` runs the same as a process of its own. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { port = 0, host = '127.0.0.1' } = options;
  const simulation = createSimulation(options);
  const { log, scripts } = simulation;
  const server = createServer(createApp(simulation));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const boundPort = typeof address === 'object' && address !== null ? address.port : port;

  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}`,
    get requests() {
      return log.list();
    },
    requestsFor: (filter) => log.list(filter),
    counts: () => log.counts(),
    script(subject, behaviour, times) {
      if (addScript(scripts, subject, behaviour, times) === 0) throw new Error(`Not a model name: ${behaviour}`);
    },
    registry: simulation.registry,
    clearScripts: () => scripts.clear(),
    clearRequests: () => log.clear(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
