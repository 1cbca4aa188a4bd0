import type { NewMember } from '../../../../contracts/model-groups.ts';
import { decimalText } from '../../../../domain/formats/exact-decimal.ts';
import { rankMembers } from '../../../../domain/model-members.ts';

/** The members of a body as they are stored. */
export const memberRows = (members: readonly NewMember[]) =>
  rankMembers(members).map(({ model_name, priority, position, is_active, ...prices }) => ({
    model_name,
    priority,
    position,
    is_active: is_active ?? true,
    input_price_per_million: decimalText(prices.input_price_per_million),
    output_price_per_million: decimalText(prices.output_price_per_million),
  }));
