import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import t from 'tap'
import { answerTo, nameValues } from '../../server/text/asked-names.js'
import { beginQuickRendering, type Names } from '../../server/text/markdown.js'
import { noNames } from '../../server/text/names.js'
import type { FromThread, ToThread } from '../../server/text/threads/thread-messages.js'
import { ThreadRenderer } from '../../server/text/threads/thread-renderer.js'
import { organization } from './message-html/organization.js'
import { renderAll } from './render-all.js'
import { linkifier, someNames } from './some-names.js'

const number = { pattern: '#(?P<id>[0-9]+)', url_template: 'https://t.example/i/{id}' }

/** What a thread makes of a text, with messages as they pass between threads. */
function throughThread(content: string, names: Names, renderer = new ThreadRenderer()) {
  const send = (message: ToThread): FromThread => structuredClone(renderer.handle(structuredClone(message)))
  let reply = send({ kind: 'text', content, values: nameValues(names), linkifiers: [number] })
  let rounds = 1
  for (; reply.kind === 'asked'; rounds++) {
    reply = send({ kind: 'answers', answers: new Map(reply.questions.map(one => [one, answerTo(names, one)])) })
  }
  return { rendered: reply.kind === 'rendered' ? reply.rendered : undefined, rounds }
}

const examples = JSON.parse(readFileSync('test/text/message-html/examples.json', 'utf8')) as Record<
  string,
  [source: string, html: string][]
>

t.test('a thread renders each example like the worker', async t => {
  for (const [source, html] of Object.values(examples).flat()) {
    t.equal(throughThread(source, organization).rendered?.html, html, source)
  }
})

t.test('a thread renders whatever is typed like the worker, and notes the same mentions, links and files', async () => {
  const words = [
    ...[
      '@**Mira Solberg** ',
      '@**Mira Solberg|31** ',
      '@**|44** ',
      '@**Tom Ek** ',
      '@*support crew* ',
      '@**all** ',
      '> ',
    ],
    ...[
      '#**design team** ',
      '#**design team>logo v2** ',
      '#**general>** ',
      '#**unknown** ',
      ':party_llama: ',
      ':smile:',
    ],
    ...[
      '![x](/user_uploads/2/ab/chart.png) ',
      '[x](/user_uploads/2/ab/doc.pdf)',
      '#12 ',
      '$$x$$',
      '**',
      '`',
      '\n',
      '|',
      'a ',
    ],
  ]
  const texts = fc.array(fc.constantFrom(...words), { maxLength: 30 }).map(parts => parts.join(''))
  fc.assert(
    fc.property(texts, text => {
      const expected = JSON.stringify(renderAll(text, organization))
      const found = JSON.stringify(throughThread(text, organization).rendered)
      if (found !== expected) throw new Error(`${found} in place of ${expected}`)
    }),
    { numRuns: 500 },
  )
})

t.test('a name that is asked for again and again ends in text, not in endless rounds', async t => {
  let asked = 0
  const changing: Names = {
    ...noNames,
    newestInTopic: () => ++asked,
    channelByName: name => ({ stream_id: ++asked, name }),
  }
  const { rounds } = throughThread('#**a>b** #**c>d**', changing)
  t.ok(rounds <= 4, `${rounds} rounds`)
})

t.test('a renderer refuses answers that it did not ask for', async t => {
  t.throws(() => new ThreadRenderer().handle({ kind: 'answers', answers: new Map() }), /without a question/)
})

t.test('the worker itself renders short texts, plain ones and those that stay as typed', async t => {
  for (const text of ['**short** :smile: @**Ann Lee**', 'word '.repeat(2000).trim(), `${'a\n'.repeat(4000)}`]) {
    t.ok(beginQuickRendering(text, someNames), text.slice(0, 20))
  }
})

t.test('a thread renders long texts with markup, and short ones with many matches of linkifiers', async t => {
  for (const unit of ['*a* ', '> ', '👍', '[', '@**Ann Lee** ', 'a\n\n', 'é.org,', '- a\n']) {
    t.equal(beginQuickRendering(unit.repeat(1001 / unit.length + 1), someNames), undefined, unit)
  }
  const { linkifiers } = organization
  t.equal(beginQuickRendering('#1 '.repeat(330), { ...someNames, linkifiers }), undefined)
  t.ok(beginQuickRendering('#1 '.repeat(50), { ...someNames, linkifiers }))
  t.ok(
    beginQuickRendering('#1 '.repeat(330), { ...someNames, linkifiers: [linkifier(/#1/g, '/')] }),
    'no steps, no limit',
  )
})
