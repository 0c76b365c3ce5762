import t, { type Test } from 'tap'
import { budgets } from '../../server/config/budgets.js'
import { parseNarrow } from '../../server/narrow/grammar/grammar.js'
import { refusal } from '../text/refusal.js'

const one = (operator: string, operand: unknown) => {
  const [term] = parseNarrow([{ operator, operand }])
  return { operator: term?.operator, operand: term?.operand }
}
const refuse = (t: Test, value: unknown, message?: string) => {
  t.type(
    refusal(() => parseNarrow(value)),
    'string',
    message ?? JSON.stringify(value),
  )
}

t.test('pairs and objects are terms', async t => {
  t.same(parseNarrow([['channel', 'ops'], { operator: 'is', operand: 'starred', negated: true }]), [
    { operator: 'channel', operand: 'ops', negated: false },
    { operator: 'is', operand: 'starred', negated: true },
  ])
})

t.test('no narrow is no terms', async t => {
  t.same(parseNarrow(null), [])
  t.same(parseNarrow(undefined), [])
  t.same(parseNarrow([]), [])
})

t.test('older names mean the same', async t => {
  t.same(one('stream', 3), { operator: 'channel', operand: 3 })
  t.same(one('subject', ''), { operator: 'topic', operand: '' })
  t.same(one('pm-with', 'a@x.org, b@x.org'), { operator: 'dm', operand: ['a@x.org', 'b@x.org'] })
  t.same(one('from', 'me'), { operator: 'sender', operand: 'me' })
  t.same(one('is', 'private'), { operator: 'is', operand: 'dm' })
  t.same(one('streams', 'public'), { operator: 'channels', operand: 'public' })
})

t.test('digits are an id of a person or a message, but may be the name of a channel', async t => {
  t.same(one('dm', '5,6'), { operator: 'dm', operand: [5, 6] })
  t.same(one('dm', [5, 6]), { operator: 'dm', operand: [5, 6] })
  t.same(one('dm-including', 5), { operator: 'dm-including', operand: [5] })
  t.same(one('group-pm-with', 5), { operator: 'group-pm-with', operand: [5] })
  t.same(one('sender', '7'), { operator: 'sender', operand: 7 })
  t.same(one('mentions', 7), { operator: 'mentions', operand: 7 })
  for (const operator of ['id', 'with']) t.same(one(operator, '12'), { operator, operand: 12 })
  t.same(one('near', 'x'), { operator: 'near', operand: 'x' })
  t.same(one('channel', '2024'), { operator: 'channel', operand: '2024' })
})

t.test('every operand of a closed set is known', async t => {
  for (const word of ['dm', 'starred', 'mentioned', 'alerted', 'unread', 'resolved', 'followed', 'muted']) {
    t.same(one('is', word), { operator: 'is', operand: word })
  }
  for (const word of ['link', 'image', 'attachment', 'reaction']) t.same(one('has', word).operand, word)
  for (const word of ['home', 'all']) t.same(one('in', word).operand, word)
  for (const word of ['public', 'web-public', 'archived']) t.same(one('channels', word).operand, word)
})

t.test('what is no list of terms is refused', async t => {
  for (const value of ['x', 5, {}, [5], [null], ['is:dm'], [['is']], [['is', 'dm', 'x']], [{}], [{ operand: 'x' }]]) {
    refuse(t, value)
  }
})

t.test('terms, characters and phrases beyond a budget are refused with the budget in the words', async t => {
  const { narrowTerms, narrowCharacters, searchCharacters, searchPhrases } = budgets
  const told = (terms: unknown) => refusal(() => parseNarrow(terms))
  const phrases = (count: number) => '"a" '.repeat(count)
  const topics = (characters: number) => [['topic', '👍'.repeat(characters)]]
  t.equal(parseNarrow(Array(narrowTerms.most).fill(['is', 'dm'])).length, narrowTerms.most)
  t.match(told(Array(narrowTerms.most + 1).fill(['is', 'dm'])), /more than 50 terms/)
  t.equal(parseNarrow(topics(narrowCharacters.most)).length, 1)
  t.match(told(topics(narrowCharacters.most + 1)), /more than 10000 characters/)
  t.match(
    told([{ operator: 'dm', operand: Array(narrowCharacters.most + 1).fill(1) }]),
    /more than 10000 characters/,
    'items of a list count, too',
  )
  t.match(told([['x'.repeat(narrowCharacters.most), 'x']]), /^unknown operator 'x{50}'$/, 'nothing so long comes back')
  t.equal(parseNarrow([['search', 'x'.repeat(searchCharacters.most)]]).length, 1)
  const halves = Array(2).fill(['search', 'x'.repeat(searchCharacters.most / 2 + 1)])
  t.match(told(halves), /more than 1000 characters to search for/, 'the terms count together')
  t.equal(parseNarrow([['search', phrases(searchPhrases.most)]]).length, 1)
  t.match(told([['search', phrases(searchPhrases.most + 1)]]), /more than 10 phrases/)
  t.match(told(Array(2).fill(['search', phrases(6)])), /more than 10 phrases/)
})

