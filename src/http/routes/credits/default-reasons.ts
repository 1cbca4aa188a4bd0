/** What the ledger says where the request gave no reason. */
export const allocationReason = 'Credit allocation';
export const refundReason = 'Job refunded';
