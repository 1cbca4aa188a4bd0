import { createServer } from 'node:http';
import { createApp } from './app.ts';
import type { Behaviour } from './behaviour.ts';
import { readModelName } from './read-model-name.ts';
import type { Counts, LoggedRequest } from './request-log.ts';
import { createSimulation, type SimulatorOptions } from './simulation.ts';

export type Simulator = {
  url: string;
  /** The last 10,000 requests, oldest first. */
  readonly requests: LoggedRequest[];
  requestsFor(filter: Partial<Pick<LoggedRequest, 'model' | 'user' | 'path' | 'key'>>): LoggedRequest[];
  counts(): Counts;
  /** Treats the next `times` requests for a model so: a behaviour, or a model name of the grammar. */
  script(model: string, behaviour: Partial<Behaviour> | string, times?: number): void;
  clearScripts(): void;
  clearRequests(): void;
  /** Ends at once; what is under way is cut. */
  close(): Promise<void>;
};

/** A simulated upstream in this process, for tests. `main.ts` is the same thing as a process of its own. */
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
    script(model, behaviour, times = Number.POSITIVE_INFINITY) {
      const phases = typeof behaviour === 'string' ? readModelName(behaviour) : [{ times, behaviour }];
      if (!phases) throw new Error(`Not a model name of the grammar: ${behaviour}`);
      for (const phase of phases) scripts.add({ ...phase, model, times: Math.min(times, phase.times) });
    },
    clearScripts: () => scripts.clear(),
    clearRequests: () => log.clear(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
