import t from 'tap'
import { emojiCharacter, emojiCodes } from '../../../server/transfer/emoji-table.js'
import { mattermostMarkdown } from '../../../server/transfer/mattermost/markdown.js'

const codes = emojiCodes('mattermost/emoji-names.json')
const names = {
  person: (name: string) => (['alice', 'bob.m'].includes(name) ? `@**${name}|1**` : undefined),
  channel: (name: string) => (name === 'builds' ? '#**Builds**' : undefined),
  emoji: (name: string) => {
    const code = codes.get(name)
    return code === undefined ? undefined : emojiCharacter(code)
  },
}
const of = (text: string) => mattermostMarkdown(text, names)

t.test('names become mentions, also before a full stop', async t => {
  t.equal(of('Hello @bob.m. and @Alice, see ~builds.'), 'Hello @**bob.m|1**. and @**alice|1**, see #**Builds**.')
  t.equal(
    of('@all @channel @here @ghost. a@alice.example ~gone ~~struck~~'),
    '@_**all** @_**all** @here @ghost. a@alice.example ~gone ~~struck~~',
  )
})

t.test('emphasis, pictures, escapes and emoji', async t => {
  t.equal(of('_a_ __b__ snake_case_name _ a_ **c** _open'), '*a* **b** snake_case_name _ a_ **c** _open')
  t.equal(of('![shot](https://a.example/x.png)'), '[shot](https://a.example/x.png)')
  t.equal(of(String.raw`2 \* 3 \_ \\ \a`), '2 &#42; 3 _ \\ \\a')
  t.equal(of(':tada: :gone_emoji: 10:30:00'), '🎉 :gone_emoji: 10:30:00')
})

t.test('code stays as it is', async t => {
  t.equal(of('`@alice _x_` and ``a`@alice`` but `@alice'), '`@alice _x_` and ``a`@alice`` but `@**alice|1**')
  t.equal(of('```js\n@alice _x_\n```\n_x_'), '```js\n@alice _x_\n```\n*x*')
  t.equal(of('~~~\n@alice\n```\n~~~\n_x_'), '~~~\n@alice\n```\n~~~\n*x*')
})

t.test('a text gains no meaning here', async t => {
  t.equal(of('@**all** @_**x** #**y** $$z$$ /me'), '@\u2060**all** @\u2060_**x** #\u2060**y** $\u2060$z$\u2060$ /me')
  t.equal(of('/poll a'), '\u2060/poll a')
})

t.test('hostile runs of marks take no longer than others', async t => {
  for (const text of ['`', '_', '__a', '@', '\\', ':a', '~a', '` ``', '_a'].map(one => one.repeat(10_000))) {
    const since = process.cpuUsage()
    of(text)
    const { user } = process.cpuUsage(since)
    t.ok(user < 500_000, `${text.slice(0, 4)}: ${user / 1000} ms`)
  }
})

t.test('each name of an emoji leads to a code that there is', async t => {
  t.equal(emojiCharacter(codes.get('heart') ?? ''), '❤️')
  t.equal(emojiCharacter(codes.get('+1') ?? ''), '👍')
  t.equal(codes.get('toString'), undefined)
})