t.test('`with` names a place, so it cannot be negated', async t => {
  t.equal(
    refusal(() => parseNarrow([{ operator: 'with', operand: 5, negated: true }])),
    "invalid 'with' operator",
  )
  t.match(parseNarrow([{ operator: 'with', operand: 5, negated: false }]), [{ operator: 'with', negated: false }])
})

t.test('an unknown operator is refused', async t => {
  for (const operator of ['', 'constructor', '__proto__', 'Channel', 'toString', '-is']) refuse(t, [[operator, 'x']])
  refuse(t, [[5, 'x']])
})

t.test('an operator that is mistyped is refused with the one that was probably meant', async t => {
  t.equal(
    refusal(() => parseNarrow([['form', 'x']])),
    "unknown operator 'form', did you mean 'from'?",
  )
  t.equal(
    refusal(() => parseNarrow([['sendr', 'x']])),
    "unknown operator 'sendr', did you mean 'sender'?",
  )
})

t.test('before and after take a time, once', async t => {
  const operand = new Date('2026-01-31T10:00:00Z')
  t.match(parseNarrow([['before', '2026-01-31T12:00:00+02:00']]), [{ operator: 'before', operand, negated: false }])
  t.match(parseNarrow([{ operator: 'after', operand: '2026-01-31 10:00', negated: true }]), [
    { operand, negated: true },
  ])
  for (const text of ['', 'soon', '2026-02-30', '2026-01-31T24:00', '0000-01-01', '\0']) refuse(t, [['before', text]])
  for (const one of ['before', 'after'])
    refuse(t, [[one, '2026-01-31'], { operator: one, operand: '2026-01-30', negated: true }])
})

t.test('an operand of another type is refused', async t => {
  for (const operator of [
    'channel',
    'topic',
    'search',
    'dm',
    'sender',
    'is',
    'has',
    'in',
    'channels',
    'id',
    'with',
    'before',
    'after',
  ]) {
    for (const operand of [null, undefined, true, {}, 1.5, [[]], [null]]) refuse(t, [{ operator, operand }])
  }
  refuse(t, [['topic', 5]])
  refuse(t, [['search', 'a\0b']])
  refuse(t, [['sender', '']])
})

t.test('an operand that is nested deeper than a stack goes is refused like any other', async t => {
  const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))
  for (const operator of ['is', 'has', 'in', 'channels', 'channel', 'topic', 'dm', 'sender', 'id', 'search']) {
    refuse(t, [{ operator, operand: deep }], operator)
  }
  refuse(t, deep, 'the narrow itself')
})

t.test('an unknown operand of a closed set is refused', async t => {
  for (const term of [
    ['is', 'x'],
    ['is', 'constructor'],
    ['has', 'links'],
    ['in', 'x'],
    ['channels', 'private'],
  ]) {
    refuse(t, [term])
  }
})

t.test('a number that is no id is refused', async t => {
  for (const operator of ['id', 'with']) {
    for (const operand of ['', 'x', '-1', -1, '1e3', 1.5, '0x1', Number.NaN, 2 ** 60, '99999999999999999']) {
      refuse(t, [{ operator, operand }])
    }
  }
  refuse(t, [{ operator: 'sender', operand: -1 }])
  refuse(t, [{ operator: 'dm', operand: [1, -2] }])
})

t.test('a negation that is neither true nor false is refused', async t => {
  refuse(t, [{ operator: 'is', operand: 'dm', negated: 'yes' }])
})

t.test('two conversations at once are refused', async t => {
  refuse(t, [
    ['with', '1'],
    ['with', '2'],
  ])
})

t.test('a refusal says what was wrong', async t => {
  t.equal(
    refusal(() => parseNarrow([['nope', 'x']])),
    "unknown operator 'nope'",
  )
})
