import { Command, CommanderError, Option } from 'commander'
import { ApiError } from '../../shared/errors.js'
import { ConfigError, readConfig } from '../config.js'
import { createLog } from '../log.js'
import { AdminError } from './admin-error.js'
import { type Credentials, createAccount, type NewAccount, roles } from './create-user.js'
import { addProfileFieldCommands } from './profile-field.js'
import { addRightsCommands } from './rights.js'
import { addSeedCommand } from './seed/command.js'

const program = new Command('admin')
  .description('Looks after the organization from outside.')
  .exitOverride()
  .configureOutput({ outputError: () => {} })
const user = program.command('user').description('Accounts of people and bots.')

user
  .command('create')
  .description('Makes an account and prints how to sign in to it.')
  .requiredOption('--email <address>', 'its email address')
  .requiredOption('--full-name <name>', 'its name as people see it')
  .addOption(new Option('--role <role>', 'what it may do').choices(Object.keys(roles)).makeOptionMandatory())
  .option('--bot', 'it is a bot', false)
  .option('--json', 'print one JSON object', false)
  .action(async ({ json, ...account }: NewAccount & { json: boolean }) => {
    const config = readConfig(process.env)
    const credentials = await createAccount(config, createLog('warn', 'admin'), account)
    process.stdout.write(json ? `${JSON.stringify(credentials)}\n` : asLines(credentials))
  })

addRightsCommands(user)
addProfileFieldCommands(program)
addSeedCommand(program)

function asLines(credentials: Credentials): string {
  return Object.entries(credentials)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('')
}

try {
  await program.parseAsync()
} catch (error) {
  const isHelp = error instanceof CommanderError && /help|version/i.test(error.code)
  if (!isHelp) console.error(sentence(error))
  process.exit(error instanceof CommanderError ? error.exitCode : 1)
}

/** Meant for a person at a terminal; only what nobody foresaw is shown with all that is known of it. */
function sentence(error: unknown): unknown {
  if (error instanceof CommanderError) return error.message.replace(/^error: /, '')
  return error instanceof AdminError || error instanceof ApiError || error instanceof ConfigError
    ? error.message
    : error
}
