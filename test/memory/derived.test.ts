import t from 'tap'
import { Derived } from '../../server/memory/derived.js'
import { inactiveUsers } from '../../server/memory/inactive-users.js'
import { Organization } from '../policies/organization.js'

t.test('a value of an object is made once for each function', async t => {
  const derived = new Derived()
  const [row, other] = [{ id: 1 }, { id: 1 }]
  let made = 0
  const make = ({ id }: { id: number }) => ({ id, number: ++made })
  t.equal(derived.of(row, make), derived.of(row, make))
  t.not(derived.of(row, make), derived.of(other, make), 'a row that replaces another one has values of its own')
  t.not(
    derived.of(row, make),
    derived.of(row, given => make(given)),
  )
  t.equal(made, 3)
  const nothing = () => void made++
  derived.of(row, nothing)
  derived.of(row, nothing)
  t.equal(made, 4, 'also where the value is undefined')
})

t.test('a value of the directory is made once for each generation, from the last one', async t => {
  const { directory } = new Organization()
  let made = 0
  const count = (_: unknown, last: number | undefined) => {
    made++
    return (last ?? 0) + 1
  }
  t.same([directory.derived(count), directory.derived(count)], [1, 1])
  directory.generation += 2
  t.same([directory.derived(count), directory.derived(count)], [2, 2])
  t.equal(made, 2)
})

t.test('the set of deactivated users is the same object until it has other users', async t => {
  const organization = new Organization()
  const { directory } = organization
  organization.user({ id: 1, is_active: false })
  organization.user({ id: 2 })
  const before = inactiveUsers(directory)
  t.same([...before], [1])
  directory.generation++
  t.equal(inactiveUsers(directory), before)
  organization.user({ id: 2, is_active: false })
  directory.generation++
  t.same([...inactiveUsers(directory)], [1, 2])
})
