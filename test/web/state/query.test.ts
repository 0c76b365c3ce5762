import t from 'tap'
import { meantBy, queryOf, tokensOf } from '../../../server/web/state/query.js'
import { suggestionsFor } from '../../../server/web/state/search-suggestions.js'
import type { UserObject } from '../../../shared/resources/user.js'
import { message, play, sent, someState } from './state.js'

const state = someState()
const people = ['Ada Lovelace', 'Bob "the" Kahn', 'Ada Lovelace', 'me'].entries()
for (const [index, full_name] of people)
  state.realm_users[10 + index] = { user_id: 10 + index, full_name, is_bot: false, role: 400 } as UserObject
play(
  state,
  sent(message({ id: 101, subject: 'release notes' })),
  sent(message({ id: 102, stream_id: 6, subject: 'x' })),
)

const terms = (text: string) =>
  queryOf(state, text).terms.map(
    ({ operator, operand, negated }) => `${negated ? '-' : ''}${operator}=${JSON.stringify(operand)}`,
  )

t.test('operators become conditions, and all other words one search', async t => {
  for (const [text, wanted] of [
    ['two words', ['search="two words"']],
    ['"a phrase" and more', ['search="\\"a phrase\\" and more"']],
    ['sender:me x', ['sender=1', 'search="x"']],
    ['from:ME', ['sender=1']],
    ['sender:"Person 2"', ['sender=2']],
    ['sender:@2', ['sender=2']],
    ['sender:"Ada Lovelace|12"', ['sender=12']],
    ['sender:"Bob \\"the\\" Kahn"', ['sender=11']],
    ['channel:"channel 5" topic:"release notes"', ['channel=5', 'topic="release notes"']],
    ['channel:5', ['channel=5']],
    ['stream:"#CHANNEL 6"', ['channel=6']],
    ['topic:""', ['topic=""']],
    ['-has:link IS:unread', ['-has="link"', 'is="unread"']],
    ['in:all channels:public', ['in="all"', 'channels="public"']],
    ['dm:"2, Person 3"', ['dm=[2,3]']],
    ['id:7', ['id=7']],
    ['https://example.org/a:b at 10:30', ['search="https://example.org/a:b at 10:30"']],
    [':smile: -word', ['search=":smile: -word"']],
    ['', []],
  ] as const)
    t.same(terms(text), wanted, text)
})

t.test('before and after are a day of the user', async t => {
  const start = JSON.stringify(new Date('2026-01-31T00:00:00').toISOString())
  t.same(terms('before:2026-01-31 -after:2026-01-31 x'), [`before=${start}`, `-after=${start}`, 'search="x"'])
  for (const text of ['before:yesterday', 'after:2026-02-30', 'before:'])
    t.match(queryOf(state, text).problem, /a date has to follow/, text)
})

t.test('mistyped operators are corrected, and only these', async t => {
  for (const [text, meant] of [
    ['form:me x', 'from:me x'],
    ['x -sendr:"Person 2"  bfore:2026-01-31', 'x -sender:"Person 2"  before:2026-01-31'],
    ['CHANEL:5', 'channel:5'],
    ['what:x', undefined],
    ['from:me "form:x"', undefined],
    ['https://example.org/a:b at 10:30', undefined],
    ['', undefined],
  ] as const)
    t.equal(meantBy(text), meant, text)
})

t.test('a day and a message say where to begin', async t => {
  t.equal(queryOf(state, 'date:2026-01-31 x').since, new Date('2026-01-31T00:00:00').toISOString())
  t.match(queryOf(state, 'near:17'), { near: 17, terms: [] })
})

t.test('what cannot be looked for is explained', async t => {
  for (const [text, problem] of [
    ['is:what', /“is:what”: choose one of unread, starred/],
    ['has:', /choose one of link/],
    ['channel:nowhere', /no channel/],
    ['sender:Nobody', /no person/],
    ['sender:"Ada Lovelace"', /several people/],
    ['sender:99999', /no person/],
    ['dm:2,99', /no person/],
    ['near:x', /number/],
    ['date:2026-13-01', /date/],
    ['date:tomorrow', /date/],
    ['date:2026-02-30', /date/],
    ['id:99999999999999999999', /number/],
  ] as const)
    t.match(queryOf(state, text).problem, problem, text)
  t.match(queryOf(state, 'toString:x constructor:y z'), { unknown: ['tostring', 'constructor'], problem: undefined })
  t.same(terms('what:x y'), ['search="what:x y"'], 'an unknown operator is a word')
})

t.test('no text takes long to read', async t => {
  for (const text of ['"'.repeat(1000), 'a:"'.repeat(333), '\\"'.repeat(500), '-'.repeat(1000), 'a-'.repeat(500)])
    t.ok(tokensOf(text).length >= 0)
})

const suggested = (text: string, cursor = text.length) => suggestionsFor(state, text, cursor, new Date(2026, 0, 31))
const labels = (text: string) => suggested(text).map(one => one.label)

t.test('suggestions complete what is typed', async t => {
  t.same(labels('').slice(0, 4), ['sender:', 'channel:', 'topic:', 'has:'])
  t.same(labels('dm'), ['dm:', 'dm-including:'])
  t.same(labels('xyz'), [])
  t.same(labels('has:'), ['has:link', 'has:image', 'has:attachment', 'has:reaction'])
  t.same(labels('-is:un'), ['is:unread'])
  t.equal(suggested('-is:un')[0]?.text, '-is:unread ')
  t.same(labels('sender:ada'), ['sender:"Ada Lovelace|10"', 'sender:"Ada Lovelace|12"'])
  t.same(labels('sender:m').slice(0, 2), ['sender:me', 'sender:me|13'])
  t.same(labels('channel:"channel 5'), ['channel:"channel 5"'])
  t.same(labels('channel:"channel 5" topic:'), ['topic:"release notes"'])
  t.match(labels('date:'), ['date:2026-01-31', 'date:2026-01-30', 'date:2026-01-24'])
})

t.test('a suggestion changes only what the cursor is at', async t => {
  const [first] = suggested('a has:im b', 8)
  t.match(first, { text: 'a has:image b', cursor: 11 })
  t.match(suggested('word ')[0], { text: 'word sender:', cursor: 12 })
  t.match(suggested('se')[0], { text: 'sender:', cursor: 7 })
})

t.test('each suggestion is understood', async t => {
  for (const text of ['sender:', 'channel:', 'has:', 'is:', 'date:', 'in:', 'channels:'])
    for (const { text: whole } of suggested(text)) t.equal(queryOf(state, whole).problem, undefined, whole)
})
