import { type Command, InvalidArgumentError } from 'commander'
import { readConfig } from '../../config.js'
import { leaf } from '../leaf.js'
import { print } from '../output.js'
import { shownTo } from '../progress.js'
import { type Seeded, type SeedOptions, seedOrganization } from './seed.js'

/** The command `seed`. */
export function addSeedCommand(program: Command): void {
  leaf(
    program,
    'seed',
    'Fills the organization with generated users, groups, channels and messages, for measurements and trials.',
    ['seed --users 100 --channels 20 --messages 5000'],
  )
    .option('--users <count>', 'accounts, bots among them', atLeast(10), 10_000)
    .option('--channels <count>', 'channels', atLeast(1), 1000)
    .option('--messages <count>', 'messages of the last ninety days', atLeast(0), 200_000)
    .option('--seed <number>', 'the same number makes the same organization, but for the keys', atLeast(0), 1)
    .option('--force', 'also where there is much already', false)
    .action(async ({ json, ...options }: SeedOptions & { json: boolean }) => {
      const seeded = await seedOrganization(readConfig(process.env), options, shownTo(process.stderr))
      print(json, seeded, asLines(seeded))
    })
}

function asLines({ accounts, ...counts }: Seeded): string[] {
  const made = Object.entries(counts).map(([what, count]) => `${what}: ${count}`)
  const people = accounts.map(
    ({ email, api_key, role, is_bot }) => `${is_bot ? 'bot' : `role ${role}`}: ${email} ${api_key}`,
  )
  return [...made, ...people]
}

const greatest = 100_000_000

function atLeast(least: number): (text: string) => number {
  return text => {
    const number = Number(text)
    if (/^\d{1,9}$/.test(text) && number >= least && number <= greatest) return number
    throw new InvalidArgumentError(`It has to be a whole number from ${least} to ${greatest}.`)
  }
}
