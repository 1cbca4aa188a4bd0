export type Metadata = Record<string, unknown>;

/** The result of an update of metadata. */
export interface UpdatedMetadata {
  metadata: Metadata;
  /** Milliseconds since the epoch. */
  updated_at: number;
}

/** At most 10KB per job, in bytes of UTF-8 JSON: `spec 3.4`. */
export const metadataLimitBytes = 10_240;
export const metadataTooLarge = 'Metadata is limited to 10KB per job';

/** Bytes of `text` as UTF-8, without an encoder: the workflow sandbox does not promise one. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const codePoint = character.codePointAt(0)!;
    bytes += codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** Whether it is within the limit of a job's metadata. */
export const metadataFits = (metadata: Metadata): boolean => utf8Length(JSON.stringify(metadata)) <= metadataLimitBytes;

/** Shallow: top-level keys replace, `null` is a value. Undefined when the merged object is over the limit. */
export function mergeMetadata(current: Metadata, patch: Metadata): Metadata | undefined {
  const merged = { ...current, ...patch };
  return metadataFits(merged) ? merged : undefined;
}
