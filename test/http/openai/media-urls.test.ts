import { mediaUrlProblem } from '../../../src/http/v1/media-url.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { type GivenTeam, givenIn, unique } from '../../support/given.ts';
import { type Json, sendRequest } from '../../support/send-request.ts';
import { spelledFor } from '../../webhook-delivery/private-spellings.ts';
import { chatWith } from './chat.ts';

test.each([
  'https://images.example.com/a.png',
  'http://images.example.com:8080/a.png?signature=a%20b&x=[1]#t=10',
  'https://Images.Example.com/a.png',
  'https://xn--mnchen-3ya.example/a.png',
  'http://93.184.216.34/a.png',
  'http://[2606:2800:220:1:248:1893:25c8:1946]:8080/a.png',
  `https://images.example.com/${'a'.repeat(4_000)}`,
  'data:image/png;base64,AAAA',
  'data:application/pdf;base64,AAAA',
  'data:,',
])('%s is accepted as the address of a medium (spec 17.29)', (url) => {
  expect(mediaUrlProblem(url, 'public')).toBeUndefined();
});

const unusual = [
  ...[
    'http://169.254.169.254/latest/meta-data/',
    'http://127.0.0.1:8233/namespaces',
    'http://temporal-ui:8080/',
    'file:///etc/passwd',
  ],
  ...[
    'http://metadata.google.internal/',
    'http://metadata.goog/',
    'http://api.default.svc/',
    'http://nas.lan/',
    'http://wiki.corp/x',
  ],
  ...[
    'FILE:///etc/passwd',
    'HTTP://images.example.com/',
    'ftp://images.example.com/',
    'gopher://images.example.com:70/_x',
  ],
  ...[
    's3://bucket/key',
    'gs://bucket/key',
    'blob:https://images.example.com/1',
    'javascript:alert(1)',
    'DATA:image/png;base64,AAAA',
  ],
  ...[
    ' https://images.example.com/',
    'https://images.example.com/ ',
    '\thttps://images.example.com/',
    'https://images.example.com/\n',
  ],
  ...[
    'https:\\\\images.example.com\\',
    'https:/images.example.com/',
    'https:images.example.com',
    '//images.example.com/',
    'images.example.com',
  ],
  ...[
    'https://user@images.example.com/',
    'https://user:pass@images.example.com/',
    'https://images.example.com@127.0.0.1/',
  ],
  ...[
    'https://images.example.com./a',
    'https://images..example.com/',
    'https://images.example.com:0/',
    'https://images.example.com:99999/',
  ],
  ...[
    'http://010.8.8.8/',
    'http://0x8.8.8.8/',
    'http://134744072/',
    'http://8.8.2056/',
    'http://８.８.８.８/',
    'http://8。8。8。8/',
  ],
  ...[
    'http://%31%32%37.0.0.1/',
    'http://images%2eexample.com/',
    'http://[::ffff:8.8.8.8]/',
    'http://[64:ff9b::808:808]/',
    'https://bücher.example/',
  ],
  ...[
    '',
    'http://',
    'https:///a',
    'https://?a',
    `https://images.example.com/${'a'.repeat(9_000)}`,
    '/etc/passwd',
    '../secrets',
    'iVBORw0KGgo=',
  ],
];

test.each([...unusual, ...spelledFor(80)])('%j is refused as the address of a medium (spec 17.29)', (url) => {
  expect(mediaUrlProblem(url, 'public')).toEqual(expect.any(String));
});

test('only data URLs are accepted where the setting is data', () => {
  expect(mediaUrlProblem('data:image/png;base64,AAAA', 'data')).toBeUndefined();
  expect(mediaUrlProblem('https://images.example.com/a.png', 'data')).toEqual(expect.any(String));
});

const gateway = gatewayForTests();
const dataOnly = gatewayForTests({ settings: { MEDIA_URLS: 'data' } });
const open = gatewayForTests({ settings: { MEDIA_URLS: 'any' } });
const given = givenIn(gateway);

const model = `sim-ok-as-${unique('media')}`;
let team: GivenTeam;
beforeAll(async () => {
  team = await given.team({ models: [model] });
});

const inner = 'http://169.254.169.254/latest/meta-data/';
const user = (part: object) => [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, part] }];
const sent = (url: string) => user({ type: 'image_url', image_url: { url } });

