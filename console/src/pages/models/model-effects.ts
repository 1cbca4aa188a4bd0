import type { EffectLine } from '../../components/ui/effect-line.ts';
import { type Draft, type Prices, priceFields } from './member-drafts.ts';

/** What calls depend on, of a model group, an alias or an access group. */
export interface ModelState {
  status: 'active' | 'inactive';
  drafts: readonly Draft[];
  /** Access groups of an alias, or aliases of an access group. */
  links: readonly string[];
  extraFields: readonly string[];
  blockedFields: readonly string[];
  maxOutputTokens: string;
  embeddingFallbacks: boolean;
}

const named = (drafts: readonly Draft[]): Draft[] => drafts.filter(({ model }) => model.trim() !== '');

const tried = (drafts: readonly Draft[]): string =>
  named(drafts)
    .filter(({ isActive }) => isActive)
    .map(({ model }) => model.trim())
    .join(', then ') || 'none: calls are refused';

const shown = (price: string): string => price.trim() || '–';

const pricesOf = ({ input, output, cached, written }: Prices): string =>
  `${shown(input)} / ${shown(output)}${cached.trim() || written.trim() ? `, cache ${shown(cached)} / ${shown(written)}` : ''}`;

const prices = (drafts: readonly Draft[]): string =>
  named(drafts)
    .filter((draft) => priceFields.some(({ price }) => draft[price].trim() !== ''))
    .map((draft) => `${draft.model.trim()} ${pricesOf(draft)}`)
    .join(', ') || 'none';

const listed = (names: readonly string[]): string => names.join(', ') || 'none';

/** What an edited entry changes for calls and for what they cost; only what is another one. */
export function modelEffects(before: ModelState, after: ModelState, linksLabel: string): EffectLine[] {
  const line = (what: string, read: (state: ModelState) => string) => ({
    what,
    before: read(before),
    after: read(after),
  });
  return [
    line('Status', ({ status }) => status),
    line('Tried', ({ drafts }) => tried(drafts)),
    line('Prices, in / out', ({ drafts }) => prices(drafts)),
    line(linksLabel, ({ links }) => listed(links)),
    line('Extra fields', ({ extraFields }) => listed(extraFields)),
    line('Blocked fields', ({ blockedFields }) => listed(blockedFields)),
    line('Max output tokens', ({ maxOutputTokens }) => maxOutputTokens.trim() || 'no limit'),
    line('Fallbacks of embeddings', ({ embeddingFallbacks }) => (embeddingFallbacks ? 'all' : 'none')),
  ].filter((one) => one.before !== one.after);
}
