import { createChatCompletion } from './create-chat-completion.ts';
import { getModel } from './get-model.ts';
import { listModels } from './list-models.ts';

export const openAiRoutes = [createChatCompletion, listModels, getModel];
