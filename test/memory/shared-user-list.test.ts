import fc from 'fast-check'
import t from 'tap'
import { SharedUserList } from '../../server/memory/shared-user-list.js'
import type { UserRow } from '../../server/store/users/users.js'

const row = (id: number, full_name: string): UserRow => ({ id, full_name }) as UserRow
const textOf = ({ id, full_name }: UserRow): string => JSON.stringify({ id, full_name })
const shown = (list: SharedUserList): unknown => JSON.parse(Buffer.from(list.bytes).toString())
const wanted = (rows: readonly UserRow[]): unknown => rows.map(({ id, full_name }) => ({ id, full_name }))

// Distant and adjacent ids, so that blocks are empty, full, appear and disappear.
const people = fc.uniqueArray(fc.record({ id: fc.integer({ min: 1, max: 400 }), full_name: fc.string() }), {
  selector: one => one.id,
  maxLength: 200,
})
const sorted = (rows: { id: number; full_name: string }[]) =>
  rows.map(one => row(one.id, one.full_name)).sort((a, b) => a.id - b.id)

t.test('a list made from the one before holds exactly the users that are there now', async t => {
  fc.assert(
    fc.property(people, people, (first, second) => {
      const before = sorted(first)
      // Some users unchanged, some changed, some new, some removed.
      const kept = before.filter(user => user.id % 3 !== 0)
      const ids = new Set(kept.map(user => user.id))
      const now = [...kept, ...sorted(second).filter(user => !ids.has(user.id))].sort((a, b) => a.id - b.id)
      const list = SharedUserList.of(now, textOf, SharedUserList.of(before, textOf))
      t.same(shown(list), wanted(now))
    }),
    { numRuns: 200 },
  )
})

t.test('what did not change is not encoded again', async t => {
  const rows = Array.from({ length: 1000 }, (_, i) => row(i + 1, `Person ${i}`))
  const before = SharedUserList.of(rows, textOf)
  let encoded = 0
  const counting = (user: UserRow) => {
    encoded++
    return textOf(user)
  }
  t.equal(SharedUserList.of([...rows], counting, before), before)
  t.equal(encoded, 0)
  const changed = rows.with(500, row(501, 'Another'))
  t.same(shown(SharedUserList.of(changed, counting, before)), wanted(changed))
  t.ok(encoded <= 64, `${encoded} of 1000`)
})

t.test('one user has another form for itself, and all others the shared form', async t => {
  fc.assert(
    fc.property(people, fc.integer({ min: 1, max: 400 }), (given, own) => {
      const rows = sorted(given)
      const special = (user: UserRow) => (user.id === own ? textOf({ ...user, full_name: 'me' }) : textOf(user))
      const pieces = SharedUserList.of(rows, textOf).with(own, special)
      const text = pieces.map(piece => Buffer.from(piece as string).toString()).join('')
      t.same(JSON.parse(text), wanted(rows.map(user => (user.id === own ? row(own, 'me') : user))))
    }),
  )
})
