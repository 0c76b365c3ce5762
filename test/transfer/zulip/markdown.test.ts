import t from 'tap'
import type { References } from '../../../server/transfer/source.js'
import { filesOf, messagesIn, type ZulipNames, zulipMarkdown } from '../../../server/transfer/zulip/markdown.js'

const names: ZulipNames = {
  personKey: (name, id) => ({ Bob: 'p12', Eve: 'p13' })[name] ?? (id === null ? undefined : `p${id}`),
  channelKey: name => (name === 'general' ? 'c21' : undefined),
  groupKey: name => (name === 'devs' ? 'g1' : undefined),
  key: id => id,
  file: (path, label) => ({ name: label, label, at: 'nowhere', why: path }),
}
const references: References = {
  person: key => (['p12', 'p13'].includes(key) ? `@**New ${key}|7**` : undefined),
  channel: (key, topic) =>
    ['c21', '21'].includes(key) ? `#**chat${topic === undefined ? '' : `>${topic}`}**` : undefined,
  group: key => (key === 'g1' ? '@*devs (2)*' : undefined),
  id: (_, key) => (Number(key) < 100 || key === '5001' ? Number(key) + 1000 : undefined),
  file: ({ label }) => `<${label}>`,
  message: key => (key === '5001' ? '/#narrow/near/6001' : undefined),
}
const markdown = (content: string, html = '') => zulipMarkdown({ content, html, names }, references)

t.test('mentions name accounts of here', async t => {
  t.equal(markdown('@**Bob**, @_**Bob|12** and @**|13**'), '@**New p12|7**, @_**New p12|7** and @**New p13|7**')
  t.equal(markdown('@**Old**', '<span class="user-mention" data-user-id="13">@Old</span>'), '@**New p13|7**')
  t.equal(
    markdown('@**A &amp; B**', '<span class="user-mention silent" data-user-id="13">A &amp;amp; B</span>'),
    '@**New p13|7**',
  )
  for (const same of ['@**all**', '@_**topic**', '@**Nobody**', '@**Nobody|99**', 'a@*b', '@** **', '@*others*']) {
    t.equal(markdown(same), same, 'what the archive has not stays')
  }
  t.equal(markdown('@*devs* @_*devs*'), '@*devs (2)* @_*devs (2)*')
})

t.test('channels, topics and messages are those of here', async t => {
  t.equal(markdown('#**general** #**general>a topic** #**other>x**'), '#**chat** #**chat>a topic** #**other>x**')
  t.equal(markdown('#**general>x@5001** #**general>x@5002**'), '[#chat>x](/#narrow/near/6001) #**chat>x**')
  t.equal(
    markdown('#**old**', '<a class="stream" data-stream-id="21" href="/#narrow/channel/21-old">#old</a>'),
    '#**chat**',
  )
  t.equal(
    markdown('[x](#narrow/stream/21-general/topic/a.20b/near/5001)'),
    '[x](/#narrow/channel/1021-general/topic/a.20b/near/6001)',
  )
  t.equal(
    markdown('/#narrow/dm/12,13-group/near/5001'),
    '[/#narrow/dm/1012,1013-group/near/6001](/#narrow/dm/1012,1013-group/near/6001)',
  )
  const own = 'https://chat.example/#narrow/channel/21-general/with/5001'
  t.equal(markdown(`[x](${own})`), `[x](${own})`, 'the address may be of another server')
  t.equal(
    markdown(`[x](${own})`, '<a href="#narrow/channel/21-general/with/5001">x</a>'),
    '[x](/#narrow/channel/1021-general/with/6001)',
  )
  for (const same of ['[x](#narrow/channel/999-x)', '[x](#narrow/near/5002)', '[x](#narrow/is/starred)'])
    t.equal(markdown(same), same)
  t.same(messagesIn('#narrow/near/5001 /with/5002 #**general>x@5003** near/5001 /near/5001'), ['5001', '5002', '5003'])
})

t.test('files of the archive stand where they stood', async t => {
  const text =
    '[a](/user_uploads/2/x/a.txt) [b](https://chat.example/user_uploads/2/y/b.txt) [](/user_uploads/2/z/c) /user_uploads/2/d'
  t.equal(markdown(text), '<a> <b> <> /user_uploads/2/d')
  t.same(
    filesOf(text, names).map(one => one.at === 'nowhere' && one.why),
    ['2/x/a.txt', '2/y/b.txt', '2/z/c'],
  )
  t.same(filesOf('`[a](/user_uploads/2/x)`', names), [])
})

t.test('code stays as it is, and quotes do not', async t => {
  for (const same of [
    '`@**Bob**`',
    '``` @**Bob** ```',
    '``a ` @**Bob**``',
    '```\n@**Bob**\n```',
    '~~~ py\n@**Bob**\n```\n@**Bob**\n~~~',
    '````spoiler x\n```\n@**Bob**\n```\n````',
    '```\nnever closed\n@**Bob**',
    '> ```\n> @**Bob**\n> ```',
  ]) {
    t.equal(markdown(same), same)
  }
  t.equal(markdown('```quote\n@**Bob**\n```'), '```quote\n@**New p12|7**\n```')
  t.equal(markdown('```spoiler `x`\n@**Bob**\n```\n`@**Bob**`'), '```spoiler `x`\n@**New p12|7**\n```\n`@**Bob**`')
  t.equal(markdown('` @**Bob**'), '` @**New p12|7**', 'one backtick is no code')
})

t.test('hostile runs of marks take little time', async t => {
  const since = process.cpuUsage()
  for (const mark of [
    '@**',
    '[',
    '`',
    '``` ',
    '#**',
    '](/user_uploads/',
    '#narrow/',
    '@*',
    '```\n',
    'https://',
    '` `` ',
  ]) {
    markdown(mark.repeat(100_000 / mark.length), mark.repeat(1000))
  }
  t.ok(process.cpuUsage(since).user < 3_000_000, 'less than 0.3 seconds each')
})
