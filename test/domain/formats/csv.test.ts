import { csvLine, timesIn, toCell } from '../../../src/domain/formats/csv.ts';

test.each<[string, unknown, string]>([
  ['a plain text', 'report', '"report"'],
  ['a text of digits', '007', '"007"'],
  ['a text with a semicolon', 'a;b', '"a;b"'],
  ['a text with a comma', 'a,b', '"a,b"'],
  ['a text with quotes', 'say "hi"', '"say ""hi"""'],
  ['a text with a line end', 'a\r\nb', '"a\r\nb"'],
  ['an empty text', '', '""'],
  ['null', null, ''],
  ['an absent value', undefined, ''],
  ['an integer', 42, '42'],
  ['a negative number', -5, '-5'],
  ['a small number, without an exponent', 1e-7, '0.0000001'],
  ['a large number, without an exponent', 1e21, '1000000000000000000000'],
  ['a decimal', 0.1, '0.1'],
  ['true', true, 'true'],
  ['an object', { a: [1, 'x'] }, '"{""a"":[1,""x""]}"'],
  ['an array of texts', ['=1'], '"[""=1""]"'],
])('%s is a cell of CSV (spec 19.67)', (_, value, cell) => {
  expect(toCell(value)).toBe(cell);
});

const contentOf = (cell: string): string => cell.slice(1, -1).replaceAll('""', '"');

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '\nx', '=HYPERLINK("x","y")', '＝1', '＋1', '－1', '＠x'])(
  'the text %j, which a spreadsheet would execute, begins with a quote',
  (text) => {
    expect(contentOf(toCell(text))).toBe(`'${text}`);
  },
);

const formula = /^[ "]*[=+\-@\uff1d\uff0b\uff0d\uff20]/;

/** As a spreadsheet with this separator reads a file: a quote begins a quoted cell at the beginning of a cell only. `spec 19.67` */
function cellsWith(separator: string, text: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const one = text[at]!;
    if (isQuoted && one === '"' && text[at + 1] === '"') {
      cell += one;
      at += 1;
    } else if (isQuoted) {
      if (one === '"') isQuoted = false;
      else cell += one;
    } else if (one === '"' && cell === '') isQuoted = true;
    else if (one === separator || one === '\r' || one === '\n') {
      cells.push(cell);
      cell = '';
    } else cell += one;
  }
  return [...cells, cell];
}

const attacks = [
  "x;=cmd|' /C calc'!A0;y",
  'x|=1|y',
  'x\t=1\ty',
  'x\n=1\ny',
  'x\r\n@SUM(A1)\r\ny',
  'x; =1;y',
  'x;"=1";y',
  'x;"" =1;y',
  'x";=1;"y',
  '";=1;"',
  ';;;=1',
  'x;＝1;y',
  'x;-1+1;y',
  'x,=1,y',
  { text: 'x;=1;y', list: ['a|=1', '=1'] },
];

test.each([',', ';', '\t', '|'])(
  'a file that is read with the separator %j has no formula in any cell (spec 19.67)',
  (separator) => {
    for (const attack of attacks)
      for (const cells of [
        [attack],
        [attack, 'b'],
        ['a', attack],
        ['a', attack, 5, attack],
        [1, attack, true, null, attack],
      ])
        expect(cellsWith(separator, csvLine(cells.map(toCell))).filter((cell) => formula.test(cell))).toEqual([]);
  },
);

test('an object in a cell remains JSON, also if it has what a spreadsheet would execute', () => {
  const cell = toCell({ values: [-1, 1, ';', -1], text: 'x;=1', ';': -1 });

  expect(JSON.parse(contentOf(cell))).toEqual({ values: [-1, 1, ';', -1], text: "x;'=1", ';': -1 });
});

test('a line ends with CRLF', () => {
  expect(csvLine(['a', '', 'b'])).toBe('a,,b\r\n');
});

test.each([
  ['UTC', '2026-01-31T09:30:00.350Z', '2026-01-31T09:30:00.350+00:00'],
  ['Europe/Berlin', '2026-01-31T09:30:00.350Z', '2026-01-31T10:30:00.350+01:00'],
  ['Europe/Berlin', '2026-07-31T23:30:00.000Z', '2026-08-01T01:30:00.000+02:00'],
  ['Europe/Berlin', '2026-03-29T00:59:59.999Z', '2026-03-29T01:59:59.999+01:00'],
  ['Europe/Berlin', '2026-03-29T01:00:00.000Z', '2026-03-29T03:00:00.000+02:00'],
  ['Asia/Kolkata', '2026-01-31T09:30:00.000Z', '2026-01-31T15:00:00.000+05:30'],
  ['America/St_Johns', '2026-01-31T01:00:00.000Z', '2026-01-30T21:30:00.000-03:30'],
])('a time in %s has the offset of that moment: %s', (zone, moment, expected) => {
  const timeOf = timesIn(zone);

  expect([timeOf(moment), timeOf(moment)]).toEqual([expected, expected]);
  expect(Date.parse(timeOf(moment))).toBe(Date.parse(moment));
});

test('the offset follows the moments, in whatever order they come', () => {
  const timeOf = timesIn('Europe/Berlin');

  const offsets = ['2026-01-01', '2026-07-01', '2026-01-01'].map((day) => timeOf(`${day}T00:00:00.000Z`).slice(-6));

  expect(offsets).toEqual(['+01:00', '+02:00', '+01:00']);
});
