/** Variables of clients of PostgreSQL and Temporal, which would change how the servers that are started here are reached. */
const foreign = [
  { server: 'DATABASE_URL', name: /^PG[A-Z]+$/ },
  { server: 'TEMPORAL_ADDRESS', name: /^TEMPORAL_(API_KEY(_FILE)?|TLS(_.*)?)$/ },
];

const local = ['127.0.0.1', 'localhost', '::1'];
/** Node.js, undici and gRPC read these, in either spelling. */
const exceptions = ['NO_PROXY', 'no_proxy', 'no_grpc_proxy'];

/**
 * What is started here is reached by what was made here, whatever the shell has: variables for a server that is not configured are
 * dropped, and no proxy is between programs of this machine.
 */
export function keepOwnSettings(environment: NodeJS.ProcessEnv): void {
  for (const { server, name } of foreign) {
    if (environment[server]) continue;
    for (const each of Object.keys(environment)) if (name.test(each)) delete environment[each];
  }
  for (const name of exceptions) {
    const hosts = environment[name] || environment.NO_PROXY || environment.no_proxy || '';
    environment[name] = [...new Set([...hosts.split(/[\s,]+/).filter(Boolean), ...local])].join(',');
  }
}
