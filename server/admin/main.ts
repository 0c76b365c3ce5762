import { parseArgs } from 'node:util'
import { Command, Help } from 'commander'
import { version } from '../config/version.js'
import { useEnvironmentFile } from './environment-file.js'
import { printFailure } from './failure.js'

const program = new Command('npm run admin --')
  .description('Looks after the organization from outside, whether its server runs or not.')
  .version(version, '--version', 'print the version of this program')
  .option('--environment-file <file>', 'take the settings of this file in place of those of the environment')
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
  [/^scim$/, async () => (await import('./scim/index.js')).addScimCommands],
  [/^organizations?$/, async () => (await import('./organization/index.js')).addOrganizationCommands],
  [/^settings?$/, async () => (await import('./setting/index.js')).addSettingCommands],
  [/^retention$/, async () => (await import('./retention/index.js')).addRetentionCommands],
  [/^queues?$/, async () => (await import('./queue/index.js')).addQueueCommands],
  [/^jobs?$/, async () => (await import('./job/index.js')).addJobCommands],
  [/^audits?$/, async () => (await import('./audit/index.js')).addAuditCommands],
  [/^profile-fields?$/, async () => (await import('./profile-field.js')).addProfileFieldCommands],
  [/^(export|import)$/, async () => (await import('./transfer/command.js')).addTransferCommands],
  [/^(backup|restore)$/, async () => (await import('./backup/command.js')).addBackupCommands],
  [/^seed$/, async () => (await import('./seed/command.js')).addSeedCommand],
]

// Read before the command line as a whole: it decides which modules are loaded. Not `--env-file`, which Node takes for an option of its own
// wherever it stands.
const { values, positionals } = parseArgs({
  options: { 'environment-file': { type: 'string' } },
  strict: false,
  allowPositionals: true,
})
const { 'environment-file': environmentFile } = values

// Loads only the modules of the named command, mostly less than half of all; the help and misspelt commands need all.
const [asked = ''] = positionals
const named = parts.filter(([names]) => names.test(asked))
for (const [, load] of named.length > 0 ? named : parts) (await load())(program)

try {
  if (typeof environmentFile === 'string') useEnvironmentFile(environmentFile)
  await program.parseAsync()
} catch (error) {
  process.exit(printFailure(error, process.argv.includes('--json')))
}
