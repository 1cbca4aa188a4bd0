import { query } from '@anthropic-ai/claude-agent-sdk';

/** Runs one prompt, and prints its result. The arguments: the prompt, and the options of the query as JSON. */
const [, , prompt, options] = process.argv;
for await (const message of query({ prompt, options: JSON.parse(options) }))
  if (message.type === 'result') process.stdout.write(`${message.result}\n`);
