import fc from 'fast-check'
import t from 'tap'
import { withoutFooter, withoutQuotes } from '../../../server/text/mail/cut-quotes.js'
import { fitted } from '../../../server/text/mail/fitted.js'
import { htmlToMarkdown } from '../../../server/text/mail/html-to-markdown.js'
import { MailReader, UnreadableMail } from '../../../server/text/mail/mail-reader.js'
import { readMail } from '../../../server/text/mail/read-mail.js'

const nothing = { quotes: false, footer: false }
const options = [{ includeQuotes: false, includeFooter: false, prefersHtml: false }]

t.test('what mail programs quote is cut, above, below and between', async t => {
  const cases: [string, string][] = [
    ['Yes.\n\nOn Mon, Nov 2, 2026 at 10:00 Iago <i@x.test> wrote:\n\n> When?\n> Where?', 'Yes.'],
    ['Ja.\n\nAm 02.11.2026 um 10:00 schrieb Iago:\n> Wann?', 'Ja.'],
    ['Oui.\n\nLe 2 nov. 2026 à 10:00, Iago a écrit :\n> Quand ?', 'Oui.'],
    ['On Mon, Nov 2, 2026 at 10:00 AM Iago\n<i@x.test> wrote:\n> When?\n\nNow.\n\n> Where?\nHere.', 'Now.\n\nHere.'],
    ['Yes.\r\n\r\n-----Original Message-----\r\nFrom: Iago\r\nWhen?', 'Yes.'],
    ['Ja.\n\n-----Ursprüngliche Nachricht-----\nVon: Iago\nWann?', 'Ja.'],
    ['Yes.\n________________________________\nFrom: Iago <i@x.test>\nSent: Monday\nWhen?', 'Yes.'],
    ['Yes.\n\nFrom: Iago <i@x.test>\nSent: Monday\nTo: Ann\n\nWhen?', 'Yes.'],
    ['Yes.\n\nOn Mon, Nov 2, 2026 at 10:00 Iago <i@x.test> wrote:\nWhen?', 'Yes.'],
    ['> When?\nNow.', 'Now.'],
    ['a\n____________________________\nb', 'a\n____________________________\nb'],
    ['From: me\nto you', 'From: me\nto you'],
    ['He wrote:\nhello', 'He wrote:\nhello'],
    ['Agenda:\n\n> quoted', 'Agenda:'],
    ['Agenda:\n\n> quoted\n\nOn Monday, Iago wrote:\n\n> When?\n\n> Where?\nHere.', 'Agenda:\n\n\n\n\nHere.'],
    ['On Monday, Iago\n> quoted\nwrote:\n> When?\n\nNow.', 'Now.'],
    ['5 > 3', '5 > 3'],
    ['', ''],
  ]
  for (const [given, expected] of cases) t.equal(withoutQuotes(given), expected, JSON.stringify(given))
  t.equal(withoutFooter('text\n-- \nname\nplace'), 'text')
  t.equal(withoutFooter('text\n--\nname'), 'text')
  t.equal(withoutFooter('a\n--\nb\n--\nc'), 'a\n--\nb\n--\nc', 'several such lines are no signature')
  t.equal(withoutFooter('a\n---\nb'), 'a\n---\nb')
})

