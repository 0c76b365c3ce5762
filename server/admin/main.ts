import { Command, Help } from 'commander'
import { version } from '../config/version.js'
import { printFailure } from './failure.js'

const program = new Command('npm run admin --')
  .description('Looks after the organization from outside, whether its server runs or not.')
  .version(version, '--version', 'print the version of this program')
  .exitOverride()
  .configureOutput({ outputError: () => {} })
  // Hides the default of flags that are off by default.
  .configureHelp({
    optionDescription: option =>
      option.defaultValue === false ? option.description : new Help().optionDescription(option),
  })
  .addHelpText(
    'after',
    '\nExit codes: 0 done, 1 refused or failed, 2 the command line is wrong. Every command has --help with examples and --json.',
  )

type AddCommands = (program: Command) => void

// In the order of the help; each with a pattern for the first argument.
const parts: readonly [names: RegExp, load: () => Promise<AddCommands>][] = [
  [/^users?$/, async () => (await import('./user/index.js')).addUserCommands],
  [/^bots?$/, async () => (await import('./bot/index.js')).addBotCommands],
  [/^keys?$/, async () => (await import('./key/index.js')).addKeyCommands],
  [/^channels?$/, async () => (await import('./channel/index.js')).addChannelCommands],
  [/^groups?$/, async () => (await import('./group/index.js')).addGroupCommands],
  [/^settings?$/, async () => (await import('./setting/index.js')).addSettingCommands],
  [/^queues?$/, async () => (await import('./queue/index.js')).addQueueCommands],
  [/^audits?$/, async () => (await import('./audit/index.js')).addAuditCommands],
  [/^profile-fields?$/, async () => (await import('./profile-field.js')).addProfileFieldCommands],
  [/^(export|import)$/, async () => (await import('./transfer/command.js')).addTransferCommands],
  [/^seed$/, async () => (await import('./seed/command.js')).addSeedCommand],
]

// Loads only the modules of the named command, mostly less than half of all; the help and misspelt commands need all.
const [asked = ''] = process.argv.slice(2)
const named = parts.filter(([names]) => names.test(asked))
for (const [, load] of named.length > 0 ? named : parts) (await load())(program)

try {
  await program.parseAsync()
} catch (error) {
  process.exit(printFailure(error, process.argv.includes('--json')))
}
