import t from 'tap'
import type { Narrow } from '../../../server/web/state/narrow.js'
import { filtersOf, placeOfSearch, searchBoxAct, searchFor } from '../../../server/web/state/search.js'

const topic: Narrow = { kind: 'topic', channelId: 5, topic: 'tea' }

t.test('a search begins in the open channel, topic or conversation', async t => {
  for (const narrow of [topic, { kind: 'channel', channelId: 5 }, { kind: 'direct', key: '1,2' }] as const)
    t.same(placeOfSearch(narrow), narrow)
})

t.test('a search in results stays in the place of these results', async t => {
  t.same(placeOfSearch({ kind: 'search', words: 'cup', within: topic }), topic)
  t.equal(placeOfSearch({ kind: 'search', words: 'cup' }), undefined)
})

t.test('views of several places limit no search', async t => {
  for (const kind of ['inbox', 'recent', 'all', 'mentions', 'starred'] as const)
    t.equal(placeOfSearch({ kind }), undefined)
  t.equal(placeOfSearch(undefined), undefined)
})

t.test('a search has its words without spaces around, and its place if there is one', async t => {
  t.same(searchFor(' cup ', topic), { kind: 'search', words: 'cup', within: topic })
  t.strictSame(Object.keys(searchFor('cup', undefined) ?? {}), ['kind', 'words'])
})

t.test('without words there is no search', async t => {
  t.equal(searchFor('  ', topic), undefined)
})

t.test('Escape leaves the box, whatever is chosen', async t => {
  t.equal(searchBoxAct('Escape', true), 'leave')
  t.equal(searchBoxAct('Escape', false), 'leave')
})

t.test('Enter and Tab take the chosen suggestion, and without one do what they do in any form', async t => {
  for (const key of ['Enter', 'Tab']) {
    t.equal(searchBoxAct(key, true), 'take')
    t.equal(searchBoxAct(key, false), undefined)
  }
  t.equal(searchBoxAct('x', true), undefined)
})

t.test('each operator can be taken from a search', async t => {
  t.same(filtersOf('a word "and: a" phrase http://x.example'), [])
  t.same(filtersOf('one sender:"Bob Kahn"  two -has:link'), [
    { text: 'sender:"Bob Kahn"', rest: 'one two -has:link' },
    { text: '-has:link', rest: 'one sender:"Bob Kahn"  two' },
  ])
  t.same(filtersOf('is:starred'), [{ text: 'is:starred', rest: '' }])
})
