import { teamHolder } from '../../src/holders/holder.ts';
import { createWorkerMeasures } from '../../src/holders/measures.ts';
import { createSlots } from '../../src/holders/slots.ts';

const [acme, other] = [teamHolder('acme'), teamHolder('other')];

test('a holder with all of its places gets no further one until it gives one back, and others have their own', () => {
  const places = createSlots();
  const leaves = [places.take(acme, 2), places.take(acme, 2)];

  expect(leaves.every((leave) => leave !== undefined)).toBe(true);
  expect(places.take(acme, 2)).toBeUndefined();
  expect(places.take(other, 1)).toBeDefined();
  leaves[0]!();
  expect(places.take(acme, 2)).toBeDefined();
  expect(places.take(acme, 2)).toBeUndefined();
});

test('a place that is given back twice is free once', () => {
  const places = createSlots();
  const leave = places.take(acme, 2)!;
  places.take(acme, 2);

  leave();
  leave();

  expect(places.take(acme, 2)).toBeDefined();
  expect(places.take(acme, 2)).toBeUndefined();
});

test('calls and deliveries leave a hundred of the 2,000 slots of a worker to what ends jobs', () => {
  const { takeSlot } = createWorkerMeasures({ WORKER_HELD_BYTES: 1 });
  const taken = (kind: 'calls' | 'deliveries') => {
    let count = 0;
    while (takeSlot(kind)) count += 1;
    return count;
  };

  expect(taken('calls') + taken('deliveries')).toBe(1_900);
});
