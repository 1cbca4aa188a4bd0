export { job } from './job.ts';
