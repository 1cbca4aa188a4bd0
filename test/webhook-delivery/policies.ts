import type { ReceiverPolicy } from '../../src/webhook-delivery/receiver-policy.ts';

/** The policy of the default settings. */
export const publicPolicy: ReceiverPolicy = {
  allowPrivateNetworks: false,
  deniedNetworks: [],
  ports: [
    [80, 80],
    [443, 443],
    [1_024, 65_535],
  ],
};

/** The same with `WEBHOOK_ALLOW_PRIVATE_NETWORKS`. */
export const openPolicy: ReceiverPolicy = { ...publicPolicy, allowPrivateNetworks: true };

/** The same with `WEBHOOK_ALLOW_PRIVATE_NETWORKS=loopback`, as under `npm start`. */
export const loopbackPolicy: ReceiverPolicy = { ...publicPolicy, allowPrivateNetworks: 'loopback' };
