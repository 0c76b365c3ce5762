import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { dataDirectory } from '../places.js'
import { admin, type Tree } from './trees.js'

export type Line = Readonly<Record<string, unknown>> & { readonly line: string }

/** The lines of an export of the organization by a program. */
export async function exported(t: Test, tree: Tree, env: Record<string, string>): Promise<Line[]> {
  const file = join(dataDirectory(t), 'export.jsonl')
  await admin(tree, env, 'export', '--with-secrets', file)
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
}

// Of the one line of the organization: they change as time passes and messages are sent.
const passing = ['last_message_id', 'full_members_as_of']
const ofTheFile = ['header', 'end']
/** The fields of a line that a migration since the last release changes on purpose; none again after the next release. */
const changedIn = ({ line, is_active }: Line): readonly string[] =>
  // 0003-keys-of-deactivated-accounts.sql
  line === 'user' && is_active === false ? ['api_key'] : []

/**
 * The lines of an earlier export that a later one has not, or has twice. Compared by the fields of the earlier one, because a later version
 * may have further ones.
 */
export function differing(before: readonly Line[], after: readonly Line[]): string[] {
  const fields = new Map(before.map(line => [line.line, Object.keys(line).filter(name => !passing.includes(name))]))
  const textOf = (line: Line) => {
    const changed = changedIn(line)
    return JSON.stringify((fields.get(line.line) ?? []).map(name => (changed.includes(name) ? null : line[name])))
  }
  const times = new Map<string, number>()
  for (const line of after) times.set(textOf(line), (times.get(textOf(line)) ?? 0) + 1)
  return before
    .filter(({ line }) => !ofTheFile.includes(line))
    .flatMap(line => {
      const count = times.get(textOf(line)) ?? 0
      return count === 1 ? [] : [`${count} times: ${JSON.stringify(line).slice(0, 300)}`]
    })
}
