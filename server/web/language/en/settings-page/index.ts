import { audit } from './audit.js'
import { bots } from './bots.js'
import { channelMail } from './channel-mail.js'
import { channelNotifications } from './channel-notifications.js'
import { closing } from './closing.js'
import { exports } from './exports.js'
import { factors } from './factors.js'
import { files } from './files.js'
import { frame } from './frame.js'
import { imports } from './imports.js'
import { facts, fieldHints, fields, fieldTypes, lists } from './lists.js'
import { news } from './news.js'
import { ownAccount } from './own-account.js'
import { erasure, invitations, people } from './people.js'
import { push } from './push.js'
import { choices, hints, rows } from './rows.js'
import { quiet, scheduled } from './scheduled.js'
import { parts, sections } from './sections.js'
import { welcome } from './welcome.js'

/** The English texts of the page of settings. `rows` and `hints` are by the name of the setting. */
export const settingsPage = {
  factors,
  files,
  frame,
  audit,
  bots,
  channelMail,
  channelNotifications,
  closing,
  erasure,
  exports,
  imports,
  sections,
  parts,
  rows,
  hints,
  choices,
  lists,
  fields,
  fieldHints,
  fieldTypes,
  facts,
  people,
  invitations,
  news,
  ownAccount,
  push,
  quiet,
  scheduled,
  welcome,
}
