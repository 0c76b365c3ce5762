import t from 'tap'
import type { MailContent } from '../../server/job-types/mail.js'
import { mail } from '../../server/job-types/mail.js'
import { composeMail } from '../../server/mail/compose-mail.js'
import { newMails } from '../support/mails.js'
import { startServer } from '../support/server.js'

type Missed = Extract<MailContent, { kind: 'missed_messages' }>

const url = 'https://chat.example'
const sender = { organization: 'Acme', url }
const channel = { type: 'channel', channelId: 12, channel: 'design team', topic: 'logo v2' } as const
const direct = (...names: string[]): Missed['conversation'] => ({
  type: 'direct',
  names,
  userIds: [9, ...names.map((_, at) => at + 1)],
})

const missed = (given: Partial<Missed> = {}, html = '<p>Hello</p>'): Missed => ({
  kind: 'missed_messages',
  conversation: channel,
  messages: [{ id: 900, sender: 'Mira', time: 1_800_000_000, html, isContext: false }],
  others: 0,
  reason: 'mention',
  namesOrganization: false,
  zone: 'Europe/Berlin',
  replyTo: null,
  ...given,
})

const composed = (given: Partial<Missed> = {}, html?: string) => composeMail(missed(given, html), 'en', sender)

t.test('the subject names the conversation, and the organization where it is to', async t => {
  const subjects: readonly [Partial<Missed>, string][] = [
    [{}, '#design team > logo v2'],
    [{ conversation: { ...channel, topic: '✔ logo v2' } }, '[resolved] #design team > logo v2'],
    [{ conversation: { ...channel, topic: '' } }, '#design team > general chat'],
    [{ conversation: direct('Mira') }, 'DMs with Mira'],
    [{ conversation: direct('Mira', 'Tom') }, 'Group DMs with Mira, Tom'],
    [{ conversation: direct('A', 'B', 'C', 'D', 'E') }, 'Group DMs with A, B, C and 2 others'],
    [{ namesOrganization: true }, '#design team > logo v2 [Acme]'],
    [{ contentHidden: 'account' }, 'New messages'],
    [{ contentHidden: 'organization', namesOrganization: true }, 'New messages [Acme]'],
  ]
  for (const [given, subject] of subjects) t.equal(composed(given).subject, subject)
  t.match(composeMail(missed({ conversation: direct('Mira') }), 'de', sender), {
    subject: 'Direktnachrichten mit Mira',
  })
})

t.test(
  'a mail without content has no text, name, place or address for answers, and says which setting it is',
  async t => {
    for (const contentHidden of ['account', 'organization'] as const) {
      const { text, html, replyTo, thread } = composed({ contentHidden, replyTo: 'in@chat.example' }, '<p>Secret</p>')
      for (const form of [text, html]) {
        t.notMatch(form, /Secret|Mira|design|logo|narrow|in@/)
        t.match(form, contentHidden === 'account' ? 'your settings keep' : 'the organization keeps')
      }
      t.same([replyTo, thread], [undefined, undefined])
    }
  },
)

t.test(
  'both forms have the messages with absolute links, the reason and the links to conversation and settings',
  async t => {
    const context = { id: 899, sender: 'Tom', time: 1_799_999_000, html: '<p>Before</p>', isContext: true }
    const { messages } = missed(
      {},
      '<p>See <a href="/#narrow/channel/3-general">#general</a>, <a href="https://x.example/a?b=1&amp;c">x</a></p>',
    )
    const { text, html } = composed({ messages: [context, ...messages], replyTo: 'in+1@chat.example' })
    t.match(html, '<a href="https://chat.example/#narrow/channel/3-general">#general</a>')
    t.match(html, '<a href="https://x.example/a?b=1&amp;c">x</a>')
    t.match(html, /<div class="message context">\s*<p class="by">Tom · 15 Jan 2027, 08:43<\/p>\s*<p>Before<\/p>/)
    t.match(text, '> See #general <https://chat.example/#narrow/channel/3-general>, x <https://x.example/a?b=1&c>')
    for (const form of [text, html]) {
      t.match(
        form,
        `${url}/#narrow/channel/12-design-team/topic/logo.20v2/near/900`,
        'the first message that was missed',
      )
      t.match(form, `${url}/#settings/notifications`)
      t.match(form, 'were mentioned')
      t.match(form, 'Your reply to this mail')
    }
    t.match(composed().text, 'do not reply')
    t.match(composed({ conversation: direct('Mira') }).text, `${url}/#narrow/dm/1,9-dm/near/900`)
  },
)

