import type { TextKey } from '../language/language.js'
import type { IconName } from '../look/icon.js'
import type { Dialog } from './view.js'

interface OwnDialog {
  readonly icon: IconName
  readonly title: TextKey
  readonly dialog: Dialog
}

const entry = (icon: IconName, title: TextKey, dialog: Dialog): OwnDialog => ({ icon, title, dialog })

/** Dialogs about the user and the organization, as menus and Ctrl+K name them. */
export const ownDialogs = {
  settings: entry('sliders', 'ownMenu.settings', 'settings'),
  status: entry('smile', 'ownMenu.status', 'status'),
  drafts: entry('edit', 'ownMenu.drafts', 'drafts'),
  picture: entry('edit', 'ownMenu.picture', 'avatar'),
  keys: entry('keys', 'ownMenu.keys', 'keys'),
  emoji: entry('smile', 'ownMenu.emoji', 'emoji'),
  groups: entry('people', 'userGroups.title', { group: 'all' }),
  organization: entry('star', 'ownMenu.organization', 'organization'),
}
