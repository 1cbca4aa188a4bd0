export { job } from './job.ts';
export { webhookDelivery } from './webhook-delivery.ts';
