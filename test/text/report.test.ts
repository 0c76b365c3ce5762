import fc from 'fast-check'
import t from 'tap'
import { renderAtOnce } from '../../server/text/markdown.js'
import { pageLanguages } from '../../server/text/page-language.js'
import { plainMarkdown } from '../../server/text/quote.js'
import { reportText } from '../../server/text/report.js'
import { codePoints, limits } from '../../shared/limits.js'
import { someNames } from './some-names.js'

/** Texts that try to end what they are quoted in. */
const nasty = (max: number) =>
  fc
    .array(
      fc.constantFrom(
        '```',
        '````',
        '~~~',
        '`',
        '``',
        'quote',
        'spoiler x',
        '\n',
        '\n\n',
        ' ',
        '> ',
        '- ',
        '@**all**',
        '@**topic**',
        '*',
        'x',
      ),
      {
        maxLength: max,
      },
    )
    .map(parts => parts.join(''))

const report = {
  reporter: '@_**|1**',
  sender: '@_**|2**',
  place: { channel: plainMarkdown('#a > b') },
  url: '/#narrow/x',
  type: 'spam',
} as const

t.test('quoted mentions notify no user', async t => {
  fc.assert(
    fc.property(nasty(30), nasty(10), (content, description) => {
      const { mentions, html } = renderAtOnce(
        `${reportText('en', { ...report, content, description })}\nend`,
        someNames,
      )
      return !mentions.channelWildcard && !mentions.topicWildcard && html.endsWith('<p>end</p>')
    }),
    { numRuns: 500, examples: [['~~~\n``````', '~~~']] },
  )
  t.pass()
})

t.test('a name in a report stands for itself', async t => {
  fc.assert(
    fc.property(nasty(12), name => {
      const text = name.replaceAll('\n', '').trim()
      fc.pre(text !== '')
      const { mentions, html } = renderAtOnce(`in ${plainMarkdown(text)}.`, someNames)
      // Next to the marks of the code a backtick needs a space.
      const shown = (/^`|`$/.test(text) ? ` ${text} ` : text).replaceAll('&', '&amp;').replaceAll('>', '&gt;')
      return !mentions.channelWildcard && !mentions.topicWildcard && html === `<p>in <code>${shown}</code>.</p>`
    }),
    { numRuns: 500 },
  )
  t.pass()
})

t.test('a report is never longer than a message', async t => {
  for (const language of pageLanguages) {
    for (const content of ['x'.repeat(limits.max_message_length), '`'.repeat(limits.max_message_length)]) {
      const description = '`'.repeat(limits.report_description_length)
      const text = reportText(language, { ...report, content, description })
      t.ok(codePoints(text) <= limits.max_message_length, `${codePoints(text)}`)
      t.match(text, /`$/)
    }
  }
})
