import t from 'tap'
import { renderAtOnce } from '../../../server/text/markdown.js'
import { noNames } from '../../../server/text/names.js'
import { mrkdwn } from '../../../server/transfer/slack/mrkdwn.js'
import { plain } from '../../../server/transfer/slack/plain-text.js'
import { richText } from '../../../server/transfer/slack/rich-text.js'
import type { SlackNames } from '../../../server/transfer/slack/slack-names.js'

const names: SlackNames = {
  user: (id, label) => `@**${label || id}**`,
  channel: (id, label) => `#**${label || id}**`,
  group: (id, label) => label || `@${id}`,
  emoji: name => (name === 'tada' ? '🎉' : `:${name}:`),
  all: '@_**all**',
  address: url => url,
}

const section = (...elements: unknown[]) => ({ type: 'rich_text_section', elements })
const text = (value: string, style = {}) => ({ type: 'text', text: value, style })
const block = (...elements: unknown[]) => richText({ elements }, names)

t.test('rich text becomes Markdown', async t => {
  const bold = { bold: true }
  t.equal(
    block(
      section(text('a '), text(' b ', bold), text('c', { italic: true, bold: true, strike: true }), text('d\ne', bold)),
    ),
    'a  **b** ~~***c***~~**d**\n**e**',
  )
  t.equal(block(section(text('x', { code: true, bold: true }))), '`x`')
  t.equal(block(section(text(' a`b ', { code: true }))), '``  a`b  ``')
  t.equal(
    block(
      section({ type: 'user', user_id: 'U1' }, text(' '), { type: 'channel', channel_id: 'C1' }, text(' '), {
        type: 'broadcast',
        range: 'here',
      }),
    ),
    '@**U1** #**C1** @here',
  )
  t.equal(block(section({ type: 'link', url: 'https://a.example/x', text: 'a [b]' })), '[a (b)](https://a.example/x)')
  t.equal(block(section({ type: 'link', url: 'https://a.example/x' })), 'https://a.example/x')
  t.equal(
    block(section({ type: 'emoji', name: 'thumbsup', unicode: '1f44d-1f3fd' }, { type: 'emoji', name: 'custom' })),
    '👍🏽:custom:',
  )
  t.equal(block(section({ type: 'date', timestamp: 1709546400 })), '<time:2024-03-04T10:00:00Z>')
})

t.test('lists, quotes and code are set apart', async t => {
  const list = (style: string, indent: number, ...items: string[]) => ({
    type: 'rich_text_list',
    style,
    indent,
    elements: items.map(item => section(text(item))),
  })
  t.equal(
    block(list('bullet', 0, 'apples', 'pears'), list('bullet', 1, 'green'), list('ordered', 0, 'one', 'two')),
    '* apples\n* pears\n  * green\n\n1. one\n2. two',
  )
  t.equal(
    block(
      section(text('Use:\n')),
      { type: 'rich_text_preformatted', elements: [text('a ``` b')] },
      { type: 'rich_text_quote', elements: [text('one\ntwo')] },
      section(text('end')),
    ),
    'Use:\n````\na ``` b\n````\n> one\n> two\n\nend',
  )
})

t.test('what is no rich text is passed over', async t => {
  for (const wrong of [
    {},
    { elements: 'x' },
    { elements: [null, 1, { type: 'unknown' }, section(null, 'x', { type: 'date', timestamp: 'x' })] },
  ]) {
    t.equal(richText(wrong, names), '')
  }
})

t.test('the markup of older messages becomes Markdown', async t => {
  const is = (from: string, to: string) => t.equal(mrkdwn(from, names), to, from)
  is('*bold* _it_ ~no~ `co*d*e` *a _b_*', '**bold** *it* ~~no~~ `co*d*e` **a *b***')
  is('2*3*4 snake_case_name a* b*', '2*3*4 snake_case_name a* b*')
  is(
    '<@U1> <@U2|carl> <#C1|dev> <!subteam^S1|@devs> <!here> <!channel>',
    '@**U1** @**carl** #**dev** @devs @here @_**all**',
  )
  is(
    '<https://a.example?a=1&amp;b=2|the plan> <https://a.example> <mailto:a@b.example|a@b.example>',
    '[the plan](https://a.example?a=1&b=2) https://a.example [a@b.example](mailto:a@b.example)',
  )
  is('3 &lt; 5 &amp;&amp; 5 &gt; 3 &quot;', '3 < 5 && 5 > 3 &quot;')
  is('&gt; quoted\n&gt; more\nend', '> quoted\n> more\n\nend')
  is('&gt;&gt;&gt;all\nof it', '> all\n> of it')
  is('see ```\nx &lt; *y*\n``` end', 'see \n```\nx < *y*\n```\n end')
  is('• one\n◦ two', '* one\n  * two')
  is(':tada: :custom::skin-tone-3: 10:30:00', '🎉 :custom: 10:30:00')
})

t.test('text gains no meaning that it did not have', async t => {
  for (const typed of [
    '# no heading',
    '1. no list',
    '* no list',
    '> no quote',
    '```',
    '/me is here',
    '---',
    '@**Alice**',
    '#**general**',
    '$$x$$',
  ]) {
    const { html, mentions } = renderAtOnce(plain(typed), noNames)
    t.match(html, /^<p>[^<]*(?:<strong>\w+<\/strong>)?<\/p>$/, typed)
    t.same(mentions.userIds, [])
    t.equal(plain(typed).replaceAll('\u2060', ''), typed, 'nothing visible is added')
  }
  t.equal(plain('usual text, 5 * 3, a#b'), 'usual text, 5 * 3, a#b')
})

t.test('hostile runs of marks take no longer than their length', async t => {
  for (const run of ['*', '_', '~', '`', '<', '&', ':', '*a ', '_*~', '<@', '```a', '> ']) {
    const hostile = run.repeat(Math.ceil(40_000 / run.length))
    const before = process.cpuUsage()
    mrkdwn(hostile, names)
    plain(hostile)
    t.ok(process.cpuUsage(before).user / 1000 < 500, run)
  }
})
