import { getAttention } from './get-attention.ts';
import { getLive } from './get-live.ts';
import { getSystem } from './get-system.ts';

export const operationRoutes = [getAttention, getLive, getSystem];
