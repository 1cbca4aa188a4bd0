/** Every id that is made from another one is made here. */
export const workflowId = {
  job: (jobId: string) => `job-${jobId}`,
  delivery: (deliveryId: string) => `webhook-${deliveryId}`,
};

export const channel = {
  call: (callId: string) => `call:${callId}`,
};

export const streamKey = {
  call: (callId: string) => `call:${callId}:frames`,
};

export const completionId = (callId: string) => `chatcmpl-${callId}`;
