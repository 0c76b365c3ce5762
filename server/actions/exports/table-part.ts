import { channelPermissionNames } from '../../../shared/resources/permission-settings.js'
import { version } from '../../config/version.js'
import type { Ctx } from '../../ctx.js'
import { channelGroup } from '../../policies/groups.js'
import { inTables, type TableBatch } from '../../store/exports/tables.js'
import { accountsOf, crossrealmRow, defaultsRow, realmRow, shortRealmRow, userRow } from './account-rows.js'
import { type ArchivePart, type ArchivePlace, type ExportWork, filePart, wholeFile } from './archive-part.js'
import { tarEnd } from './tar.js'

/** `realm.json`: all tables but those of messages and files. Those of PostgreSQL are of one snapshot. */
export function tablePart(work: ExportWork, place: ArchivePlace): ArchivePart {
  const { ctx, scope } = work
  let batches: AsyncIterable<TableBatch> | undefined
  async function* chunks(): AsyncGenerator<string> {
    yield '{'
    if (batches) yield* chunksOf(batches)
    await ctx.directory.fresh()
    yield* chunksOf(scope.person ? await personMemoryTables(work, scope.person.id, place) : memoryTables(work, place))
    // The last table has rows that follow from no other one.
    yield `"zerver_realm": [${JSON.stringify(scope.person ? shortRealmRow(ctx) : realmRow(ctx))}]}\n`
  }
  return {
    ...filePart(work, 'realm.json', chunks(), () => ({ ...place, step: 'end' })),
    during: reading =>
      inTables(ctx.sql, { ...scope, channelDefaults: channelDefaults(ctx) }, given => {
        batches = given
        return reading()
      }),
  }
}

async function* chunksOf(batches: AsyncIterable<TableBatch> | Iterable<TableBatch>): AsyncGenerator<string> {
  let current: string | undefined
  let separator = ''
  for await (const { table, rows } of batches) {
    if (table !== current) {
      yield `${current === undefined ? '' : '\n],\n'}${JSON.stringify(table)}: [`
      current = table
      separator = '\n'
    }
    if (rows.length === 0) continue
    yield separator + rows.join(',\n')
    separator = ',\n'
  }
  yield '\n],\n'
}

/** The tables of which a worker has the rows in memory. Accounts come after what refers to them, so no row refers to an account that is missing. */
function* memoryTables({ ctx, scope }: ExportWork, { clients }: ArchivePlace): Iterable<TableBatch> {
  const accounts = accountsOf(ctx.directory)
  const isShared = (id: number) => scope.accounts?.includes(id) ?? true
  const texts = (rows: readonly object[]) => rows.map(row => JSON.stringify(row))
  yield clientTable(clients)
  yield { table: 'zerver_realmuserdefault', rows: texts([defaultsRow(ctx)]) }
  const [bots, users] = [accounts.filter(user => user.is_system_bot), accounts.filter(user => !user.is_system_bot)]
  yield { table: 'zerver_userprofile', rows: texts(users.map(user => userRow(ctx, user, isShared(user.id)))) }
  yield { table: 'zerver_userprofile_crossrealm', rows: texts(bots.map(crossrealmRow)) }
  yield { table: 'zerver_userprofile_mirrordummy', rows: [] }
}

/** The same for an export of one person. */
async function personMemoryTables(
  { ctx }: ExportWork,
  userId: number,
  { clients }: ArchivePlace,
): Promise<TableBatch[]> {
  const user = ctx.directory.users.get(userId)
  const seen = await ctx.presence.of(userId)
  return [
    clientTable(clients),
    { table: 'zerver_userprofile', rows: user ? [JSON.stringify(userRow(ctx, user, true))] : [] },
    { table: 'zerver_userpresence', rows: seen ? [JSON.stringify({ user_profile: userId, ...seen })] : [] },
  ]
}

const clientTable = (clients: readonly string[]): TableBatch => ({
  table: 'zerver_client',
  rows: clients.map((name, place) => JSON.stringify({ id: place + 1, name })),
})

/** The groups that hold the permissions of a channel without a value of its own. */
const channelDefaults = ({ directory }: Ctx): Record<string, unknown> =>
  Object.fromEntries(channelPermissionNames.map(name => [name, channelGroup(directory, { settings: {} }, name)]))

/** Small files about the export itself, and the end of the archive. */
export function endPart(work: ExportWork, place: ArchivePlace): ArchivePart {
  const { messages, file } = place
  const { row, scope } = work
  async function* pieces(): AsyncGenerator<string | Uint8Array> {
    yield* wholeFile(work, 'stats.json', [JSON.stringify({ zerver_message: messages, message_files: file })])
    yield* wholeFile(work, 'analytics.json', ['{}'])
    const about = {
      server_version: version,
      export_type: row.kind,
      first_message_id_above: scope.since,
      last_message_id: scope.cut,
      date: row.requested.toISOString(),
    }
    yield* wholeFile(work, 'migration_status.json', [JSON.stringify(about)])
    yield tarEnd()
  }
  return { pieces: pieces(), head: () => new Uint8Array(), next: () => ({ ...place, step: 'over' }) }
}
