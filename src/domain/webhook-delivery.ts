export const deliveryStatuses = ['pending', 'delivered', 'exhausted'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** `gone`: the webhook was deleted. */
export type DeliveryEnd = Exclude<DeliveryStatus, 'pending'> | 'gone';
