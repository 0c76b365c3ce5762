import { Command, Help } from 'commander'
import { addAuditCommands } from './audit/index.js'
import { addBotCommands } from './bot/index.js'
import { addChannelCommands } from './channel/index.js'
import { tellFailure } from './failure.js'
import { addGroupCommands } from './group/index.js'
import { addJwtKeyCommands } from './jwt-key/index.js'
import { addKeyCommands } from './key/index.js'
import { addProfileFieldCommands } from './profile-field.js'
import { addQueueCommands } from './queue/index.js'
import { addSeedCommand } from './seed/command.js'
import { addSettingCommands } from './setting/index.js'
import { addTransferCommands } from './transfer/command.js'
import { addUserCommands } from './user/index.js'

const program = new Command('npm run admin --')
  .description('Looks after the organization from outside, whether its server runs or not.')
  .exitOverride()
  .configureOutput({ outputError: () => {} })
  // That a flag is off where nobody gives it needs no words.
  .configureHelp({
    optionDescription: option =>
      option.defaultValue === false ? option.description : new Help().optionDescription(option),
  })
  .addHelpText(
    'after',
    '\nExit codes: 0 done, 1 refused or failed, 2 the command line is wrong. Every command has --help with examples and --json.',
  )

addUserCommands(program)
addBotCommands(program)
addKeyCommands(program)
addChannelCommands(program)
addGroupCommands(program)
addSettingCommands(program)
addQueueCommands(program)
addAuditCommands(program)
addJwtKeyCommands(program)
addProfileFieldCommands(program)
addTransferCommands(program)
addSeedCommand(program)

try {
  await program.parseAsync()
} catch (error) {
  process.exit(tellFailure(error, process.argv.includes('--json')))
}
