/** Starts what the outbox holds. Best effort: what is not started here is started by the sweeper. */
export interface Deliveries {
  start(deliveryIds: readonly string[]): void;
}
