import { z } from 'zod';
import { CallerId } from '../../contracts/fields.ts';

export const ResponseParams = z.object({
  response_id: CallerId.meta({
    description: 'Id of the response',
    example: 'resp_9a64d0f721c84e3db5fa06e87b13c9d2',
  }),
});
