import t from 'tap'
import { Directory } from '../../server/memory/directory.js'
import { createPerson } from '../support/people.js'
import { testOrganization } from '../support/server.js'

const { sql } = await testOrganization(t)
const one = await createPerson(sql, '', { full_name: 'Same Name' })
const other = await createPerson(sql, '', { full_name: 'Same Name' })
const directory = new Directory(sql)
await directory.load()

const countUsers = (shown: Directory) => shown.users.size

t.test('a preview shows rows that are not stored yet, and leaves the directory alone', async t => {
  const user = directory.users.get(one.id)
  t.ok(user)
  if (!user) return
  const changed = { ...user, full_name: 'New Name', delivery_email: 'New@test.example', role: 600 }
  const settings = { ...directory.organization.settings, name: 1 }
  const after = directory.preview({ users: [changed], organization: { ...directory.organization, settings } })
  t.equal(after.users.get(one.id), changed)
  t.equal(after.usersByEmail.get('new@test.example'), changed)
  t.notOk(after.usersByEmail.has(one.email))
  t.same(
    after.usersByName.get('same name')?.map(({ id }) => id),
    [other.id],
  )
  t.same(
    after.usersByName.get('new name')?.map(({ id }) => id),
    [one.id],
  )
  t.equal(after.organization.settings, settings)

  t.equal(directory.users.get(one.id), user)
  t.equal(directory.usersByEmail.get(one.email), user)
  t.notOk(directory.usersByEmail.has('new@test.example'))
  t.same(
    directory.usersByName.get('same name')?.map(({ id }) => id),
    [one.id, other.id],
  )
  t.notOk(directory.usersByName.has('new name'))
  t.not(directory.organization.settings, settings)
})

t.test('what is derived of a preview is its own', async t => {
  t.equal(directory.derived(countUsers), 2)
  const user = directory.users.get(one.id)
  if (!user) return t.fail('no user')
  const after = directory.preview({
    users: [{ ...user, id: 99, api_key: 'another', delivery_email: 'c@test.example' }],
  })
  t.equal(after.derived(countUsers), 3)
  t.equal(directory.derived(countUsers), 2)
})
