// What is read of one answer. An upstream that sends more cannot make the reading take the thread or the memory of the worker.

/** The characters of the text of an answer, and of a body that is one document. */
export const maxResponseCharacters = 32 * 1_048_576;
/** The longest accepted event, and the most that is read without an event, in characters. A token takes a few hundred. */
export const maxEventCharacters = 16 * 1_048_576;
/** The choices of one chunk; further ones are ignored. The gateway never requests more than one. */
export const maxChoices = 8;
/** The annotations of one answer; further ones are ignored. */
export const maxAnnotations = 1_024;
