export const deliveryStatuses = ['pending', 'delivered', 'exhausted'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];
