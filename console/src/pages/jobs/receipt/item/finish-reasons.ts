const sentences: Record<string, string> = {
  stopped: 'stopped on request: the answer is what was written by then',
};

/** Why a model stopped, in words where the word of the API needs them. */
export const finishText = (reason: string | null): string | null =>
  reason === null ? null : (sentences[reason] ?? reason);
