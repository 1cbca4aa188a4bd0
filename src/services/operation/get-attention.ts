import type { z } from 'zod';
import type { Attention } from '../../contracts/attention.ts';
import { readAttention } from '../../db/figures/read-attention.ts';
import type { ServiceContext } from '../context.ts';
import type { ServiceDeps } from '../ports.ts';
import { attentionItems } from './attention-items.ts';

/** Of each kind at most. */
const listed = 20;

async function readNow({ database, config, ...deps }: ServiceDeps): Promise<z.input<typeof Attention>> {
  const idleMs = config.JOB_IDLE_TIMEOUT;
  const [figures, health] = await Promise.all([readAttention(database, { idleMs, listed }), deps.health()]);
  const { items, total } = attentionItems(figures, { ...health, upstream: deps.upstreamWatch.state() }, idleMs);
  return {
    items: items
      .map(({ subject, ...item }) => item)
      .toSorted((one, other) => Number(one.severity === 'warning') - Number(other.severity === 'warning')),
    total,
  };
}

/** What needs attention now, critical ones first. */
export const getAttention = ({ deps }: ServiceContext): Promise<z.input<typeof Attention>> =>
  deps.figures('attention', () => readNow(deps));
