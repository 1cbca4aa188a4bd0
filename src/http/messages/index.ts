import { countMessageTokens } from './count-tokens.ts';
import { createMessage } from './create-message.ts';
import { getModelForMessages, listModelsForMessages } from './list-models.ts';

export const messagesRoutes = [createMessage, countMessageTokens, listModelsForMessages, getModelForMessages];
