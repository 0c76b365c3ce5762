import fc from 'fast-check'
import t from 'tap'
import { checkContent, checkTopic, truncate, wellFormed } from '../../server/text/content.js'
import { codePoints } from '../../shared/limits.js'

const topic = (text: string) => checkTopic(text, 'general chat')

t.test('content loses the newlines before it and the space after it', async t => {
  t.same(checkContent('\n\n  code\n \n'), { ok: true, text: '  code' })
  t.same(checkContent('a'), { ok: true, text: 'a' })
})

t.test('content of nothing is refused', async t => {
  for (const text of ['', ' ', '\n', ' \n\t ']) t.same(checkContent(text), { ok: false, problem: 'content_empty' })
})

t.test('content with a NUL is refused', async t => {
  t.same(checkContent('a\0b'), { ok: false, problem: 'content_has_nul' })
  t.same(checkContent('\0'), { ok: false, problem: 'content_has_nul' })
})

t.test('content of the greatest length stays whole, longer content is cut', async t => {
  t.same(checkContent('x'.repeat(10_000)), { ok: true, text: 'x'.repeat(10_000) })
  t.same(checkContent('👍'.repeat(10_000)), { ok: true, text: '👍'.repeat(10_000) })
  const cut = checkContent('👍'.repeat(10_001))
  t.ok(cut.ok && cut.text.endsWith('👍\n[message truncated]') && codePoints(cut.text) === 10_000)
})

t.test('half a surrogate pair is replaced', async t => {
  t.same(checkContent('a\ud83d'), { ok: true, text: 'a\ufffd' })
  t.equal(wellFormed('👍'), '👍')
})

t.test('a topic is trimmed, and cut where it is too long', async t => {
  t.same(topic('  lunch '), { ok: true, text: 'lunch' })
  t.same(topic('x'.repeat(60)), { ok: true, text: 'x'.repeat(60) })
  t.same(topic('x'.repeat(61)), { ok: true, text: `${'x'.repeat(57)}...`, uncut: 'x'.repeat(61) })
})

t.test('the empty topic has three names', async t => {
  for (const text of ['', '  ', '(no topic)', 'general chat', ' general chat ']) {
    t.same(topic(text), { ok: true, text: '' }, text)
  }
  t.same(topic('General chat'), { ok: true, text: 'General chat' })
})

t.test('a topic of characters that cannot be shown is refused', async t => {
  for (const text of ['a\nb', 'a\0b', 'a\u0007', '\ud83d', 'a\ufffeb', 'a\u{1ffff}b', 'a\u0085b']) {
    t.same(topic(text), { ok: false, problem: 'topic_not_printable' }, JSON.stringify(text))
  }
})

t.test('cut text is never longer than it may be', async () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 3, max: 30 }), (text, max) => {
      const cut = truncate(text, max, '...')
      return codePoints(cut) <= max && (cut === text || cut.endsWith('...'))
    }),
  )
})
