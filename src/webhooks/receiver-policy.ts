import ipaddr from 'ipaddr.js';
import { isPublicAddress } from './public-address.ts';

/** Where webhooks may lead, by the settings. */
export interface ReceiverPolicy {
  allowPrivateNetworks: boolean;
  /** Never, private networks allowed or not. */
  deniedNetworks: readonly string[];
  /** Ranges, both ends included. */
  ports: readonly (readonly [first: number, last: number])[];
}

type Address = ReturnType<typeof ipaddr.parse>;
type Network = [address: Address, bits: number];

/** Ranges of IPv6 whose last 32 bits are the IPv4 address that a connection leads to: mapped, translated and compatible ones. */
const ofIPv4 = ['::ffff:0:0/96', '::ffff:0:0:0/96', '64:ff9b::/96', '::/96'].map((text) => ipaddr.parseCIDR(text));

/** One address in the form that its connection uses. */
function unwrapped(address: Address): Address {
  if (address.kind() === 'ipv4' || !ofIPv4.some((network) => address.match(network))) return address;
  return ipaddr.fromByteArray(address.toByteArray().slice(-4));
}

/**
 * A network, or a single address as a network of one; a part of the mapped addresses is a network of IPv4, all of them are not.
 * `text` was checked with the settings.
 */
function networkOf(text: string): Network {
  const [base = '', prefix] = text.split('/');
  const address = ipaddr.parse(base);
  const bits = Number(prefix ?? 8 * address.toByteArray().length);
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits > 96;
  return isMapped ? [address.toIPv4Address(), bits - 96] : [address, bits];
}

/** Judges addresses: false for one that a webhook must not connect to. */
export function createAddressCheck({
  allowPrivateNetworks,
  deniedNetworks,
}: ReceiverPolicy): (text: string) => boolean {
  const denied = deniedNetworks.map(networkOf);
  const isIn = (address: Address, [base, bits]: Network) => address.kind() === base.kind() && address.match(base, bits);
  return (text) => {
    if (!allowPrivateNetworks && !isPublicAddress(text)) return false;
    const given = ipaddr.parse(text);
    return ![given, unwrapped(given)].some((address) => denied.some((network) => isIn(address, network)));
  };
}

const defaultPorts: Record<string, number> = { 'http:': 80, 'https:': 443 };

/** Whether a URL with this protocol and port, which is empty where it is the default, may be connected to. */
export function isAllowedPort({ ports }: ReceiverPolicy, protocol: string, port: string | number): boolean {
  const asked = Number(port) || defaultPorts[protocol] || 0;
  return ports.some(([first, last]) => first <= asked && asked <= last);
}
