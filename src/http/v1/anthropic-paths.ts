/** Paths of Anthropic's clients, whatever base URL they were given. A thread of OpenAI has messages too. */
const ofClients = /^(?:\/[^/]+)*?\/v1\/messages(?:\/|$)|^(?:\/anthropic)?\/messages(?:\/|$)/i;

export const isForAnthropic = (path: string): boolean => ofClients.test(path);
