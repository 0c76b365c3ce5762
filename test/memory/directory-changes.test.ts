// The directory that a worker keeps up to date shows what one that was just loaded shows, and the same values as the columns of the tables.
import fc from 'fast-check'
import t from 'tap'
import { Directory } from '../../server/memory/directory.js'
import { directoryChangesAfter, noteRemoved } from '../../server/store/directory/directory-changes.js'
import { insertLinkifier, stampLinkifiers } from '../../server/store/organization/linkifiers.js'
import { insertDomain, insertPlayground, stampLists } from '../../server/store/organization/organization-lists.js'
import { changeDirectory } from '../support/organization.js'
import { createPerson } from '../support/people.js'
import { statementsOf } from '../support/queries.js'
import { startServer } from '../support/server.js'

const server = await startServer(t)
const { sql } = server
const people = [await createPerson(sql, ''), await createPerson(sql, ''), await createPerson(sql, '')]
const [{ id: author } = { id: 0 }] = people

const text = fc.string({ unit: 'binary', maxLength: 20 }).map(given => given.replaceAll('\u0000', '')) // PostgreSQL stores no U+0000.
const json = fc.dictionary(
  text,
  fc.oneof(text, fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(null), fc.array(text)),
)
// PostgreSQL keeps microseconds, of which the driver drops those below a millisecond.
const time = fc
  .tuple(fc.integer({ min: 0, max: 4e9 }), fc.integer({ min: 0, max: 999_999 }))
  .map(([seconds, micros]) => `${seconds}.${String(micros).padStart(6, '0')}`)
const userId = fc.constantFrom(...people.map(({ id }) => id))

interface Change {
  readonly kind: 'user' | 'channel' | 'group' | 'emoji' | 'linkifier' | 'lists' | 'organization' | 'removal'
  readonly name: string
  readonly json: Record<string, unknown>
  readonly time: string
  readonly userId: number
  readonly words: string[]
  readonly isNew: boolean
}

const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom('user', 'channel', 'group', 'emoji', 'linkifier', 'lists', 'organization', 'removal'),
  name: text,
  json,
  time,
  userId,
  words: fc.array(text, { maxLength: 3 }),
  isNew: fc.boolean(),
})

let made = 0

const apply = (one: Change) =>
  changeDirectory(sql, async (tx, version) => {
    const name = `${++made} ${one.name}`
    const at = tx`to_timestamp(${one.time}::numeric)`
    const value = tx.json(one.json as never)
    if (one.kind === 'user') {
      await tx`
        update users set full_name = ${name}, settings = ${value}, alert_words = ${one.words}::text[], date_joined = ${at},
          default_events_register_stream_id = ${one.isNew ? null : made}, is_active = ${one.isNew}, version = ${version}
        where id = ${one.userId}`
    } else if (one.kind === 'channel') {
      await (one.isNew
        ? tx`insert into channels (name, date_created, version) values (${name}, ${at}, ${version})`
        : tx`update channels set name = ${name}, description = ${one.name}, creator_id = ${one.userId}, version = ${version}
            where id = (select max(id) from channels)`)
    } else if (one.kind === 'group') {
      const [row] = await tx<{ id: number }[]>`
        insert into user_groups (name, description, date_created, version)
        values (${one.isNew ? name : null}, ${one.name}, ${at}, ${version}) returning id`
      await tx`insert into user_group_members select ${row?.id ?? 0}, id from users where id = ${one.userId}`
      await tx`insert into user_group_subgroups select ${row?.id ?? 0}, min(id) from user_groups`
    } else if (one.kind === 'emoji') {
      await (one.isNew
        ? tx`insert into custom_emoji (name, author_id, path, is_animated, version)
            values (${`e${made}`}, ${one.userId}, ${name}, ${one.isNew}, ${version})`
        : tx`update custom_emoji set deactivated = true, version = ${version} where id = (select max(id) from custom_emoji)`)
    } else if (one.kind === 'linkifier') {
      await insertLinkifier(tx, {
        pattern: `a${made}`,
        url_template: one.isNew ? 'https://a.example/{b}' : `data:${one.name}`,
        example_input: null,
        reverse_template: null,
        alternative_url_templates: one.words.map(word => `b${word}`),
      })
      await stampLinkifiers(tx, version)
    } else if (one.kind === 'lists') {
      await insertPlayground(tx, { name, pygments_language: `b${made}`, url_template: 'https://a.example/{code}' })
      await insertDomain(tx, { domain: `d${made}.example`, allow_subdomains: one.isNew })
      await stampLists(tx, version)
    } else if (one.kind === 'removal') {
      const channels = await tx<{ id: number }[]>`
        delete from channels where id = (select id from channels order by id desc offset 1 limit 1) returning id`
      const emoji = await tx<{ id: number }[]>`
        delete from custom_emoji where id = (select max(id) from custom_emoji) returning id`
      await noteRemoved(tx, { kind: 'channel', ids: channels.map(({ id }) => id), version })
      await noteRemoved(tx, { kind: 'emoji', ids: emoji.map(({ id }) => id), version })
    } else {
      await tx`update organization set name = ${name}, settings = ${value}, date_created = ${at}, full_members_as_of = ${at}`
    }
  })

