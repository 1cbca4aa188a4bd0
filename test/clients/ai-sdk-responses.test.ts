import { clients } from './support/clients.ts';
import { testClient } from './support/test-client.ts';

testClient(clients.aiSdkOfOpenAi);
