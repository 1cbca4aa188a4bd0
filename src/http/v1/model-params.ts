import { z } from 'zod';
import { CallerId } from '../../contracts/fields.ts';

/** The name of a model in a path. `spec 17.1` */
export const ModelParams = z.object({
  model: CallerId.describe('Name of a model alias or model group. Slashes may be encoded or not'),
});
