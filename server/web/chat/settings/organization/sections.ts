import { isGuest } from '../../../state/permissions.js'
import type { Section } from '../section.js'
import { CustomEmoji } from './custom-emoji.js'
import { general } from './general.js'
import { messages } from './messages.js'
import { newUsers } from './new-users.js'
import { permissions } from './permissions.js'

/** The sections about the organization. */
export const organizationSections: readonly Section[] = [
  general,
  permissions,
  messages,
  { ...newUsers, isFor: state => !isGuest(state) },
  { id: 'emoji', icon: 'smile', parts: [{ shows: CustomEmoji }] },
]
