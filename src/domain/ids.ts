/** All ids that are derived from other ids. */
export const workflowId = {
  job: (jobId: string) => `job-${jobId}`,
  delivery: (deliveryId: string) => `webhook-${deliveryId}`,
};

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Whether the text has the form of an id. */
export const isUuid = (text: string): boolean => uuid.test(text);

/** The id from which a workflow id was derived; undefined for any other workflow id. */
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
  /** Nothing is published here: its subscribers are the processes with a reader of the stream. */
  reader: (callId: string) => `call:${callId}:reader`,
  cancelled: 'cancelled-workflows',
  stopped: 'stopped-calls',
  /** The calls that the api processes of the installation have recorded and signal to their jobs. */
  queued: (installation: string) => `queued-calls:${installation}`,
  /** The channel of all api and worker processes with the same MASTER_KEY. */
  changes: (installation: string) => `changes:${installation}`,
};

/** The keys of Redis that hold the frames of streams. */
export const streamKey = {
  call: (callId: string) => `call:${callId}:frames`,
};

/** The call whose stream an equal request may take up. `fingerprint`: of the request. */
export const lostStreamKey = (fingerprint: string) => `stream:${fingerprint}`;

/** The id of a stream's chunks. `spec 5.2` */
export const completionId = (callId: string) => `chatcmpl-${callId}`;

/** The id of a message of Anthropic's form. `spec 28.7` */
export const messageId = (callId: string) => `msg_${callId.replaceAll('-', '')}`;

const parts = /^msg_([\da-f]{8})([\da-f]{4})([\da-f]{4})([\da-f]{4})([\da-f]{12})$/;

/** The id of the call of a message; undefined for any other id. */
export const callIdOfMessage = (id: string): string | undefined => parts.exec(id)?.slice(1).join('-');
