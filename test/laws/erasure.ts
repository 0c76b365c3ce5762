import type { Source } from './sources.js'

const names =
  /^(?:(?:\w+_)?user_ids?|sender_id|creator_id|author_id|(?:\w+_)?owner_id|inviter_id|actor_id|deleter_id|bot_id|muted_users)$/
const arrayOfIds = /^\w+ (?:int|bigint)\[\]/
// Arrays of other ids, and of bits.
const otherArrays = ['channel_ids', 'group_ids', 'file_ids', 'flags']

/** The columns of tables that name accounts, by their names, their foreign keys, or as arrays of ids, as `table.column`. */
export function accountColumns(migrations: readonly Source[]): string[] {
  const columns = migrations.flatMap(({ text }) => [
    ...[...text.matchAll(/^create table (\w+) \(\n([\s\S]*?)^\)/gm)].flatMap(([, table = '', body = '']) =>
      body.split('\n').flatMap(line => columnOf(table, line.trim())),
    ),
    ...[...text.matchAll(/^alter table (\w+)\s([\s\S]*?);/gm)].flatMap(([, table = '', body = '']) =>
      [...body.matchAll(/\badd column ([^,]*)/g)].flatMap(([, line = '']) => columnOf(table, line)),
    ),
  ])
  return [...new Set(columns)].sort()
}

function columnOf(table: string, line: string): string[] {
  const [, column = ''] = /^(\w+) /.exec(line) ?? []
  const isOfAccount =
    names.test(column) ||
    (arrayOfIds.test(line) && !otherArrays.includes(column)) ||
    (/\breferences users\b/.test(line) && !line.startsWith('foreign key'))
  return isOfAccount ? [`${table}.${column}`] : []
}
