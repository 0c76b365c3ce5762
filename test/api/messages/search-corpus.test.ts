// What people find among messages in many languages: each file beside has messages, and what must be found for each search.
import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { inBatches } from '../../../server/admin/seed/in-batches.js'
import { startServer } from '../../support/server.js'
import { channelOf, each, people, say } from './scene.js'

interface Corpus {
  readonly messages: Readonly<Record<string, string>>
  readonly questions: Readonly<Record<string, readonly string[]>>
}

// What these find is the target of a link, the source of a formula, or an emoji that the text names.
const unmarked = ['fire-drill', 'wiki', 'omega', '🎉', '👍']
const folder = 'test/api/messages/search-corpus'
const corpora = readdirSync(folder).map(file => ({
  file,
  corpus: JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')) as Corpus,
}))

const server = await startServer(t)
const [reader] = await people(server, 1)
const channel = await channelOf([reader])
const names = new Map<number, string>()
const sums = { found: 0, wanted: 0, right: 0, questions: 0 }

for (const { file, corpus } of corpora)
  t.test(`the messages of ${file} are sent`, async () => {
    const sent = Object.entries(corpus.messages).map(async ([name, content]) => {
      names.set(await say(reader, channel.id, content), name)
    })
    await Promise.all(sent)
  })

for (const { file, corpus } of corpora)
  t.test(`the questions of ${file} find what they should, and nothing else`, async t => {
    const answers = []
    for (const some of inBatches(Object.entries(corpus.questions), 8)) answers.push(...(await each(some, answerTo)))
    for (const { question, wanted, messages } of answers) {
      const found = messages.map(({ id }: { id: number }) => names.get(id)) as string[]
      sums.found += found.length
      sums.wanted += wanted.length
      sums.right += found.filter(name => wanted.includes(name)).length
      sums.questions++
      t.same(found.sort(), [...wanted].sort(), question)
      if (unmarked.includes(question)) continue
      for (const { id, match_content } of messages)
        t.match(match_content, 'class="highlight"', `${question} is marked in ${names.get(id)}`)
    }
  })

const answerTo = async ([question, wanted]: [string, readonly string[]]) => {
  const page = { anchor: 'newest', num_before: 100, narrow: [['search', question]] }
  return { question, wanted, messages: (await reader.ok('GET', '/messages', page)).messages }
}

await t.test('there are so many of both', async t => {
  t.ok(names.size >= 300)
  t.ok(sums.questions >= 400)
})

const share = (of: number) => `${((100 * sums.right) / of).toFixed(1)} %`
t.comment(
  `${names.size} messages, ${sums.questions} questions: precision ${share(sums.found)}, recall ${share(sums.wanted)}`,
)