/** All that a directory shows, in an order that does not depend on its history. */
const shown = (directory: Directory) => ({
  organization: directory.organization,
  ...Object.fromEntries(
    (['users', 'groups', 'channels', 'usersByEmail', 'usersByApiKey', 'groupsByName', 'channelsByName'] as const).map(
      name => [name, Object.fromEntries(directory[name] as ReadonlyMap<unknown, unknown>)],
    ),
  ),
  namesakes: [...directory.usersByName].map(([name, users]) => [name, users.map(({ id }) => id).sort()]).sort(),
  emoji: directory.customEmoji.all(),
  linkifiers: [directory.linkifiers.version, directory.linkifiers.all],
  lists: directory.lists,
})

async function loaded(): Promise<Directory> {
  const directory = new Directory(sql)
  await directory.load()
  return directory
}

t.test('after random changes the refreshed directory shows what a loaded one shows', async t => {
  const directory = await loaded()
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async changes => {
      for (const one of changes) await apply(one)
      await directory.fresh()
      t.strictSame(shown(directory), shown(await loaded()))
    }),
    { numRuns: 15 },
  )
})

t.test('each value is the one that its column has', async t => {
  const changes = await directoryChangesAfter(sql, 0)
  const columnsOf = async (table: string, rows: readonly object[], order = 'id') => {
    const names = Object.keys(rows[0] ?? {}).filter(name => name !== 'members' && name !== 'subgroups')
    return [...(await sql`select ${sql(names)} from ${sql(table)} order by ${sql(order)}`)].map(row => ({ ...row }))
  }
  const plain = (rows: readonly { id: number }[]) =>
    rows
      .toSorted((a, b) => a.id - b.id)
      .map(({ ...row }) => {
        const { members, subgroups, ...columns } = row as Record<string, unknown>
        return columns
      })
  t.strictSame(plain(changes.user), await columnsOf('users', changes.user))
  t.strictSame(plain(changes.channel), await columnsOf('channels', changes.channel))
  t.strictSame(plain(changes.group), await columnsOf('user_groups', changes.group))
  t.strictSame(plain(changes.emoji), await columnsOf('custom_emoji', changes.emoji))
  t.strictSame(changes.organization, await columnsOf('organization', changes.organization, 'version'))
  const members = changes.group.flatMap(({ id, members }) => members.map(user_id => ({ group_id: id, user_id })))
  const stored = await sql`select group_id, user_id from user_group_members order by group_id, user_id`
  t.strictSame(
    members.sort((a, b) => a.group_id - b.group_id),
    stored.map(row => ({ ...row })),
  )
  t.ok(changes.organization[0]?.full_members_as_of instanceof Date)
  t.equal(typeof changes.user[0]?.version, 'number')
})

t.test('the directory is refreshed by one statement', async t => {
  const refresh = async () => {
    await changeDirectory(sql, (tx, version) => tx`update users set version = ${version} where id = ${author}`)
    await server.ctx.directory.fresh()
  }
  const statements = await statementsOf(server, refresh)
  // The refresh that runs once a second may find the change at the same moment.
  t.match([...new Set(statements)], [/^select 'organization' as kind/])
  t.equal(new Set(statements).size, 1, statements.join('\n'))
})

t.test('a change that is committed while the directory is read shows as a whole or not at all', async t => {
  const write = (value: string) =>
    changeDirectory(sql, async (tx, version) => {
      await tx`update users set full_name = ${value}, version = ${version} where id = ${author}`
      await tx`update channels set description = ${value}, version = ${version} where id = (select max(id) from channels)`
      await tx`update organization set description = ${value}`
    })
  await write('first')
  let isOver = false
  const writing = (async () => {
    for (let i = 0; i < 20; i++) await write(`value ${i}`)
    isOver = true
  })()
  const values = new Set<unknown>()
  while (!isOver) {
    const { organization, user, channel } = await directoryChangesAfter(sql, 0)
    const last = channel.toSorted((a, b) => b.id - a.id)[0]
    const texts = [organization[0]?.description, user.find(({ id }) => id === author)?.full_name, last?.description]
    t.equal(new Set(texts).size, 1, texts.join())
    values.add(texts[0])
  }
  await writing
  t.ok(values.size > 1, 'the changes came while it was read')
})

t.test('a directory forgets accounts and groups that are deleted, with their names', async t => {
  const [gone, namesake] = [
    await createPerson(sql, '', { full_name: 'Zoe Zander' }),
    await createPerson(sql, '', { full_name: 'zoe zander' }),
  ]
  await changeDirectory(sql, async (tx, version) => {
    await tx`insert into user_groups (name, description, version) values ('Zebras', '', ${version})`
  })
  const directory = await loaded()
  t.ok(directory.userLike('Zoe Zander', namesake.id) && directory.groupLike('Zebras', null))
  await changeDirectory(sql, async (tx, version) => {
    await tx`delete from users where id = ${gone.id}`
    const groups = await tx<{ id: number }[]>`delete from user_groups where name = 'Zebras' returning id`
    await noteRemoved(tx, { kind: 'user', ids: [gone.id], version })
    await noteRemoved(tx, { kind: 'group', ids: groups.map(({ id }) => id), version })
  })
  await directory.fresh()
  t.strictSame(shown(directory), shown(await loaded()))
  t.same(
    directory.usersNamed('Zoe Zander').map(({ id }) => id),
    [namesake.id],
  )
  t.equal(directory.userLike('Zoe Zander', namesake.id), undefined)
  t.equal(directory.groupLike('Zebras', null), undefined)
})
