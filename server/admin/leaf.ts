import { type Command, InvalidArgumentError, Option } from 'commander'
import { administrator, guest, member, moderator, owner } from '../policies/roles.js'

export const roles = { owner, administrator, moderator, member, guest } as const
export type RoleName = keyof typeof roles

export interface Json {
  readonly json: boolean
}

/** A group of commands, for example `user`; its plural is an alias. */
export function noun(program: Command, name: string, says: string): Command {
  return program.command(name).alias(`${name}s`).description(says)
}

/** A command with --json, and with examples at the end of its help. */
export function leaf(parent: Command, name: string, says: string, examples: readonly string[]): Command {
  const shown = examples.map(example => `  $ npm run admin -- ${example}\n`).join('')
  return parent
    .command(name)
    .description(says)
    .option('--json', 'print one JSON value on standard output and nothing else; errors are a JSON object, too', false)
    .addHelpText('after', `\n${examples.length === 1 ? 'Example' : 'Examples'}:\n${shown}`)
}

/** For commands with a confirmation. */
export const yes = () => new Option('-y, --yes', 'do not ask').default(false)

/** The acting account, for changes that need a permission. */
export const actsAs = () =>
  new Option('--as <address>', 'the address of the account that acts; by default the oldest active owner')

export const roleOption = (says: string) => new Option('--role <role>', says).choices(Object.keys(roles))

export const roleName = (role: number): string =>
  Object.entries(roles).find(([, number]) => number === role)?.[0] ?? String(role)

/** The options of a paged list. */
export interface Paged {
  readonly limit: number
  readonly offset: number
}

/** Adds paging options to a list command. */
export const paged = (command: Command): Command =>
  command
    .option('--limit <count>', 'so many at most', whole(1, 1_000_000), 100)
    .option('--offset <count>', 'leave out the first ones', whole(0, 1_000_000_000), 0)

export const pageOf = <Row>(rows: readonly Row[], { limit, offset }: Paged): readonly Row[] =>
  rows.slice(offset, offset + limit)

/** Parser of a whole number between two bounds. */
export function whole(least: number, greatest: number): (text: string) => number {
  return text => {
    const number = Number(text)
    if (/^\d{1,10}$/.test(text) && number >= least && number <= greatest) return number
    throw new InvalidArgumentError(`It has to be a whole number from ${least} to ${greatest}.`)
  }
}

export const collected = (text: string, all: readonly string[] | undefined): string[] => [...(all ?? []), text]
