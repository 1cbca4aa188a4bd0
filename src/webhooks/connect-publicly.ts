import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { isPublicAddress } from './public-address.ts';

/** Every address of a name, at least one. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

export class AddressRefused extends Error {
  constructor() {
    super('the address is not public');
    this.name = 'AddressRefused';
  }
}

const connectTimeoutMs = 10_000;
/** With several addresses each gets this long before the next one is tried; Node's 250 ms gives up on other continents. */
const attemptTimeoutMs = 2_000;

/**
 * Asks DNS itself, not the system's resolver: that one blocks one of four threads for each name, and a name server that hangs
 * would hold up the whole process.
 */
function createResolve(): Resolve {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  return async (hostname) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = [
      ...(four.status === 'fulfilled' ? four.value : []).map((address) => ({ address, family: 4 })),
      ...(six.status === 'fulfilled' ? six.value : []).map((address) => ({ address, family: 6 })),
    ];
    if (addresses.length === 0 && four.status === 'rejected') throw four.reason;
    return addresses;
  };
}

/** The look-up of the connecting socket: the addresses checked here are those it connects to, with no second look-up. */
const checkedLookup =
  (resolve: Resolve): LookupFunction =>
  (hostname, options, callback) => {
    const checked = resolve(hostname).then((addresses) => {
      // One private address among public ones is taken for an attack.
      if (!addresses.every(({ address }) => isPublicAddress(address))) throw new AddressRefused();
      return addresses;
    });
    checked.then(
      (addresses) => {
        if (options.all) callback(null, addresses);
        else callback(null, addresses[0]!.address, addresses[0]!.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };

/** Connects to public addresses only: the guard sits where the connection is made. `rulings.md` 11.4. */
export function createPublicConnector(resolve: Resolve = createResolve()): buildConnector.connector {
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    allowH2: false,
    lookup: checkedLookup(resolve),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: attemptTimeoutMs,
  });
  return (options, callback) => {
    // A literal address is not looked up.
    if (isIP(options.hostname) && !isPublicAddress(options.hostname)) callback(new AddressRefused(), null);
    else connect(options, callback);
  };
}

/** `WEBHOOK_ALLOW_PRIVATE_NETWORKS`: connects to any address of the system's resolver. */
export const createOpenConnector = (): buildConnector.connector =>
  buildConnector({ timeout: connectTimeoutMs, allowH2: false });