t.test('HTML becomes Markdown', async t => {
  const cases: [string, string][] = [
    ['<p>One</p><p>two<br>three</p>', 'One\n\ntwo\nthree'],
    ['<div>a</div><div>b</div>', 'a\nb'],
    ['<b>bold</b> <em>soft </em>x <del>gone</del><strong></strong>', '**bold** *soft* x ~~gone~~'],
    [
      '<h2>Head</h2><ul><li>a<ul><li>b</li></ul></li></ul><ol><li>c</li><li>d</li></ol>',
      '## Head\n\n* a\n  * b\n\n1. c\n2. d',
    ],
    [
      '<a href="https://x.test/a b">text</a>, <a href="https://x.test">https://x.test</a>',
      '[text](https://x.test/a%20b), https://x.test',
    ],
    ['<a href="javascript:alert(1)">text</a> <a href="mailto:a@x.test">a@x.test</a>', 'text a@x.test'],
    ['<a href="https://x.test">[text]</a>', '[text] (https://x.test)'],
    ['<pre>a\n  b</pre>', '```\na\n  b\n```'],
    ['<blockquote>a<blockquote>b</blockquote></blockquote>c', '````quote\nab\n````\n\nc'],
    ['<style>p { }</style><script>x</script><title>t</title>a&nbsp;&lt;b&gt;', 'a <b>'],
    ['a<div class="gmail_quote"><div>b</div></div>c', 'ac'],
    ['a<blockquote type="cite">b</blockquote>', 'a'],
    ['a<div id="divRplyFwdMsg">From: x</div><p>the whole mail</p>', 'a'],
    ['a<div class="gmail_signature">me</div>', 'a'],
    ['<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\n c'],
    ['<img alt="a picture" src="cid:x">', 'a picture'],
  ]
  for (const [given, expected] of cases) t.equal(htmlToMarkdown(given, nothing), expected, given)
  t.equal(htmlToMarkdown('a<div class="gmail_quote">b</div>', { quotes: true, footer: false }), 'a\nb')
  t.equal(htmlToMarkdown('a<div class="gmail_signature">me</div>', { quotes: false, footer: true }), 'a\nme')
  t.match(htmlToMarkdown(`a${'<div>'.repeat(1_000_000)}`, nothing), 'a', 'nested without end')
})

t.test('a text is cut to what a message has room for', async t => {
  const whole = fitted('head\n', 'x'.repeat(20_000), '\nfiles')
  t.equal(whole.length, 10_000)
  t.match(whole, /^head\nx+\n\[message truncated\]\nfiles$/)
})

t.test('headers are one line of text, whatever they encode', async t => {
  const raw = [
    'From: =?utf-8?Q?Ann=0D=0ABcc:_x@x.test?= <ann@x.test>',
    'Subject: =?utf-8?Q?Re:_FW:_a=0D=0ATo:_b=00?=',
    'Message-ID: <one@x.test>',
    'Auto-Submitted: auto-replied',
    '',
    'text',
  ].join('\r\n')
  const mail = await readMail(Buffer.from(raw), options)
  t.match(mail, {
    messageId: '<one@x.test>',
    subject: 'a To: b',
    texts: ['text'],
    headers: { 'auto-submitted': 'auto-replied' },
  })
  t.notMatch(`${mail.from.name}${mail.from.address}`, /[\r\n]/)
  await t.rejects(
    readMail(Buffer.from(`${'Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n'.repeat(300)}x`), []),
  )
})

t.test('quotations are cut in time in proportion to the text', async t => {
  t.equal(withoutQuotes(`above\n${'\n>\n'.repeat(300_000)}`), 'above')
  t.equal(withoutQuotes(`above:${' '.repeat(300_000)}\n${'>\n\n'.repeat(200_000)}`), 'above:')
})

t.test('a mail that cannot be read is refused; one that took too long may come again', async t => {
  const [reader, hasty] = [new MailReader(), new MailReader(1)]
  t.teardown(() => Promise.all([reader.stop(), hasty.stop()]))
  const failureOf = (mailReader: MailReader, text: string) =>
    mailReader.read({ source: Buffer.from(text), options }).catch((error: unknown) => error)
  const nested = `${'Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n'.repeat(300)}x`
  for (const text of [nested, `\n${'\n>\n'.repeat(60_000)}`])
    t.ok((await failureOf(reader, text)) instanceof UnreadableMail)
  const late = await failureOf(hasty, 'Subject: x\n\ntext')
  t.match(late, { message: /too long/ })
  t.notOk(late instanceof UnreadableMail)
})

t.test('any text can be cut, and any HTML read', async () => {
  const words = fc.constantFrom(
    '> ',
    'On x wrote:',
    '\n',
    '-- ',
    'From: a',
    'Sent: b',
    '<b>',
    '</p>',
    '<a href="',
    '">',
    '<li>',
    'x',
  )
  const text = fc.array(words, { maxLength: 40 }).map(list => list.join(''))
  fc.assert(
    fc.property(text, given => {
      const cut = withoutFooter(withoutQuotes(given))
      return cut.length <= given.length && typeof htmlToMarkdown(given, nothing) === 'string'
    }),
  )
})
