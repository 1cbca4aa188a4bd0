import { Redis } from 'ioredis';
import { Agent, request } from 'undici';

export interface FloorCall {
  call_id: string;
  /** The one channel of the process that waits; absent: nobody does. */
  reply_to?: string;
  /** What goes upstream: JSON text. */
  request: string;
}

/** The upstream's answer, to whoever waits for it. No record, no fallback, no price, no heartbeat. */
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
