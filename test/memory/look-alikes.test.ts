import fc from 'fast-check'
import t from 'tap'
import { LookAlikes } from '../../server/memory/look-alikes.js'

interface Named {
  id: number
  name: string
}

t.test('whatever comes and changes, what is found is what looking through all rows finds', async () => {
  const looksOf = ({ name }: { name: string }) => (name === '' ? [] : [...new Set([name[0] ?? '', name])])
  const row = fc.record({
    id: fc.integer({ min: 1, max: 4 }),
    name: fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 2 }),
  })
  fc.assert(
    fc.property(fc.array(row, { maxLength: 20 }), fc.nat(20), (changes, firstAsked) => {
      const rows = new Map<number, Named>()
      const alike = new LookAlikes(() => rows.values(), looksOf)
      for (const [i, change] of changes.entries()) {
        const before = rows.get(change.id)
        rows.set(change.id, change)
        alike.put(before, change)
        if (i < firstAsked) continue
        for (const look of ['a', 'b', 'ab']) {
          for (const ownId of [null, 1]) {
            const wanted = [...rows.values()].filter(one => one.id !== ownId && looksOf(one).includes(look))
            const found = alike.find([look], ownId)
            if (found ? !wanted.includes(found) : wanted.length > 0) return false
          }
        }
      }
      return true
    }),
  )
})
