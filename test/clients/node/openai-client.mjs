import OpenAI from 'openai';
import { z } from 'zod';

export const River = z.object({ river: z.string(), length: z.number() });

export const clientOf = ({ base_url, api_key, headers, max_retries, timeout_seconds }) =>
  new OpenAI({
    baseURL: base_url,
    apiKey: api_key,
    defaultHeaders: headers,
    maxRetries: max_retries,
    timeout: timeout_seconds * 1_000,
  });
