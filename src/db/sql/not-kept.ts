/** The text that is kept in place of the stored one, as `src/domain/formats/not-kept.ts` has it. */
export const notKept = (text: string): string => `
  json_build_object('not_kept', json_build_object('bytes', octet_length(${text}),
                                                  'sha256', encode(sha256(convert_to(${text}, 'UTF8')), 'hex')))::text`;

/** A request that no model has received is of no use to anybody: only a short one is kept. */
const maxUnsentBytes = 1_024;

const shortened = (column: string): string =>
  `case when octet_length(p.${column}) > ${maxUnsentBytes} then ${notKept(`p.${column}`)} else p.${column} end`;

/** Shortens the requests of those calls in `ended`, a CTE, that no worker has started. */
export const shortenUnsent = (ended: string): string => `
  update call_payloads p set request = ${shortened('request')}, options = ${shortened('options')}, has_data_urls = false
    from ${ended}
   where p.call_id = ${ended}.call_id and ${ended}.worker_attempt = 0
     and (octet_length(p.request) > ${maxUnsentBytes} or octet_length(p.options) > ${maxUnsentBytes})`;
