import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { withTimeout } from '../concurrency/with-timeout.ts';
import { deliveryErrors } from '../domain/delivery-error.ts';
import { createAddressCheck, isAllowedPort, type ReceiverPolicy } from './receiver-policy.ts';

/** Resolves a name to all of its addresses. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

/**
 * The host must not be connected to. A private address, a denied one and an unknown name have the same message: the difference
 * would show a team which names and addresses exist in the private network.
 */
export class HostRefused extends Error {
  constructor() {
    super(deliveryErrors.host_not_allowed);
    this.name = 'HostRefused';
  }
}

export class PortRefused extends Error {
  constructor() {
    super(deliveryErrors.port_not_allowed);
    this.name = 'PortRefused';
  }
}

const connectTimeoutMs = 10_000;
/** The timeout is shorter than that of the connection, so that a name server that does not answer counts as "host not found". */
const lookupTimeoutMs = 8_000;
/** The time for each address before the next one is tried. Node's default of 250 ms is too short for other continents. */
const attemptTimeoutMs = 2_000;

/**
 * Queries DNS directly. The system's resolver blocks one of four threads for each name, so a name server that hangs would block
 * the whole process.
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

/** Includes the names of a private network, which come from the hosts file and search domains. */
const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true });

/** The lookup function of the socket: it connects to the addresses that are checked here, without a second lookup. */
const checkedLookup =
  (resolve: Resolve, mayConnect: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) => {
    const checked = withTimeout(resolve(hostname), lookupTimeoutMs).then(
      (addresses) => {
        // One refused address among allowed ones is treated as an attack.
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

/** Connects only to what the policy allows, and checks that where the connection is made. */
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
    // The lookup function is not called for a literal address.
    else if (isIP(hostname) && !mayConnect(hostname)) callback(new HostRefused(), null);
    else connect(options, callback);
  };
}
