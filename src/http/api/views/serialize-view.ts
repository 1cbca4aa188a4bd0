import type { z } from 'zod';
import type { View } from '../../../contracts/views.ts';
import type { ViewRow } from '../../../db/views/saved-views.ts';

export const serializeView = ({ created_at, updated_at, ...view }: ViewRow): z.input<typeof View> => ({
  ...view,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
});
