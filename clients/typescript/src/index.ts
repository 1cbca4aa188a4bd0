export { JobGatewayAdmin, type JobGatewayAdminOptions } from './admin.ts';
export { Call, type WaitOptions } from './call.ts';
export { CallStream, type StreamedResponse } from './call-stream.ts';
export type { CallChunk, ToolCallPiece } from './delivered.ts';
export {
  APIConnectionError,
  APIError,
  type APIErrorFields,
  APITimeoutError,
  AuthenticationError,
  BadRequestError,
  CallFailedError,
  ConflictError,
  InternalServerError,
  JobGatewayError,
  NotFoundError,
  PaymentRequiredError,
  PermissionDeniedError,
  RateLimitError,
  UnprocessableEntityError,
  WebhookVerificationError,
} from './errors.ts';
export { JobGateway, type JobGatewayOptions } from './gateway.ts';
export type { Fetch, HeaderSource, Signal } from './globals.ts';
export { type Calls, type Completion, type FailureReport, type InBackground, type InForeground, Job } from './job.ts';
export type { JobParameters, Jobs, RunOutcome, SingleCallParameters } from './jobs.ts';
export type { ArrayPage, Pages } from './pages.ts';
export type { ConnectionOptions, RequestOptions } from './transport.ts';
export type * from './types.generated.ts';
export type { AttentionData, JobEventData, WebhookPayload } from './webhook-events.ts';
export { verifyWebhook, type WebhookOptions } from './webhook-signature.ts';
export type { WebhookParameters } from './webhooks.ts';
