import { asDatabaseOutage } from '../../db/connection/failures.ts';
import { authenticate } from '../auth/authenticate.ts';
import { CsvFile } from '../csv/csv-file.ts';
import { exportCsv, wantsCsv } from '../csv/export-csv.ts';
import { rejectWaitingInOutage } from '../limits/hold.ts';
import { Accepted, JsonText, noContent, Redirect, toReply } from '../reply.ts';
import type { RequestContext } from '../route.ts';
import { EventStream } from '../stream/event-stream.ts';
import type { Exchange } from './exchange.ts';
import { placeOf } from './take-place.ts';

/** Calls the handler of the route, and makes the reply of its result. */
export async function execute(exchange: Exchange): Promise<void> {
  const { spec, context } = exchange;
  const result = spec.csv && wantsCsv(context) ? await exportList(exchange) : await callHandler(exchange, context);
  const reply = () => toReply(checked(exchange, result), spec.produces);
  exchange.reply = isList(exchange) ? await inTurn(exchange, reply) : reply();
}

const isList = (exchange: Exchange): boolean => placeOf(exchange) === 'lists';

/** The handler of a list has one of the places at the database meanwhile. */
function callHandler(exchange: Exchange, context: RequestContext): Promise<unknown> {
  const { deps, holder, handle, disconnected: signal } = exchange;
  const { reports, lists } = deps.measures.places;
  const call = () =>
    handle(context).catch((error: unknown) => {
      throw asDatabaseOutage(error);
    });
  if (!isList(exchange)) return call();
  return reports.run(holder, call, { signal }).catch((error: unknown) => {
    rejectWaitingInOutage([reports, lists], holder, error);
    throw error;
  });
}

/** The result as it is sent: one that its schema does not allow is an error of this service, hence a 500. */
const checked = ({ spec }: Exchange, result: unknown): unknown =>
  result instanceof EventStream ||
  result instanceof CsvFile ||
  result instanceof Accepted ||
  result instanceof JsonText ||
  result instanceof Redirect ||
  result === noContent
    ? result
    : spec.response.parse(result);

/** Work on a list or a file, which may have megabytes: that of one holder is done one after the other. */
const inTurn = <T>({ deps, holder, disconnected }: Exchange, work: () => T): Promise<T> =>
  deps.measures.thread.run(holder, async () => work(), { signal: disconnected });

function exportList(exchange: Exchange): Promise<CsvFile> {
  const { deps, spec, request, context } = exchange;
  return exportCsv(spec.csv!, context, {
    first: (page) => callHandler(exchange, page),
    // A file is read for minutes: it ends if the caller has lost its right meanwhile.
    async later(page) {
      await authenticate(deps, request, spec);
      return callHandler(exchange, page);
    },
    check: (page) => checked(exchange, page),
    inTurn: (work) => inTurn(exchange, work),
  });
}
