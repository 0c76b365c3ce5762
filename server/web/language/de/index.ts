import type { Texts } from '../texts.js'
import { account } from './account.js'
import { channel, channels, groups, holders, move, userGroups } from './channels.js'
import { composer, emoji } from './composer.js'
import { about, customEmoji, drafts, jump, newDirect, ownStatus, person, pictures, snippets } from './dialogs.js'
import { keys } from './keys.js'
import { feed, message, report, unsent, widget } from './messages.js'
import { refusal } from './refusals.js'
import { search } from './search.js'
import { settings } from './settings.js'
import { signIn } from './sign-in.js'
import { status } from './status.js'
import { beside, home, notice, notification, ownMenu, people, readThrough, sidebar, view } from './views.js'
import { words } from './words.js'

/** The German texts. */
export const de: Texts = {
  about,
  account,
  beside,
  channel,
  channels,
  words,
  composer,
  customEmoji,
  drafts,
  emoji,
  feed,
  groups,
  holders,
  home,
  jump,
  keys,
  message,
  move,
  newDirect,
  notice,
  notification,
  ownMenu,
  ownStatus,
  people,
  person,
  pictures,
  readThrough,
  refusal,
  report,
  search,
  settings,
  sidebar,
  signIn,
  snippets,
  status,
  unsent,
  userGroups,
  view,
  widget,
}
