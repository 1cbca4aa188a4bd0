export const deliveryStatuses = ['pending', 'delivered', 'exhausted'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** How a delivery ends. `gone`: its webhook was deleted. */
export type DeliveryEnd = Exclude<DeliveryStatus, 'pending'> | 'gone';
