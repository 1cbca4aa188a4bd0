import ipaddr from 'ipaddr.js';
import { isPublicAddress } from '../public-address.ts';

/** Which receivers the settings allow. */
export interface ReceiverPolicy {
  /** `loopback`: of what is not public only the machine itself, as under `npm start`. */
  allowPrivateNetworks: boolean | 'loopback';
  /** These are always refused, also when private networks are allowed. */
  deniedNetworks: readonly string[];
  /** The ranges of ports, with both ends. */
  ports: readonly (readonly [first: number, last: number])[];
}

type Address = ReturnType<typeof ipaddr.parse>;
type Network = [address: Address, bits: number];

/** Ranges of IPv6 whose last 32 bits are the IPv4 address of the connection: mapped, translated and compatible addresses. */
const embeddedIPv4 = ['::ffff:0:0/96', '::ffff:0:0:0/96', '64:ff9b::/96', '::/96'].map((text) =>
  ipaddr.parseCIDR(text),
);

/** The address that a connection to this address uses. */
function effectiveAddress(address: Address): Address {
  if (address.kind() === 'ipv4' || !embeddedIPv4.some((network) => address.match(network))) return address;
  return ipaddr.fromByteArray(address.toByteArray().slice(-4));
}

/**
 * Parses a network, or a single address as a network of one. A part of the mapped range becomes a network of IPv4; the whole range
 * does not. `text` has been validated with the settings.
 */
function parseNetwork(text: string): Network {
  const [base = '', prefix] = text.split('/');
  const address = ipaddr.parse(base);
  const bits = Number(prefix ?? 8 * address.toByteArray().length);
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits > 96;
  return isMapped ? [address.toIPv4Address(), bits - 96] : [address, bits];
}

/** Returns a function that is true for the addresses that a webhook may connect to. */
export function createAddressCheck({
  allowPrivateNetworks,
  deniedNetworks,
}: ReceiverPolicy): (text: string) => boolean {
  const denied = deniedNetworks.map(parseNetwork);
  const isIn = (address: Address, [base, bits]: Network) => address.kind() === base.kind() && address.match(base, bits);
  return (text) => {
    const given = ipaddr.parse(text);
    const both = [given, effectiveAddress(given)];
    const isOwn = allowPrivateNetworks === 'loopback' && both.some((address) => address.range() === 'loopback');
    if (allowPrivateNetworks !== true && !isOwn && !isPublicAddress(text)) return false;
    return !both.some((address) => denied.some((network) => isIn(address, network)));
  };
}

const defaultPorts: Record<string, number> = { 'http:': 80, 'https:': 443 };

/** Whether a connection with this protocol to this port is allowed. `port` is empty if it is the default of the protocol. */
export function isAllowedPort({ ports }: ReceiverPolicy, protocol: string, port: string | number): boolean {
  const wanted = Number(port) || defaultPorts[protocol] || 0;
  return ports.some(([first, last]) => first <= wanted && wanted <= last);
}
