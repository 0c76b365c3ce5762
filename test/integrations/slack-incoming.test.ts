import t from 'tap'
import type { Loose } from '../support/in-step.js'
import { read as readAny } from './read.js'

const read = (payload: unknown) => readAny('slack_incoming', payload)
const content = (payload: Loose): string | undefined => read(payload)[0]?.content
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text })
const plain = (text: string) => ({ type: 'plain_text', text })

t.test('topics', async t => {
  const topic = (channel?: string | null) => read({ text: 'x', channel })[0]?.topic
  t.same([topic('#a'), topic('@a'), topic('##a'), topic('a'), topic(), topic(null)], ['a', 'a', '#a', 'a', '', ''])
})

t.test('texts', async t => {
  t.equal(content({ text: ' hello ' }), 'hello')
  t.equal(content({ text: 'hello', icon_emoji: ':wave:' }), ':wave: hello')
  t.equal(content({ text: 'hidden', blocks: [{ type: 'divider' }] }), '----')
  t.same(read({ text: '  ' }), [])
  t.same(read({ blocks: [], attachments: null, text: null }), [])
})

t.test('markup', async t => {
  const cases: [string, string][] = [
    ['*bold*', '**bold**'],
    ['_words_', '*words*'],
    ['*a* *b*', '**a** **b**'],
    ['(*a b*).', '(**a b**).'],
    ['*_both_*', '***both***'],
    ['a*b*', 'a*b*'],
    ['*a*b', '*a*b'],
    ['* a*', '* a*'],
    ['*a *', '*a *'],
    ['*a\nb*', '*a\nb*'],
    ['snake_case_name', 'snake_case_name'],
    ['é_x_', 'é_x_'],
    ['<https://a.example|a label>', '[a label](https://a.example)'],
    ['<mailto:a@b.example|a>', '<mailto:a@b.example|a>'],
    ['<https://a.example>', '<https://a.example>'],
    ['<@U1> <!channel> ~x~ &amp;', '<@U1> <!channel> ~x~ &amp;'],
  ]
  for (const [text, becomes] of cases) t.equal(content({ text }), becomes, text)
  const start = performance.now()
  content({ text: '*a'.repeat(50_000) })
  content({ text: '<a://'.repeat(50_000) })
  t.ok(performance.now() - start < 5_000, 'marks without an end take no quadratic time')
})

t.test('blocks', async t => {
  const image = { type: 'image', image_url: 'https://a.example/x.png', alt_text: 'an x' }
  const cases: [Loose, string | undefined][] = [
    [{ type: 'header', text: plain('Big') }, '## Big'],
    [{ type: 'divider' }, '----'],
    [image, '[an x](https://a.example/x.png)'],
    [{ ...image, title: plain('An X') }, '[An X](https://a.example/x.png)'],
    [{ type: 'actions', elements: [] }, undefined],
    [{ type: 'input' }, undefined],
    [{ type: 'section', text: mrkdwn('a') }, 'a'],
    [{ type: 'section', text: mrkdwn('a'), accessory: image }, 'a\n\n[an x](https://a.example/x.png)'],
    [{ type: 'section', text: mrkdwn('a'), accessory: { type: 'button' } }, 'a'],
    [{ type: 'section', fields: [plain('one')] }, 'one'],
    [{ type: 'section', fields: [plain('a|b'), plain('c\nd'), plain('e')] }, '| | |\n|-|-|\n| a b | c d |\n| e |  |'],
    [{ type: 'context', elements: [mrkdwn('a'), image, plain('b')] }, 'a\n\n[an x](https://a.example/x.png)\n\nb'],
  ]
  for (const [block, becomes] of cases) t.equal(content({ blocks: [block] }), becomes, JSON.stringify(block))
  t.equal(content({ blocks: [{ type: 'divider' }, { type: 'input' }, { type: 'divider' }] }), '----\n\n----')
})

t.test('attachments', async t => {
  t.equal(
    content({
      blocks: [{ type: 'divider' }],
      attachments: [
        {
          title: 'Build',
          title_link: 'https://a.example/1',
          pretext: 'before',
          text: 'the text',
          fields: [{ title: 'Who', value: 'Ada' }, { title: 'When' }, { value: 'alone' }],
          image_url: 'https://a.example/x.png',
          footer: 'foot',
          ts: 1_700_000_000,
          color: '#fff',
          fallback: 'not shown',
        },
        { title: 'Second' },
      ],
    }),
    '----\n\n## [Build](https://a.example/1)\n\nbefore\n\nthe text\n\n**Who**: Ada\n**When**\nalone\n\n[](https://a.example/x.png)\n\nfoot\n\n<time:1700000000>\n\n## Second',
  )
})

t.test('what Slack would not take is refused', async t => {
  const section = { type: 'section', text: mrkdwn('x') }
  const refused: unknown[] = [
    null,
    [],
    'text',
    { text: 5 },
    { blocks: {} },
    { blocks: [{}] },
    { blocks: [{ type: 'rich_text', elements: [] }] },
    { blocks: [{ type: 'header', text: mrkdwn('x') }] },
    { blocks: [{ type: 'header' }] },
    { blocks: [{ type: 'section', text: { type: 'html', text: 'x' } }] },
    { blocks: [{ type: 'image', image_url: 'x.png', alt_text: 'x' }] },
    { blocks: [{ type: 'image', image_url: 'https://host/x.png', alt_text: 'x' }] },
    { blocks: [{ type: 'image', image_url: 'javascript:alert(1)', alt_text: 'x' }] },
    { blocks: Array(201).fill(section) },
    { attachments: [{ title: 'x', title_link: 'nowhere' }] },
    { attachments: [{ fields: 'x' }] },
    { attachments: [{ ts: {} }] },
  ]
  for (const payload of refused)
    t.throws(() => read(payload), { code: 'BAD_REQUEST' }, JSON.stringify(payload)?.slice(0, 60))
})
