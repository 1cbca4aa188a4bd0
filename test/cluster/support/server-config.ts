import { join } from 'node:path';
import { project } from '../../../tools/dev/programs.ts';

/** One process of each for each host. */
export const roles = ['frontend', 'history', 'matching', 'worker'] as const;
export type Role = (typeof roles)[number] | 'internal-frontend';

export const hosts = ['127.0.0.1', '127.0.0.2'] as const;
export type Host = (typeof hosts)[number];

/** The same on each host, as in a real cluster. */
export type Ports = Record<Role, { grpc: number; membership: number }>;

/** TLS between all processes and for clients, who need a certificate or a token that a key of this address has signed. */
export interface Security {
  certificates: { authority: string; certificate: string; key: string; serverName: string };
  by: 'certificate' | { tokensOf: string };
}

export interface ServerSettings {
  host: Host;
  ports: Ports;
  postgresPort: number;
  postgresUser: string;
  security?: Security;
}

/** Fixed for good at the first start. */
const historyShards = 16;

/** The configuration of all processes of one host. JSON is YAML. */
export function serverConfig({ host, ports, postgresPort, postgresUser, security }: ServerSettings): string {
  const store = (databaseName: string, maxConns: number) => ({
    sql: {
      pluginName: 'postgres12',
      databaseName,
      connectAddr: `127.0.0.1:${postgresPort}`,
      connectProtocol: 'tcp',
      user: postgresUser,
      maxConns,
      maxIdleConns: maxConns,
      maxConnLifetime: '1h',
    },
  });
  return JSON.stringify({
    log: { stdout: true, level: 'warn' },
    persistence: {
      defaultStore: 'default',
      visibilityStore: 'visibility',
      numHistoryShards: historyShards,
      datastores: { default: store('temporal', 12), visibility: store('temporal_visibility', 4) },
    },
    global: {
      membership: { maxJoinDuration: '30s', broadcastAddress: host },
      ...(security && secured(security)),
    },
    services: Object.fromEntries(
      Object.entries(ports)
        // With a client's identity required, the servers have a frontend of their own.
        .filter(([role]) => role !== 'internal-frontend' || security)
        .map(([role, { grpc, membership }]) => [
          role,
          { rpc: { grpcPort: grpc, membershipPort: membership, bindOnIP: host } },
        ]),
    ),
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: {
          enabled: true,
          initialFailoverVersion: 1,
          rpcName: 'frontend',
          rpcAddress: `${host}:${ports.frontend.grpc}`,
        },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    dynamicConfigClient: { filepath: join(project, 'deploy/temporal-dynamic-config.yaml'), pollInterval: '10s' },
  });
}

function secured({ certificates, by }: Security) {
  const { authority, certificate, key, serverName } = certificates;
  const server = { certFile: certificate, keyFile: key, clientCaFiles: [authority] };
  const client = { serverName, rootCaFiles: [authority] };
  return {
    tls: {
      internode: { server: { ...server, requireClientAuth: true }, client },
      frontend: { server: { ...server, requireClientAuth: by === 'certificate' }, client },
    },
    ...(by !== 'certificate' && {
      authorization: {
        jwtKeyProvider: { keySourceURIs: [by.tokensOf], refreshInterval: '1m' },
        permissionsClaimName: 'permissions',
        authorizer: 'default',
        claimMapper: 'default',
      },
    }),
  };
}