test.each<[place: string, messages: object[]]>([
  ['messages[0].content[1].image_url.url', sent(inner)],
  ['messages[0].content[1].image_url', user({ type: 'image_url', image_url: inner })],
  ['messages[0].content[1].video_url.url', user({ type: 'video_url', video_url: { url: 'file:///etc/passwd' } })],
  [
    'messages[0].content[1].input_audio.data',
    user({ type: 'input_audio', input_audio: { data: inner, format: 'wav' } }),
  ],
  ['messages[0].content[1].input_audio.url', user({ type: 'input_audio', input_audio: { data: 'AAAA', url: inner } })],
  ['messages[0].content[1].file.file_id', user({ type: 'file', file: { file_id: 'file-1' } })],
  ['messages[0].content[1].file.file_url', user({ type: 'file', file: { file_url: inner } })],
  ['messages[0].content[1].file.file_data', user({ type: 'file', file: { filename: 'a', file_data: inner } })],
  ['messages[0].content[1].audio_url.url', user({ type: 'text', text: 'a', audio_url: { url: inner } })],
  ['messages[0].content[1].image', user({ type: 'text', text: 'a', image: '/etc/passwd' })],
  ['messages[0].content[1].images[1]', user({ type: 'text', text: 'a', images: ['data:,', inner] })],
  ['messages[0].content[1].source.fileUri', user({ type: 'text', text: 'a', source: { fileUri: 'gs://bucket/key' } })],
  [
    'messages[0].content[1].more[0].deep',
    user({ type: 'text', text: 'a', more: [{ deep: '\u0001 FILE:///etc/passwd' }] }),
  ],
  [
    'messages[0].content[0].image_url.url',
    [{ role: 'tool', tool_call_id: 'a', content: [{ type: 'image_url', image_url: { url: inner } }] }],
  ],
  ['messages[0].content[0].video', [{ role: 'system', content: [{ type: 'text', text: 'a', video: inner }] }]],
  [
    'messages[1].images[0].image_url.url',
    [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b', images: [{ type: 'image_url', image_url: { url: inner } }] },
    ],
  ],
])(
  'a chat completion that refers the upstream to an inner address is refused: %s (spec 17.29)',
  async (place, messages) => {
    const before = gateway.current.simulator.requestsFor({ model }).length;

    const answer = await chatWith(gateway, team)({ messages });

    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: 'invalid_value', param: place, type: 'invalid_request_error' });
    expect(gateway.current.simulator.requestsFor({ model })).toHaveLength(before);
  },
);

test('addresses in texts, results and tool calls are texts, and public media go upstream', async () => {
  const messages = [
    { role: 'system', content: `Never read ${inner}` },
    { role: 'user', content: inner, name: inner, metadata: { source: inner, code: '// a comment' } },
    { role: 'user', content: [{ type: 'text', text: inner }, ...sent('https://images.example.com/a.png')[0]!.content] },
    {
      role: 'assistant',
      content: [{ type: 'text', text: inner }],
      reasoning_content: inner,
      annotations: [{ type: 'url_citation', url_citation: { url: 'http://wiki/page', title: 'A page' } }],
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'read', arguments: JSON.stringify({ url: inner }) } },
      ],
    },
    { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: inner, cache_control: { type: 'ephemeral' } }] },
  ];
  const tools = [
    { type: 'function', function: { name: 'read', parameters: { properties: { url: { default: inner } } } } },
  ];

  const answer = await chatWith(gateway, team)({ messages, tools });

  expect(answer.status).toBe(200);
  expect(gateway.current.simulator.requestsFor({ model }).at(-1)!.body).toMatchObject({ messages, tools });
});

test('a streamed chat completion is refused in the same way, as JSON', async () => {
  const answer = await chatWith(gateway, team)({ messages: sent(inner), stream: true });

  expect([answer.status, answer.body.error.param]).toEqual([400, 'messages[0].content[1].image_url.url']);
});

test('with MEDIA_URLS=data a public address is refused, and with any everything goes upstream (spec 17.29)', async () => {
  const statuses = async (one: typeof gateway, messages: Json[]) => {
    const teamThere = await givenIn(one).team({ models: ['sim-ok'] });
    return Promise.all(messages.map(async (each) => (await chatWith(one, teamThere)({ messages: each })).status));
  };
  const file = user({ type: 'file', file: { file_id: 'file-1' } });
  const all = ['data:image/png;base64,AAAA', 'https://images.example.com/a.png', inner].map(sent);

  expect(await statuses(dataOnly, [...all, file])).toEqual([200, 400, 400, 400]);
  expect(await statuses(open, [...all, file])).toEqual([200, 200, 200, 200]);
});

test('a call under /api takes texts alone, so that it refers the upstream to nothing (spec 17.29)', async () => {
  const job = await given.job(team);
  const body = { model_group: team.modelGroup, messages: sent(inner) };

  const answer = await sendRequest(gateway.current.url, 'post', `/api/jobs/${job}/llm-call`, { key: team.key, body });

  expect(answer.status).toBe(422);
  expect(answer.body.detail[0].loc).toEqual(['body', 'messages', 0, 'content']);
});
