import type { TextKey } from '../language/language.js'
import type { IconName } from '../look/icon.js'
import type { SettingsPlace } from '../state/settings-place.js'
import type { Dialog, View } from './view.js'

interface OwnDialog {
  readonly icon: IconName
  readonly title: TextKey
  open(view: View): void
}

const entry = (icon: IconName, title: TextKey, dialog: Dialog): OwnDialog => ({
  icon,
  title,
  open: view => view.open(dialog),
})
const page = (icon: IconName, title: TextKey, place: SettingsPlace): OwnDialog => ({
  icon,
  title,
  open(view) {
    view.open(undefined)
    view.openSettings(place)
  },
})

/** Dialogs and pages about the user and the organization, as menus and Ctrl+K name them. */
export const ownDialogs = {
  settings: page('sliders', 'ownMenu.settings', { about: 'settings' }),
  status: entry('smile', 'ownMenu.status', 'status'),
  quiet: entry('moon', 'ownMenu.quiet', 'quiet'),
  drafts: entry('draft', 'ownMenu.drafts', 'drafts'),
  files: entry('clip', 'composer.files', { files: null }),
  picture: entry('picture', 'ownMenu.picture', 'avatar'),
  keys: entry('keys', 'ownMenu.keys', 'keys'),
  emoji: page('smile', 'ownMenu.emoji', { about: 'organization', section: 'emoji' }),
  groups: entry('people', 'userGroups.title', { group: 'all' }),
  organization: page('building', 'ownMenu.organization', { about: 'organization' }),
}
