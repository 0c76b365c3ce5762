import fc from 'fast-check'
import { Parser } from 'htmlparser2'
import t from 'tap'
import { renderAtOnce } from '../../server/text/markdown.js'
import { noNames } from '../../server/text/names.js'
import { channelReference } from '../../shared/resources/channel-reference.js'
import { channelUrl, topicUrl } from '../../shared/resources/hash-links.js'

/** The links of a rendered reference, and all its text. */
function rendered(name: string, topic?: string): { hrefs: string[]; text: string } {
  const channel = { stream_id: 7, name }
  const names = {
    ...noNames,
    channelByName: (asked: string) => (asked === name ? channel : undefined),
    emptyTopicName: 'general chat',
  }
  const hrefs: string[] = []
  let text = ''
  const parser = new Parser({
    onopentag: (_tag, { href }) => {
      if (href !== undefined) hrefs.push(href)
    },
    ontext: part => {
      text += part
    },
  })
  parser.end(renderAtOnce(channelReference(channel, topic), names).html)
  return { hrefs, text }
}

const channel = (name: string) => ({ stream_id: 7, name })

t.test('a reference leads to its channel or topic, whatever their names are', async t => {
  for (const name of ['general', 'a > b', '**bold**', 'x*', '`code`', '$$f$$', '&amp; <b>', 'a_b', 'c|d', '[x](y)']) {
    t.same(rendered(name), { hrefs: [channelUrl(channel(name))], text: `#${name}` }, name)
    for (const topic of [
      'lunch',
      '**bold**',
      'ends with @7',
      'a > b',
      '`x',
      '$$f$$',
      '[x](y)',
      '@**all**',
      ':tada:',
      'https://a.example/x',
    ]) {
      t.same(rendered(name, topic), { hrefs: [topicUrl(channel(name), topic)], text: `#${name} > ${topic}` }, topic)
    }
  }
})

t.test('usual names are written as people write them', async t => {
  t.equal(channelReference(channel('ops room')), '#**ops room**')
  t.equal(channelReference(channel('ops room'), 'a > b'), '#**ops room>a > b**')
  t.equal(channelReference(channel('ops room'), ''), '#**ops room>**')
})

t.test('the same for names of any characters', async () => {
  const sign = fc.constantFrom(...'*>`$@#&<[]()|:~_\\!7 a'.split(''))
  const name = fc
    .string({ unit: sign, minLength: 1, maxLength: 12 })
    .filter(text => text.trim() === text && !/ {2}/.test(text))
  fc.assert(
    fc.property(name, fc.option(name, { nil: undefined }), (one, topic) => {
      const { hrefs, text } = rendered(one, topic)
      const href = topic === undefined ? channelUrl(channel(one)) : topicUrl(channel(one), topic)
      return (
        hrefs.length === 1 && hrefs[0] === href && text === (topic === undefined ? `#${one}` : `#${one} > ${topic}`)
      )
    }),
    { numRuns: 500 },
  )
})
