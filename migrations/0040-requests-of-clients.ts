import { Migration } from '@mikro-orm/migrations';

/**
 * What the client requested in the form of its API, of a call that a later request may name: the conversation, and apart from it the
 * rest, because an item of an answer is found without its conversation. Deleted with the payload. `spec 28.16`
 */
export class RequestsOfClients extends Migration {
  override up(): void {
    this.addSql('alter table call_payloads add column client_request text, add column client_input text');
  }
}