t.test('what is no text becomes text or a link, and nothing remote is loaded', async t => {
  const cases: readonly [string, string, string][] = [
    [
      '<p><span aria-label="heart" class="emoji emoji-2764" role="img" title="heart">:heart:</span></p>',
      '<p>\u2764</p>',
      '> \u2764',
    ],
    [
      '<p><img alt=":llama:" class="emoji" src="/user_avatars/2/emoji/7.png" title="llama"></p>',
      '<p>:llama:</p>',
      '> :llama:',
    ],
    ['<p><time datetime="2030-01-31T11:00:00Z">x</time></p>', '<p>31 Jan 2030, 12:00</p>', '> 31 Jan 2030, 12:00'],
    [
      '<div class="message_inline_image"><a href="/user_uploads/2/ab/chart%201.png" title="chart"><img src="/user_uploads/thumbnail/2/x"></a></div>',
      `<p><a href="${url}/user_uploads/2/ab/chart%201.png">chart</a></p>`,
      `> chart <${url}/user_uploads/2/ab/chart%201.png>`,
    ],
    [
      '<p><img alt="" class="inline-image" data-original-src="/user_uploads/2/ab/chart%201.png" src="/user_uploads/thumbnail/2/x"></p>',
      `<p><a href="${url}/user_uploads/2/ab/chart%201.png">chart 1.png</a></p>`,
      '> chart 1.png <',
    ],
    [
      '<p><audio controls preload="metadata" src="/user_uploads/2/ee/song.mp3" title="song"></audio></p>',
      `<a href="${url}/user_uploads/2/ee/song.mp3">song</a>`,
      '> song <',
    ],
    [
      '<div class="spoiler-block"><div class="spoiler-header">\n<p>The end</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<p>They <b>marry</b>.</p>\n</div></div>',
      'The end</p> <p>(A spoiler',
      '> > The end',
    ],
    [
      '<p><span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>m</mi></mrow><annotation encoding="application/x-tex">m^2</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">marry</span></span></p>',
      '<p><code>m^2</code></p>',
      '> m^2',
    ],
    [
      '<div class="codehilite" data-code-language="SQL"><pre><span></span><code><span class="k">SELECT</span>\n  1;\n</code></pre></div>',
      '<pre><code>SELECT\n  1;\n</code></pre>',
      '> SELECT\n>   1;\n\n',
    ],
    [
      '<ol start="3">\n<li>tea<ul>\n<li>green</li>\n</ul>\n</li>\n</ol>\n<blockquote>\n<p>a<br>\nb</p>\n</blockquote>',
      '<ol start="3">',
      '> 3. tea\n>\n>    * green\n>\n> > a\n> > b\n',
    ],
    [
      '<table>\n<thead>\n<tr>\n<th style="text-align: left;">Item</th>\n<th style="color:red">Qty</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>nut</td>\n<td>4</td>\n</tr>\n</tbody>\n</table>',
      '<th style="text-align: left;">Item</th> <th>Qty</th>',
      '> Item | Qty\n> nut | 4',
    ],
    [
      '<p><a href="javascript:alert(1)">marry</a><a href="//evil.example">x</a></p>'.replace('marry', 'b'),
      '<p>bx</p>',
      '> bx',
    ],
    ['<p onclick="x()">a<script>marry</script><svg><p>marry</p></svg><style>marry</style></p>', '<p>a</p>', '> a'],
    [
      '<div class="message_embed"><a class="message_embed_image" style="background-image: url(x)"></a>marry</div><p>c</p>',
      '<p>c</p>',
      '> c',
    ],
  ]
  for (const [source, html, text] of cases) {
    const mail = composed({}, source)
    t.match(mail.html, html, source)
    t.match(mail.text, text, source)
    for (const form of [mail.text, mail.html])
      t.notMatch(form, /marry|javascript:|<img|<script|<svg|onclick|src=/, source)
  }
})

t.test('a mail says how many messages it does not show', async t => {
  t.notMatch(composed().text, 'more message')
  t.match(composed({ others: 1 }).text, /Hello[\s\S]*There is one more message\./)
  t.match(composed({ others: 2 }).text, 'There are 2 more messages.')
})

t.test('mails of a conversation are one thread, with the headers of notifications', async t => {
  const server = await startServer(t)
  const person = await server.person()
  const mails = newMails(server.sql, server.config.dataDir)
  const add = (content: Missed) =>
    server.ctx.write(async (_tx, _emit, { after }) =>
      after(mail, {
        to: person.email,
        language: 'en',
        content,
        unsubscribe: { kind: 'missed_messages', user_id: person.id },
      }),
    )
  const name = 'x\r\nBcc: all@chat.example\r\n\r\n'
  await add(missed({ replyTo: 'in+1@chat.example' }))
  await add(missed({ conversation: { ...channel, topic: '✔ Logo V2' } }))
  await add(missed({ conversation: { ...channel, channel: name, topic: name } }))
  const sent = (await mails()).map(one => one.source.split(/\r?\n\r?\n/)[0]?.replace(/\r?\n[ \t]+/g, ' ') ?? '')
  t.equal(sent.length, 3)
  const header = (head: string, field: string) => new RegExp(`^${field}: (.*)$`, 'im').exec(head)?.[1]
  const values = (field: string) => sent.map(head => header(head, field))
  const threads = values('References')
  t.equal(new Set(threads).size, 2, 'a topic that was resolved stays a thread')
  t.same(values('In-Reply-To'), threads)
  t.equal(new Set(values('Message-ID')).size, 3)
  t.equal(values('Reply-To').filter(Boolean).join(), 'in+1@chat.example')
  for (const head of sent) {
    t.match(head, /^List-Id: "?.*"? <127\.0\.0\.1>$/im)
    t.match(head, /^X-Auto-Response-Suppress: All$/m)
    t.match(head, /^List-Unsubscribe: <http.*\/accounts\/unsubscribe\/missed_messages\/\d+-[0-9a-f]{32}>$/m)
    t.match(head, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m)
    t.notMatch(head, /^Bcc:/im)
  }
})
