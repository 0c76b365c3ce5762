import t from 'tap'
import { discordMarkdown } from '../../../server/transfer/discord/markdown.js'

const names = {
  person: (id: string) => (id === '2' ? '@**Bobby|2**' : undefined),
  channel: (id: string) => (id === '4' ? '#**general**' : undefined),
  role: (id: string) => (id === '1' ? 'Admins' : undefined),
}
const of = (text: string) => discordMarkdown(text, names)

t.test('names, roles, emoji, times and addresses', async t => {
  t.equal(
    of('Hi <@2> <@!2> <@9> in <#4> <#9> <@&1> <@&9>'),
    'Hi @**Bobby|2** @**Bobby|2** @unknown in #**general** #unknown @Admins @role',
  )
  t.equal(of('@everyone @here <:Blob:300> <a:wave:301> <:x:> <@x>'), '@_**all** @here :blob: :wave: <:x:> <@x>')
  t.equal(
    of('<t:1709542800:R> <t:1709542800> <t:999999999999999:R>'),
    '<time:2024-03-04T09:00:00Z> <time:2024-03-04T09:00:00Z> <t:999999999999999:R>',
  )
  t.equal(of('<https://a.example/x> [a](https://b.example)'), 'https://a.example/x [a](https://b.example)')
})

t.test('emphasis, escapes and small text', async t => {
  t.equal(
    of('under __under__ _it_ *it* **b** ~~s~~ snake_case_name _ open __'),
    'under under *it* *it* **b** ~~s~~ snake_case_name _ open __',
  )
  t.equal(of('\\*plain\\* \\_x\\_ \\\\ \\'), '&#42;plain&#42; _x_ \\ \\')
  t.equal(of('-# small\n# Title -# x\n- item'), 'small\n# Title -# x\n- item')
})

t.test('spoilers, quotes and code are blocks', async t => {
  t.equal(of('a ||secret <@2>|| b'), 'a \n```spoiler\nsecret @**Bobby|2**\n```\nb')
  t.equal(of('||all||'), '```spoiler\nall\n```')
  t.equal(of('|| open'), '|| open')
  t.equal(of('> one\n>>> all of\nthis <@2>'), '> one\n```quote\nall of\nthis @**Bobby|2**\n```')
  t.equal(of('x ```js\nconst a = "<@2>"``` y'), 'x \n```js\nconst a = "<@2>"\n```\ny')
  t.equal(of('```one line```'), '```\none line\n```')
  t.equal(of('>>> ```\ncode\n```'), '````quote\n```\ncode\n```\n````')
  t.equal(of('`<@2> __x__` ``a`b`` `open'), '`<@2> __x__` ``a`b`` `open')
})

t.test('a text gains no meaning that it did not have', async t => {
  t.equal(of('/poll a'), '\u2060/poll a')
  t.equal(of('@**x** #**y** $$z$$'), '@\u2060**x** #\u2060**y** $\u2060$z$\u2060$')
})

t.test('hostile runs of marks take no time', async t => {
  const begin = process.cpuUsage()
  for (const mark of ['_', '__', '||', '`', '```', '\\', '<@', '<:', '>>> ', '@', '|| __ ', '_a '])
    of(mark.repeat(10_000))
  const { user } = process.cpuUsage(begin)
  t.ok(user < 2_000_000, `${user} µs`)
})
