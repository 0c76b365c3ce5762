import t from 'tap'
import { Directory } from '../../server/memory/directory.js'
import { bumpVersion } from '../../server/store/organization/organization.js'
import { createPerson } from '../support/people.js'
import { testOrganization } from '../support/server.js'

const { sql } = await testOrganization(t)
const person = await createPerson(sql, '')

const rename = (name: string) =>
  sql.begin(async tx => {
    await tx`update users set full_name = ${name}, version = ${await bumpVersion(tx)} where id = ${person.id}`
  })

t.test('a transaction that holds the organization sees its current state and blocks changes', async t => {
  const directory = new Directory(sql)
  await directory.load()
  await rename('Before the hold')
  let isRenamed = false
  let renaming: Promise<void> | undefined
  await sql.begin(async tx => {
    await directory.hold(tx, 'share')
    t.equal(directory.users.get(person.id)?.full_name, 'Before the hold')
    renaming = rename('During the hold').then(() => {
      isRenamed = true
    })
    const [row] = await tx`select full_name from users where id = ${person.id}`
    t.equal(row?.full_name, 'Before the hold')
    t.notOk(isRenamed)
  })
  await renaming
  await directory.fresh()
  t.equal(directory.users.get(person.id)?.full_name, 'During the hold')
})

t.test('several share the hold; what a transaction takes back is not remembered', async t => {
  const directory = new Directory(sql)
  await directory.load()
  await sql.begin(async one => {
    await directory.hold(one, 'share')
    await sql.begin(async other => {
      await directory.hold(other, 'share')
    })
  })
  const before = directory.version
  const undone = sql.begin(async tx => {
    await directory.hold(tx, 'change')
    await tx`update users set full_name = 'Never', version = ${await bumpVersion(tx)} where id = ${person.id}`
    throw new Error('taken back')
  })
  await t.rejects(undone, { message: 'taken back' })
  await directory.fresh()
  t.equal(directory.version, before)
  t.not(directory.users.get(person.id)?.full_name, 'Never')
})

t.test('what is derived is made once for each generation', async t => {
  const directory = new Directory(sql)
  await directory.load()
  let made = 0
  const count = () => ++made
  t.equal(directory.derived(count), directory.derived(count))
  await rename('Changed')
  await directory.fresh()
  t.equal(directory.derived(count), 2)
})
