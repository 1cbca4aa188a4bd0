import { createKey } from './create-key.ts';
import { deleteKey } from './delete-key.ts';
import { endPreviousKeys } from './end-previous-keys.ts';
import { listKeys } from './list-keys.ts';
import { updateKey } from './update-key.ts';

export const keyRoutes = [createKey, listKeys, updateKey, deleteKey, endPreviousKeys];
