import type { Command } from 'commander'
import { noun } from '../leaf.js'
import { addArchive } from './archive.js'
import { addChange } from './change.js'
import { addCreate } from './create.js'
import { addList } from './list.js'
import { addSubscribe } from './subscribe.js'

/** The commands `channel …`. */
export function addChannelCommands(program: Command): void {
  const channel = noun(program, 'channel', 'Channels and who is subscribed to them.')
  addList(channel)
  addCreate(channel)
  addChange(channel)
  addArchive(channel)
  addSubscribe(channel)
}
