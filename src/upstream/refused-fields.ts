import { type OptionalField, optionalFields } from '../domain/optional-fields.ts';

const keptMs = 3_600_000;
/** Installations have a few hundred models. */
const maxModels = 1_000;

/** Which optional fields models have refused: they are not sent them for an hour. Of one worker. `spec 31.5` */
export class RefusedFields {
  private readonly until = new Map<string, Map<OptionalField, number>>();
  private readonly now: () => number;

  constructor(now = Date.now) {
    this.now = now;
  }

  of(model: string): Set<OptionalField> {
    const fields = this.until.get(model);
    if (!fields) return new Set();
    return new Set(optionalFields.filter((field) => (fields.get(field) ?? 0) > this.now()));
  }

  add(model: string, refused: readonly OptionalField[]): void {
    const fields = this.until.get(model) ?? new Map();
    for (const field of refused) fields.set(field, this.now() + keptMs);
    this.until.delete(model);
    this.until.set(model, fields);
    if (this.until.size > maxModels) this.until.delete(this.until.keys().next().value!);
  }
}
