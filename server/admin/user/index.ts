import type { Command } from 'commander'
import { noun } from '../leaf.js'
import { addChange } from './change.js'
import { addCreate } from './create.js'
import { addDeactivate } from './deactivate.js'
import { addErase } from './erase.js'
import { addIdentities } from './identities.js'
import { addList } from './list.js'
import { addPassword } from './password.js'
import { addRemoveFactors } from './remove-factors.js'
import { addRightsCommands } from './rights.js'
import { addShow } from './show.js'
import { addUnlock } from './unlock.js'

/** The commands `user …` for accounts of people and bots. */
export function addUserCommands(program: Command): void {
  const user = noun(program, 'user', 'Accounts of people and bots.')
  addList(user)
  addShow(user)
  addCreate(user)
  addChange(user)
  addDeactivate(user)
  addErase(user)
  addPassword(user)
  addUnlock(user)
  addIdentities(user)
  addRemoveFactors(user)
  addRightsCommands(user)
}
