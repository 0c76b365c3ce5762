// Searches and messages that no person writes: they find what they say, or nothing, or are refused.
import t from 'tap'
import { startServer } from '../../support/server.js'
import { channelOf, people, refused, say } from './scene.js'

const server = await startServer(t)
const [reader] = await people(server, 1)
const channel = await channelOf([reader])
const texts: Readonly<Record<string, string>> = {
  percent: '100 % sure',
  underscore: 'snake_case_name',
  star: '2 * 3 = 6',
  stop: 'the a is of to',
  operators: 'rock & roll | jazz ! blues',
  quotes: `it's "quoted" text`,
  backslash: 'C:\\temp\\new',
  plain: 'nothing special',
}
const names = new Map<number, string>()
for (const [name, text] of Object.entries(texts)) names.set(await say(reader, channel.id, text), name)

const page = (text: string) =>
  reader.get('/messages', { anchor: 'newest', num_before: 100, narrow: [['search', text]] })
const found = async (text: string) => {
  const { status, body } = await page(text)
  if (status !== 200) throw new Error(`${text.slice(0, 20)}: ${status} ${body.code}`)
  const { count } = await reader.ok('GET', '/messages/search_summary', { narrow: [['search', text]], num_relevant: 9 })
  if (count !== body.messages.length) throw new Error(`${text.slice(0, 20)}: the summary counts ${count}`)
  return body.messages.map(({ id }: { id: number }) => names.get(id) ?? id)
}

t.test('a thousand characters of each script, and five hundred words, find nothing; more are refused', async t => {
  for (const unit of ['x', '上', 'ア', 'あ', '안', 'ก', 'я', 'ع', 'א', 'क', 'ω', '🎉', '-', 'é', 'x.', '上 ', 'z '])
    t.same(await found([...unit.repeat(1000)].slice(0, 1000).join('')), [], `${unit} again and again`)
  t.same(await found(Array.from({ length: 250 }, (_, i) => i.toString(36)).join(' ')), [])
  for (const text of ['x'.repeat(1001), '上'.repeat(1001), 'a '.repeat(501), '"a" '.repeat(600), '"'.repeat(1000)])
    t.match(await page(text), refused('BAD_NARROW', { desc: String }))
})

t.test('signs, wildcards, operators of the database and stop words mean themselves', async t => {
  for (const [text, ...wanted] of [
    ['%', 'percent'],
    ['_', 'underscore'],
    ['*', 'star'],
    ['\\', 'backslash'],
    ['???'],
    ['.,;:!?'],
    ['%%%'],
    ["'", 'quotes'],
    ['the', 'stop'],
    ['the a is of to', 'stop'],
    ['"the a is"', 'stop'],
    ['rock & roll', 'operators'],
    ['rock <-> roll', 'operators'],
    ['rock | special'],
    ['!rock', 'operators'],
    ['roc:*', 'operators'],
    ["rock' | 'special"],
    ["'special'::tsquery"],
    ['special:A'],
    ['#12/1'],
    ['#before'],
    ['#link'],
    ["it's", 'quotes'],
    ['"quoted', 'quotes'],
    ['""'],
    ['temp\\new', 'backslash'],
    ['or'],
    ['or or or'],
    ['-'],
    ['$1'],
    ['; drop table messages'],
  ] as const) {
    // Marks of the index are no words: `#before` is the word `before`.
    t.same(await found(text), wanted, text)
  }
})

t.test('characters that are not seen are no words, and the null byte is refused', async t => {
  for (const text of ['\u202e', '\u2066\u2069', '\u200b\u200d', '\ud800', '\udfff\ud800'])
    t.same(await found(text), [], JSON.stringify(text))
  t.same(await found('spe\u200dcial'), ['plain'], 'within a word they change nothing')
  t.same(await found('\u202especial\u202c'), ['plain'])
  for (const text of ['\0', 'a\0b', '\ufeff', ' \u00a0'])
    t.match(await page(text), refused('BAD_NARROW', { desc: String }))
})

t.test('the longest messages are found by their words', async t => {
  const long = await say(reader, channel.id, 'q'.repeat(10_000))
  t.same(await found('q'.repeat(64)), [long])
  t.same(await found('q'.repeat(1000)), [long], 'words are compared up to a length')
  const words = Array.from({ length: 2000 }, (_, i) => `w${i.toString(36).padStart(3, '0')}`)
  const many = await say(reader, channel.id, words.join(' '))
  for (const i of [0, 1000, 1999]) t.same(await found(`"${words[i]}"`), [many], `word ${i}`)
  const han = await say(reader, channel.id, `${'上海'.repeat(4990)}东京`)
  t.same(await found('海东京'), [han])
  t.same(await found('"海上海上"'), [han])
})
