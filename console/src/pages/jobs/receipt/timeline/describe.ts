import { actionSentence } from '../../../../format/audit.ts';
import { formatCount, formatNumber } from '../../../../format/number.ts';
import type { Item } from './items.ts';

export interface Description {
  title: string;
  note?: string;
  /** The state that `Status` shows. */
  status: string;
}

/** The text of a row of the timeline. */
export function describe(item: Item): Description {
  switch (item.kind) {
    case 'call': {
      const { purpose, requested_model, position, status } = item.call;
      return { title: purpose ?? requested_model, note: `#${position}`, status };
    }
    case 'end':
      return { title: `Job ${item.job.status}`, status: item.job.status };
    case 'transaction': {
      const { transaction_type, credits_amount } = item.transaction;
      return {
        title: `${words[transaction_type]} ${formatCount(Math.abs(credits_amount), 'credit')}`,
        status: 'ledger',
      };
    }
    case 'delivery':
      return { title: `Webhook ${item.delivery.event}`, status: item.delivery.status };
    case 'audit':
      return {
        title: actionSentence(item.entry.action),
        note: item.entry.times > 1 ? `×${formatNumber(item.entry.times)}` : undefined,
        status: 'audit',
      };
  }
}

const words = { deduction: 'Charged', refund: 'Refunded', allocation: 'Allocated', adjustment: 'Adjusted' } as const;
