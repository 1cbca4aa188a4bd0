import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { withTimeout } from '../concurrency/with-timeout.ts';
import { createAddressCheck, isAllowedPort, type ReceiverPolicy } from './receiver-policy.ts';

/** Every address of a name, at least one. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

/**
 * Nothing was connected to. A private address, a denied one and a name without an address have the same message: the difference
 * would show a team which names and addresses the inner network has.
 */
export class HostRefused extends Error {
  constructor() {
    super('the host was not found or must not be connected to');
    this.name = 'HostRefused';
  }
}

export class PortRefused extends Error {
  constructor() {
    super('the port must not be connected to');
    this.name = 'PortRefused';
  }
}

const connectTimeoutMs = 10_000;
/** Ends before the connection's time-out, so that a name server that does not answer is a host that was not found. */
const lookupTimeoutMs = 8_000;
/** With several addresses each gets this long before the next one is tried; Node's 250 ms gives up on other continents. */
const attemptTimeoutMs = 2_000;

/**
 * Asks DNS itself, not the system's resolver: that one blocks one of four threads for each name, and a name server that hangs
 * would hold up the whole process.
 */
function createDnsResolve(): Resolve {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  return async (hostname) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    return [
      ...(four.status === 'fulfilled' ? four.value : []).map((address) => ({ address, family: 4 })),
      ...(six.status === 'fulfilled' ? six.value : []).map((address) => ({ address, family: 6 })),
    ];
  };
}

/** Private networks have names of their own, in files and search domains. */
const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true });

/** The look-up of the connecting socket: the addresses checked here are those it connects to, with no second look-up. */
const checkedLookup =
  (resolve: Resolve, mayConnect: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) => {
    const checked = withTimeout(resolve(hostname), lookupTimeoutMs).then(
      (addresses) => {
        // One private address among public ones is taken for an attack.
        const isRefused = addresses.length === 0 || !addresses.every(({ address }) => mayConnect(address));
        if (isRefused) throw new HostRefused();
        return addresses;
      },
      () => {
        throw new HostRefused();
      },
    );
    checked.then(
      (addresses) => {
        if (options.all) callback(null, addresses);
        else callback(null, addresses[0]!.address, addresses[0]!.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };

/** Connects only to what the policy allows: the guard sits where the connection is made. */
export function createGuardedConnector(
  policy: ReceiverPolicy,
  resolve: Resolve = policy.allowPrivateNetworks ? systemResolve : createDnsResolve(),
): buildConnector.connector {
  const mayConnect = createAddressCheck(policy);
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    allowH2: false,
    lookup: checkedLookup(resolve, mayConnect),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: attemptTimeoutMs,
  });
  return (options, callback) => {
    const { protocol, port, hostname } = options;
    if (!isAllowedPort(policy, protocol, port)) callback(new PortRefused(), null);
    // A literal address is not looked up.
    else if (isIP(hostname) && !mayConnect(hostname)) callback(new HostRefused(), null);
    else connect(options, callback);
  };
}
