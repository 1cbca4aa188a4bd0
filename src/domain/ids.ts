/** Every id that is made from another one is made here. */
export const workflowId = {
  job: (jobId: string) => `job-${jobId}`,
  delivery: (deliveryId: string) => `webhook-${deliveryId}`,
};

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** In the form of our ids. */
export const isUuid = (text: string): boolean => uuid.test(text);

/** The id that a workflow id was made from; undefined for a workflow id that we did not make. */
const idAfter = (prefix: string) => (id: string) => {
  const rest = id.slice(prefix.length);
  return id.startsWith(prefix) && isUuid(rest) ? rest : undefined;
};

export const idOfWorkflow = {
  job: idAfter(workflowId.job('')),
  delivery: idAfter(workflowId.delivery('')),
};

/** The channels of Redis on which we publish. */
export const channel = {
  call: (callId: string) => `call:${callId}`,
  cancelled: 'cancelled-workflows',
  signalNotices: 'signal-notices',
  completionWaiters: 'completion-waiters',
};

/** The keys of Redis that hold the frames of streams. */
export const streamKey = {
  call: (callId: string) => `call:${callId}:frames`,
};

/** The id of a stream's chunks. `spec 5.2` */
export const completionId = (callId: string) => `chatcmpl-${callId}`;
