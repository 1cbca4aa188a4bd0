import { Redis } from 'ioredis';
import { Agent, request } from 'undici';

export interface FloorCall {
  call_id: string;
  /** The channel of the process that waits for the answer; absent: none waits. */
  reply_to?: string;
  /** The body of the request to the upstream: JSON text. */
  request: string;
}

/** Publishes the upstream's answer to the process that waits for it. Without record, fallback, price and heartbeat. */
export function createFloorActivities(upstreamUrl: string, redisUrl: string) {
  const redis = new Redis(redisUrl);
  const dispatcher = new Agent({ connections: 512, pipelining: 1 });
  return {
    async callUpstream({ call_id, reply_to, request: body }: FloorCall): Promise<string> {
      const answer = await request(`${upstreamUrl}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        dispatcher,
      });
      const { choices } = (await answer.body.json()) as { choices: { message: { content: string } }[] };
      const content = choices[0]!.message.content;
      if (!reply_to) return content;
      await redis.publish(reply_to, JSON.stringify({ call_id, content }));
      return '';
    },
  };
}

export type FloorActivities = ReturnType<typeof createFloorActivities>;
