import { newIssue, sentObject } from '../../contracts/as-sent.ts';
import { document, JsonObject } from '../../contracts/fields.ts';
import { hasCyclicReference } from '../../domain/formats/json-schema.ts';

/** A JSON schema, whatever its keys, that does not refer to itself. `spec 17.12` */
export const jsonSchema = sentObject.superRefine((schema, context) => {
  if (hasCyclicReference(schema)) context.issues.push(newIssue('value_error', 'The schema refers to itself'));
});
document(jsonSchema, JsonObject);
