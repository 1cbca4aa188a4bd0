import { mkdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { isLocked, restrictDataFolder } from './data-folder.ts';
import { dataFolder, servicesFolder } from './folders.ts';
import { printLine } from './print.ts';
import { acceptsConnections } from './services/postgres/launch-postgres.ts';
import { answersPing } from './services/redis/launch-redis.ts';
import { createServiceUrl, type Services, startServices } from './start-services.ts';
import { type RunFile, Supervisor } from './supervisor.ts';

/** Starts the services of development and writes where they are. Their supervisor ends with those that were there before. */
export async function startServicesForDevelopment(supervisors: Supervisor[]): Promise<Services> {
  mkdirSync(dataFolder(), { recursive: true });
  // The account of PostgreSQL passes through it.
  restrictDataFolder(dataFolder(), printLine);
  const supervisor = new Supervisor(servicesFolder());
  supervisors.push(supervisor);
  await supervisor.endLeftovers();
  const services = await startServices(supervisor, { isDurable: false });
  const { databaseUrl, redisUrl, temporal } = services;
  supervisor.publish({
    postgres: { pid: null, url: databaseUrl },
    redis: { pid: null, url: redisUrl },
    temporal: { pid: null, address: temporal.address, ui_url: temporal.uiUrl ?? null },
  });
  return services;
}

/**
 * The services of `npm run services` or `npm run dev`; undefined where none run, or one of them does not answer. The file that names them
 * may be older than the last crash of the machine. A service that a variable names is taken from there.
 */
export async function findRunningServices(): Promise<Services | undefined> {
  const folder = servicesFolder();
  if (!isLocked(folder)) return undefined;
  const services = readServices(folder);
  if (!services) return undefined;
  const { databaseUrl, redisUrl, temporal } = services;
  const answers = [acceptsConnections(databaseUrl), answersPing(redisUrl), isListening(temporal.address)];
  const areUp = await Promise.all(answers.map((answer) => answer.catch(() => false)));
  if (!areUp.every(Boolean)) return undefined;
  const { DATABASE_URL, REDIS_URL, TEMPORAL_ADDRESS } = process.env;
  return {
    ...(DATABASE_URL
      ? { databaseUrl: DATABASE_URL }
      : { databaseUrl, serviceDatabaseUrl: services.serviceDatabaseUrl }),
    redisUrl: REDIS_URL || redisUrl,
    temporal: TEMPORAL_ADDRESS ? { address: TEMPORAL_ADDRESS } : temporal,
  };
}

function readServices(folder: string): Services | undefined {
  try {
    const run = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')) as RunFile;
    const { postgres, redis, temporal } = run;
    return {
      databaseUrl: postgres.url,
      serviceDatabaseUrl: postgres.pid === null ? undefined : createServiceUrl(postgres.url, folder),
      redisUrl: redis.url,
      temporal: { address: temporal.address, uiUrl: temporal.ui_url ?? undefined },
    };
  } catch {
    return undefined;
  }
}

const isListening = (address: string): Promise<boolean> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(`tcp://${address}`);
    const socket = connect({ host: hostname, port: Number(port), timeout: 1_000 }, () => settle(true));
    const settle = (isUp: boolean) => {
      socket.destroy();
      resolve(isUp);
    };
    socket.once('error', () => settle(false)).once('timeout', () => settle(false));
  });
