export { job } from './job/job.ts';
export { maintenance } from './maintenance.ts';
export { webhookDelivery } from './webhook-delivery.ts';
