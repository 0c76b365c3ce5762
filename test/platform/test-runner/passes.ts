import t from 'tap'
import { note } from '../../support/recorded-facts.js'

t.test('two asserts', async t => {
  t.ok(true)
  t.ok(true)
})
t.test('what the machine lacks', { skip: 'needs another machine' }, async () => undefined)
note('a fact')
t.comment('what people are to see')
