import { z } from 'zod';
import { isOrdered, notOrdered } from './date-range.ts';
import { completeUntil, FigureRange, responseRange } from './figure-ranges.ts';
import { keyedBy } from './keyed-by.ts';

/** `spec 19.47` */

export const ModelHealthQuery = FigureRange.refine(isOrdered, notOrdered);

const milliseconds = (part: string) =>
  z
    .int()
    .nullable()
    .describe(
      `${part} of the latencies of those that succeeded, in milliseconds, estimated from a histogram; null without one`,
    );

const rate = z.number().nullable().describe('`errors` as a part of all, 0 to 1; null without any');

const sums = {
  tokens: z.int().describe('Tokens of prompts and completions'),
  cost_usd: z.number().describe('Cost at the model providers, in USD'),
  p50_latency_ms: milliseconds('Median'),
  p95_latency_ms: milliseconds('95th percentile'),
};

export const ModelHealth = z
  .object({
    ...responseRange,
    clock: z.literal('call_finished').describe('A call counts in the hour of its end, UTC'),
    complete_until: completeUntil,
    groups: z
      .array(
        z
          .object({
            model_group: z
              .string()
              .nullable()
              .describe('Model group of the calls; null for direct requests of an alias'),
            calls: z.int().describe('Calls that have ended'),
            errors: z.int().describe('Calls that failed, without those that were cancelled'),
            error_rate: rate,
            errors_by_kind: keyedBy(
              z.int().describe('Calls'),
              'Calls that failed by the kind of their failure, which is the key',
            ),
            fallbacks: z.int().describe('Calls that another model than the first one answered'),
            ...sums,
          })
          .meta({ id: 'ModelGroupHealth' }),
      )
      .describe('Most calls first'),
    models: z
      .array(
        z
          .object({
            model: z.string().describe('Concrete model'),
            model_groups: z.array(z.string()).describe('Model groups whose calls used it'),
            attempts: z.int().describe('Requests to the model'),
            errors: z.int().describe('Requests that failed, or whose worker was lost'),
            error_rate: rate,
            cancelled: z.int().describe('Requests that were cancelled with their call'),
            calls: z.int().describe('Calls that it answered, or was the last to fail'),
            errors_by_kind: keyedBy(
              z.int().describe('Calls'),
              'Calls that it was the last to fail, by the kind of the failure',
            ),
            fallbacks: z.int().describe('Of `calls`, those that another model should have answered first'),
            ...sums,
          })
          .meta({ id: 'OneModelHealth' }),
      )
      .describe('Highest rate of errors first'),
  })
  .meta({ id: 'ModelHealth' });
